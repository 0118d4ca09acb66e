import { defineScenario, refused, type Step, step } from "../../scenario.mts";

const denied = refused(/403 permission denied/);
const secret = "sys/policies/acl";

function logIn(title: string, keep: Step["keep"] = {}): Step {
  const body = { role: "grouped", jwt: "{jwtRich}" };
  return { title, request: "POST auth/jwt/login", as: "nobody", body, keep, outcome: "ok" };
}

const alias = { id: "{alias}", name: "ADMINS", mount_accessor: "{accessor}", canonical_id: "{group}" };

/** The token may read the policy of a group. */
function reads(title: string, name: string, outcome: Step["outcome"] = "ok"): Step {
  return { title, request: `GET ${secret}/${name}`, as: "token", outcome };
}

const policyOf = (name: string) => ({
  request: `POST ${secret}/${name}`,
  body: { policy: `path "${secret}/${name}" { capabilities = ["read"] }` },
});

/** Who is in a group, and since when: what logins, aliases and other groups have to do with it. */
export const identityGroupLogin = defineScenario({
  topic: "identity-group-login",
  servers: ["vault-1.21", "vault-1.19"],
  before: [
    { request: "POST sys/auth/jwt", body: { type: "jwt" } },
    { request: "GET sys/auth/jwt", keep: { accessor: "/data/accessor" } },
    { request: "POST sys/auth/other", body: { type: "jwt" } },
    { request: "GET sys/auth/other", keep: { other: "/data/accessor" } },
    { request: "POST auth/jwt/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    {
      request: "POST auth/jwt/role/grouped",
      body: { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"], groups_claim: "groups" },
    },
    policyOf("outer"),
    policyOf("inner"),
    policyOf("named"),
    {
      request: "POST identity/group/name/inner",
      body: { type: "external", policies: ["inner"] },
      keep: { group: "/data/id" },
    },
    {
      request: "POST identity/group-alias",
      body: { name: "ADMINS", mount_accessor: "{accessor}", canonical_id: "{group}" },
      keep: { alias: "/data/id" },
    },
    {
      request: "POST identity/group/name/outer",
      body: { policies: ["outer"], member_group_ids: ["{group}"] },
      keep: { outer: "/data/id" },
    },
  ],
  steps: [
    logIn("log in with a group whose alias is in another letter case", {
      token: "/auth/client_token",
      entity: "/auth/entity_id",
    }),
    reads("what its group may read", "inner"),
    reads("what the group of its group may read", "outer"),
    step("look the token up", "GET auth/token/lookup-self", "ok", { as: "token" }),
    step("the entity in both groups", "GET identity/entity/id/{entity}", "ok"),
    step("name the entity in a group", "POST identity/group/name/named", "ok", {
      body: { policies: ["named"], member_entity_ids: ["{entity}", "{entity}"] },
    }),
    step("the group with it", "GET identity/group/name/named", "ok"),
    reads("what this group may read, with the same token", "named"),
    step("move the alias to another mount", "POST identity/group-alias", "ok", {
      body: { ...alias, mount_accessor: "{other}" },
    }),
    logIn("log in where the alias was"),
    step("who came through the other mount stays", "GET identity/group/name/inner", "ok"),
    step("move it back", "POST identity/group-alias", "ok", { body: alias }),
    step("delete the alias", "DELETE identity/group-alias/id/{alias}", "ok"),
    step("the members stay", "GET identity/group/name/inner", "ok"),
    reads("and may read", "inner"),
    logIn("log in once more"),
    step("the login has emptied the group", "GET identity/group/name/inner", "ok"),
    reads("nothing to read any more", "inner", denied),
    reads("nor by the group of the group", "outer", denied),
    reads("but by the group that names it", "named"),
    step("delete that group", "DELETE identity/group/name/named", "ok"),
    reads("at once nothing", "named", denied),
  ],
});
