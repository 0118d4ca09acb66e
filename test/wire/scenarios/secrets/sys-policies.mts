import { defineScenario, refused, step } from "../../scenario.mts";

const path = "sys/policies/acl";
const policy = `# All that a rule can say
path "secret/data/ci/*" {
  comment = "keys"
  capabilities = ["create", "update", "read"]
  allowed_parameters = { "key" = ["a", "b"], "*" = [] }
  denied_parameters { "force" = [] }
  required_parameters = ["key"]
  min_wrapping_ttl = "1m"
  max_wrapping_ttl = 3600
  subscribe_event_types = ["kv*"]
}
path "secret/+/archive/*" { policy = "deny" }
`;
const json = '{"path":{"a":{"capabilities":["read"]}}}';

const body = (text: string) => ({ policy: `path "a" { ${text} }` });
const parsing = (says: string) => refused(new RegExp(`400 .*failed to parse policy.*${says}`));

/** Texts that the server refuses, by what is wrong with them. */
const wrong: readonly (readonly [what: string, body: object, says: string])[] = [
  ["that is no HCL", { policy: "path a" }, "expected start of object"],
  ["with a key of no rule beside the paths", { policy: 'rule "a" {}' }, "invalid key"],
  ["with a key that no rule has", body("fly = 1"), "invalid key"],
  ["with a key in capitals", body('Capabilities = ["read"]'), "invalid key"],
  ["with the capability root", body('capabilities = ["root"]'), "invalid capability"],
  ["with a capability in capitals", body('capabilities = ["READ"]'), "invalid capability"],
  ["with capabilities that are no list", body('capabilities = "read"'), "unknown slice type"],
  ["with an unknown shorthand", body('policy = "fly"'), "invalid policy"],
  ["with +* in a path", { policy: 'path "a/+*" {}' }, "invalid use of wildcards"],
  ["with half of a template in a path", { policy: 'path "a{{b" {}' }, "unbalanced templating"],
  ["with paths that are assigned", { policy: 'path = { "a" = {} }' }, "invalid key"],
  ["with parameters that are no map", body("allowed_parameters = []"), "not an object type"],
  ["with a parameter without a list", body('denied_parameters = { x = "y" }'), "unknown slice type"],
  ["with required parameters that are no list", body('required_parameters = "x"'), "unknown slice type"],
  ["with a lifetime that is none", body('min_wrapping_ttl = "fly"'), "error parsing min_wrapping_ttl"],
  ["with lifetimes in the wrong order", body("min_wrapping_ttl = 10 max_wrapping_ttl = 5"), "cannot be less"],
];

/** ACL policies, which no document describes. */
export const sysPolicies = defineScenario({
  topic: "sys-policies",
  servers: ["vault-1.21", "vault-1.19"],
  steps: [
    // @covers beyond: Policies > policy
    // @covers beyond: Policies > POST sys/policies/acl/{name}
    step("write a policy", `POST ${path}/ci`, "ok", { body: { policy } }),
    // @covers beyond: Policies > GET sys/policies/acl/{name}
    step("read a policy", `GET ${path}/ci`, { found: { name: "ci", policy } }),
    // @covers beyond: Policies > name
    step("write a name in capitals", `POST ${path}/Team/CI`, "ok", { body: { policy: json } }),
    step("read it in capitals", `GET ${path}/TEAM/ci`, { found: { name: "team/ci" } }),
    step("write base64", `POST ${path}/b64`, "ok", { body: { policy: btoa("# a") } }),
    step("read what was base64", `GET ${path}/b64`, { found: { policy: "# a" } }),
    step("write the older form", "POST sys/policy/old", "ok", { body: { rules: json } }),
    step("read the older form", "GET sys/policy/old", { found: { rules: json } }),
    // @covers beyond: Policies > GET sys/policies/acl?list=true
    step("list policies", `GET ${path}?list=true`, {
      found: { keys: ["b64", "ci", "default", "old", "team/ci", "root"] },
    }),
    step("list in the older form", "GET sys/policy", "ok"),
    step("read the list without asking for one", `GET ${path}`, refused(/405 .*unsupported/)),
    // @covers beyond: Policies > DELETE sys/policies/acl/{name}
    step("delete a policy", `DELETE ${path}/ci`, "ok"),
    step("read a deleted policy", `GET ${path}/ci`, "absent"),
    step("delete a policy that is not there", `DELETE ${path}/ci`, "ok"),
    step("change the policy default", `POST ${path}/default`, "ok", { body: { policy: json } }),
    step("delete the policy default", `DELETE ${path}/default`, refused(/400 cannot delete default/)),
    step("read the policy root", `GET ${path}/root`, { found: { name: "root", policy: "" } }),
    step("read a policy of the server's own", `GET ${path}/response-wrapping`, "ok"),
    ...["root", "response-wrapping", "control-group"].flatMap((name) => [
      step(`write the policy ${name}`, `POST ${path}/${name}`, refused(/400 cannot update/), {
        body: { policy: json },
      }),
      step(`delete the policy ${name}`, `DELETE ${path}/${name}`, refused(/400 cannot delete/)),
    ]),
    step("write without text", `POST ${path}/none`, refused(/400 .*policy/), { body: {} }),
    ...["GET", "POST", "DELETE"].map((verb) => ({
      title: `${verb} a name with two dots`,
      request: `${verb} ${path}/a..b`,
      ...(verb === "POST" ? { body: { policy: json } } : {}),
      outcome: refused(/400 .*relative paths not supported/),
    })),
    ...wrong.map(([what, text, says]) => ({
      title: `write a policy ${what}`,
      request: `POST ${path}/wrong`,
      body: text,
      outcome: parsing(says),
    })),
    step("write a policy with a key twice", `POST ${path}/twice`, parsing("already set"), {
      body: body('capabilities = ["read"] capabilities = ["list"]'),
      servers: ["vault-1.21"],
    }),
    step("write a policy with a key twice, as was allowed before", `POST ${path}/twice`, "ok", {
      body: body('capabilities = ["read"] capabilities = ["list"]'),
      servers: ["vault-1.19"],
    }),
    step("write a capability that came with 1.20", `POST ${path}/recover`, "ok", {
      body: body('capabilities = ["recover"]'),
      servers: ["vault-1.21"],
    }),
    step("write a capability that came later", `POST ${path}/recover`, parsing("invalid capability"), {
      body: body('capabilities = ["recover"]'),
      servers: ["vault-1.19"],
    }),
  ],
});
