import { defineScenario, refused, type Step } from "../../scenario.mts";

const usual = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };
const denied = refused(/403 permission denied/);

function logIn(
  title: string,
  { role = "grouped", jwt = "jwtRich", keep = {} }: Partial<Record<"role" | "jwt", string>> & Pick<Step, "keep"> = {},
): Step {
  const body = { role, jwt: `{${jwt}}` };
  return { title, request: "POST auth/jwt/login", as: "nobody", body, keep, outcome: "ok" };
}

/** What logins do to entities and groups, and what those do to tokens. */
export const jwtGroups = defineScenario({
  topic: "jwt-groups",
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "GET sys/auth/jwt", keep: { accessor: "/data/accessor" } },
    { request: "POST auth/jwt/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    { request: "POST auth/jwt/role/grouped", body: { ...usual, groups_claim: "groups", token_policies: ["own"] } },
    { request: "POST auth/jwt/role/alone", body: usual },
    {
      request: "POST sys/policies/acl/admins",
      body: { policy: 'path "sys/policies/acl/admins" { capabilities = ["read"] }' },
    },
  ],
  steps: [
    {
      title: "make a group",
      request: "POST identity/group",
      body: { name: "the-admins", type: "external", policies: ["Admins"] },
      keep: { group: "/data/id" },
      outcome: "ok",
    },
    { title: "the group before it has an alias", request: "GET identity/group/id/{group}", outcome: "ok" },
    {
      title: "name the group for the method",
      request: "POST identity/group-alias",
      body: { name: "admins", mount_accessor: "{accessor}", canonical_id: "{group}" },
      outcome: "ok",
    },
    { title: "the group before anyone is in it", request: "GET identity/group/id/{group}", outcome: "ok" },
    logIn("log in with groups", { keep: { token: "/auth/client_token", entity: "/auth/entity_id" } }),
    // @covers beyond: Answer of a login > policies
    { title: "look the token up", request: "GET auth/token/lookup-self", as: "token", outcome: "ok" },
    // @covers jwt: What the service does > group aliases
    { title: "the group and its member", request: "GET identity/group/name/the-admins", outcome: "ok" },
    // @covers jwt: What the service does > entity alias
    { title: "the entity of the login", request: "GET identity/entity/id/{entity}", outcome: "ok" },
    { title: "read what the group may", request: "GET sys/policies/acl/admins", as: "token", outcome: "ok" },
    {
      title: "what may it do",
      request: "POST sys/capabilities-self",
      as: "token",
      body: { paths: ["sys/policies/acl/admins"] },
      outcome: "ok",
    },
    { title: "renew the token", request: "POST auth/token/renew-self", as: "token", body: {}, outcome: "ok" },
    logIn("log in as the same user without groups", { role: "alone", jwt: "jwt" }),
    // @covers jwt: What the service does > group aliases
    { title: "the same user has left the group", request: "GET sys/policies/acl/admins", as: "token", outcome: denied },
    { title: "the group without a member again", request: "GET identity/group/id/{group}", outcome: "ok" },
    logIn("log in with one group as text", { jwt: "jwtGroupsText" }),
    { title: "read again what the group may", request: "GET sys/policies/acl/admins", as: "token", outcome: "ok" },
    {
      title: "give the entity a policy",
      request: "POST identity/entity/id/{entity}",
      body: { policies: ["person", "own"] },
      outcome: "ok",
    },
    logIn("log in as an entity with policies"),
    {
      title: "disable the entity",
      request: "POST identity/entity/id/{entity}",
      body: { disabled: true },
      outcome: "ok",
    },
    { ...logIn("log in as a disabled entity"), outcome: denied },
    { title: "use a token of a disabled entity", request: "GET auth/token/lookup-self", as: "token", outcome: denied },
    {
      title: "give the entity root",
      request: "POST identity/entity/id/{entity}",
      body: { policies: ["root"] },
      outcome: refused(/400 policies cannot contain root/),
    },
    {
      title: "make a group of root",
      request: "POST identity/group",
      body: { name: "roots", type: "external", policies: ["Root"] },
      // 1.19 looks for the name in lower case only.
      servers: ["vault-1.21"],
      outcome: refused(/400 policies cannot contain root/),
    },
    { title: "an unknown entity", request: "GET identity/entity/id/none", outcome: "absent" },
    { title: "an unknown group", request: "GET identity/group/name/none", outcome: "absent" },
    {
      title: "name a group that is not there",
      request: "POST identity/group-alias",
      body: { name: "x", mount_accessor: "{accessor}", canonical_id: "none" },
      outcome: refused(/400/),
    },
    {
      title: "name a group for a method that is not there",
      request: "POST identity/group-alias",
      body: { name: "x", mount_accessor: "none", canonical_id: "{group}" },
      outcome: refused(/400/),
    },
  ],
});
