import { changed, defineCase, pathOf, replaced } from "../../support/contract-case.ts";

const text = `
# What CI may do
path "secret/data/ci/*" {
  comment = "keys"
  capabilities = ["create", "update", "read"]
  allowed_parameters = { "key" = ["a", "b"], "*" = [] }
  denied_parameters = { "force" = [] }
  required_parameters = ["key"]
  min_wrapping_ttl = "1m"
  max_wrapping_ttl = 3600
}
path "sys/mounts" { capabilities = ["read"] }
`;
const byHand = 'path "secret/*" { capabilities = ["list"] }';

export const sysPolicyCase = defineCase("sysPolicy", {
  async prepare(world) {
    const name = world.fresh("policy");
    const path = `sys/policies/acl/${name}`;
    const raw = world.raw("secrets");
    return {
      minimal: { name, policy: byHand.replace("list", "read") },
      full: { name, policy: text },
      id: path,
      record: pathOf("sys/policies/acl/{name}"),
      remove: async () => void (await raw.call(`DELETE ${path}`)),
      async edit() {
        await raw.call(`POST ${path}`, { policy: byHand });
        return { policy: byHand };
      },
    };
  },
  fields: {
    // @covers beyond: Policies > name
    name: replaced((world) => ({ name: world.fresh("policy") }), { without: "required" }),
    // @covers beyond: Policies > policy
    policy: changed({ policy: text.replace('"read"]', '"list"]') }, { without: "required" }),
    rules: { means: "nothing", reason: "rewritten into policy; see test/unit/rules/sys-policy.test.ts" },
  },
  spellings: [
    {
      title: "comments, layout and order",
      one: { policy: 'path "a" { capabilities = ["read", "list"] }\npath "b/*" { capabilities = ["deny"] }' },
      other: { policy: '// b\npath "b/*" { policy = "deny" }\n# a\npath "/a" {\n capabilities = ["list", "read",]\n}' },
    },
    {
      title: "HCL and JSON",
      one: { policy: 'path "a" { capabilities = ["read"] }' },
      other: { policy: '{"path": {"a": {"capabilities": ["read"]}}}' },
    },
    {
      title: "a text and rules",
      one: { policy: 'path "a" { capabilities = ["read"] max_wrapping_ttl = 60 }' },
      other: { policy: undefined, rules: [{ path: "a", capabilities: ["read"], maxWrappingTtl: "1m" }] },
    },
    {
      title: "one rule and two of the same path",
      one: { policy: 'path "a" { capabilities = ["read", "list"] }' },
      other: { policy: 'path "a" { capabilities = ["read"] }\npath "a" { capabilities = ["list"] }' },
    },
  ],
  volatile: ["name"],
  requests: {
    create: ["GET sys/policies/acl/{name}", "POST sys/policies/acl/{name}", "GET sys/policies/acl/{name}"],
    update: ["GET sys/policies/acl/{name}", "POST sys/policies/acl/{name}", "GET sys/policies/acl/{name}"],
    read: ["GET sys/policies/acl/{name}"],
    delete: ["GET sys/policies/acl/{name}", "DELETE sys/policies/acl/{name}", "GET sys/policies/acl/{name}"],
  },
});
