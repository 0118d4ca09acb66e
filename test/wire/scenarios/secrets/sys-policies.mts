import { defineScenario, refused } from "../../scenario.mts";

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
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19"],
  steps: [
    // @covers beyond: Policies > policy
    // @covers beyond: Policies > POST sys/policies/acl/{name}
    { title: "write a policy", request: `POST ${path}/ci`, body: { policy }, outcome: "ok" },
    // @covers beyond: Policies > GET sys/policies/acl/{name}
    { title: "read a policy", request: `GET ${path}/ci`, outcome: { found: { name: "ci", policy } } },
    // @covers beyond: Policies > name
    { title: "write a name in capitals", request: `POST ${path}/Team/CI`, body: { policy: json }, outcome: "ok" },
    { title: "read it in capitals", request: `GET ${path}/TEAM/ci`, outcome: { found: { name: "team/ci" } } },
    { title: "write base64", request: `POST ${path}/b64`, body: { policy: btoa("# a") }, outcome: "ok" },
    { title: "read what was base64", request: `GET ${path}/b64`, outcome: { found: { policy: "# a" } } },
    { title: "write the older form", request: "POST sys/policy/old", body: { rules: json }, outcome: "ok" },
    { title: "read the older form", request: "GET sys/policy/old", outcome: { found: { rules: json } } },
    // @covers beyond: Policies > GET sys/policies/acl?list=true
    {
      title: "list policies",
      request: `GET ${path}?list=true`,
      outcome: { found: { keys: ["b64", "ci", "default", "old", "team/ci", "root"] } },
    },
    { title: "list in the older form", request: "GET sys/policy", outcome: "ok" },
    { title: "read the list without asking for one", request: `GET ${path}`, outcome: refused(/405 .*unsupported/) },
    // @covers beyond: Policies > DELETE sys/policies/acl/{name}
    { title: "delete a policy", request: `DELETE ${path}/ci`, outcome: "ok" },
    { title: "read a deleted policy", request: `GET ${path}/ci`, outcome: "absent" },
    { title: "delete a policy that is not there", request: `DELETE ${path}/ci`, outcome: "ok" },
    { title: "change the policy default", request: `POST ${path}/default`, body: { policy: json }, outcome: "ok" },
    {
      title: "delete the policy default",
      request: `DELETE ${path}/default`,
      outcome: refused(/400 cannot delete default/),
    },
    { title: "read the policy root", request: `GET ${path}/root`, outcome: { found: { name: "root", policy: "" } } },
    { title: "read a policy of the server's own", request: `GET ${path}/response-wrapping`, outcome: "ok" },
    ...["root", "response-wrapping", "control-group"].flatMap((name) => [
      {
        title: `write the policy ${name}`,
        request: `POST ${path}/${name}`,
        body: { policy: json },
        outcome: refused(/400 cannot update/),
      },
      { title: `delete the policy ${name}`, request: `DELETE ${path}/${name}`, outcome: refused(/400 cannot delete/) },
    ]),
    { title: "write without text", request: `POST ${path}/none`, body: {}, outcome: refused(/400 .*policy/) },
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
    {
      title: "write a policy with a key twice",
      request: `POST ${path}/twice`,
      body: body('capabilities = ["read"] capabilities = ["list"]'),
      servers: ["vault-1.21"],
      outcome: parsing("already set"),
    },
    {
      title: "write a policy with a key twice, as was allowed before",
      request: `POST ${path}/twice`,
      body: body('capabilities = ["read"] capabilities = ["list"]'),
      servers: ["vault-1.19"],
      outcome: "ok",
    },
    {
      title: "write a capability that came with 1.20",
      request: `POST ${path}/recover`,
      body: body('capabilities = ["recover"]'),
      servers: ["vault-1.21"],
      outcome: "ok",
    },
    {
      title: "write a capability that came later",
      request: `POST ${path}/recover`,
      body: body('capabilities = ["recover"]'),
      servers: ["vault-1.19"],
      outcome: parsing("invalid capability"),
    },
  ],
});
