import { defineScenario, refused, type Step, step } from "../../scenario.mts";

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
    step("make a group", "POST identity/group", "ok", {
      body: { name: "the-admins", type: "external", policies: ["Admins"] },
      keep: { group: "/data/id" },
    }),
    step("the group before it has an alias", "GET identity/group/id/{group}", "ok"),
    step("name the group for the method", "POST identity/group-alias", "ok", {
      body: { name: "admins", mount_accessor: "{accessor}", canonical_id: "{group}" },
    }),
    step("the group before anyone is in it", "GET identity/group/id/{group}", "ok"),
    logIn("log in with groups", { keep: { token: "/auth/client_token", entity: "/auth/entity_id" } }),
    // @covers beyond: Answer of a login > policies
    step("look the token up", "GET auth/token/lookup-self", "ok", { as: "token" }),
    // @covers jwt: What the service does > group aliases
    step("the group and its member", "GET identity/group/name/the-admins", "ok"),
    // @covers jwt: What the service does > entity alias
    step("the entity of the login", "GET identity/entity/id/{entity}", "ok"),
    step("read what the group may", "GET sys/policies/acl/admins", "ok", { as: "token" }),
    step("what may it do", "POST sys/capabilities-self", "ok", {
      as: "token",
      body: { paths: ["sys/policies/acl/admins"] },
    }),
    step("renew the token", "POST auth/token/renew-self", "ok", { as: "token", body: {} }),
    logIn("log in as the same user without groups", { role: "alone", jwt: "jwt" }),
    // @covers jwt: What the service does > group aliases
    step("the same user has left the group", "GET sys/policies/acl/admins", denied, { as: "token" }),
    step("the group without a member again", "GET identity/group/id/{group}", "ok"),
    logIn("log in with one group as text", { jwt: "jwtGroupsText" }),
    step("read again what the group may", "GET sys/policies/acl/admins", "ok", { as: "token" }),
    step("give the entity a policy", "POST identity/entity/id/{entity}", "ok", {
      body: { policies: ["person", "own"] },
    }),
    logIn("log in as an entity with policies"),
    step("disable the entity", "POST identity/entity/id/{entity}", "ok", { body: { disabled: true } }),
    { ...logIn("log in as a disabled entity"), outcome: denied },
    step("use a token of a disabled entity", "GET auth/token/lookup-self", denied, { as: "token" }),
    step("give the entity root", "POST identity/entity/id/{entity}", refused(/400 policies cannot contain root/), {
      body: { policies: ["root"] },
    }),
    {
      title: "make a group of root",
      request: "POST identity/group",
      body: { name: "roots", type: "external", policies: ["Root"] },
      // 1.19 looks for the name in lower case only.
      servers: ["vault-1.21"],
      outcome: refused(/400 policies cannot contain root/),
    },
    step("an unknown entity", "GET identity/entity/id/none", "absent"),
    step("an unknown group", "GET identity/group/name/none", "absent"),
    step("name a group that is not there", "POST identity/group-alias", refused(/400/), {
      body: { name: "x", mount_accessor: "{accessor}", canonical_id: "none" },
    }),
    step("name a group for a method that is not there", "POST identity/group-alias", refused(/400/), {
      body: { name: "x", mount_accessor: "none", canonical_id: "{group}" },
    }),
  ],
});
