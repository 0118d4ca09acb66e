import { type Call, defineScenario, type Outcome, refused, type Step, step } from "../../scenario.mts";

const usual = { role_type: "jwt", user_claim: "sub", bound_audiences: ["trustplane"] };
const policy =
  'path "secret-place/*" { capabilities = ["read"] }\npath "sys/policies/acl/work" { capabilities = ["read"] }';
const parentPolicy = 'path "auth/token/create" { capabilities = ["update"] }';

/** Roles by the name of the token that they issue. */
const fields: Readonly<Record<string, object>> = {
  plain: { token_policies: ["work", "Other", "other", ""] },
  short: { token_ttl: "10m", token_max_ttl: "30m" },
  lasting: { token_ttl: "10m", token_max_ttl: "2000h" },
  long: { token_ttl: "900h" },
  capped: { token_ttl: "20m", token_explicit_max_ttl: "10m" },
  periodic: { token_period: "1h", token_ttl: "10m" },
  periodicCapped: { token_period: "1h", token_explicit_max_ttl: "30m" },
  periodicMax: { token_period: "1h", token_max_ttl: "30m" },
  counted: { token_num_uses: 2 },
  batch: { token_type: "batch", token_ttl: "1h" },
  service: { token_type: "service" },
  bare: { token_policies: ["work"], token_no_default_policy: true },
  naked: { token_no_default_policy: true },
  bound: { token_bound_cidrs: ["127.0.0.0/8", "10.0.0.1"] },
  parent: { token_policies: ["parent"], token_bound_cidrs: ["127.0.0.1"], token_ttl: "1h" },
  mapped: { claim_mappings: { iss: "issuer" }, user_claim: "sub" },
  doomed: { token_ttl: "1h" },
};

const roles: readonly Call[] = Object.entries(fields).map(([name, body]) => ({
  request: `POST auth/ci/jobs/role/${name}`,
  body: { ...usual, ...body },
}));

const keep: Readonly<Record<string, { readonly keep?: Record<string, string> }>> = Object.fromEntries(
  Object.keys(fields).map((name) => [name, { keep: { [name]: "/auth/client_token" } }]),
);

function logIn(role: string, title = `log in as ${role}`): Step {
  const body = { role, jwt: "{jwt}" };
  return { title, request: "POST auth/ci/jobs/login", as: "nobody", body, ...keep[role], outcome: "ok" };
}

function lookUp(as: string, outcome: Outcome = "ok", title = `look ${as} up`): Step {
  return { title, request: "GET auth/token/lookup-self", as, outcome };
}

function renew(as: string, { outcome = "ok", title = `renew ${as}` }: Partial<Step> = {}): Step {
  return { title, request: "POST auth/token/renew-self", as, body: {}, outcome };
}

function change(role: string, body: object): Step {
  const title = `change ${role} to ${JSON.stringify(body)}`;
  return { title, request: `POST auth/ci/jobs/role/${role}`, body: { role_type: "jwt", ...body }, outcome: "ok" };
}

const gone = refused(/403/);

/** The tokens that logins issue, on a mount whose path has a slash. */
export const jwtToken = defineScenario({
  topic: "jwt-token",
  before: [
    { request: "POST sys/auth/ci/jobs", body: { type: "jwt" } },
    { request: "POST auth/ci/jobs/config", body: { jwt_validation_pubkeys: ["{publicKey}"] } },
    { request: "POST sys/policies/acl/work", body: { policy } },
    { request: "POST sys/policies/acl/parent", body: { policy: parentPolicy } },
    ...roles,
  ],
  steps: [
    ...Object.keys(fields).map((name) => logIn(name)),
    ...["plain", "short", "long", "periodic", "batch", "bound", "mapped"].map((name) => lookUp(name)),
    lookUp("bare", gone, "look bare up by itself, without the default policy"),
    ...["bare", "naked"].map(
      (name): Step => ({
        title: `look ${name} up`,
        request: "POST auth/token/lookup",
        body: { token: `{${name}}` },
        outcome: "ok",
      }),
    ),
    lookUp("counted", "ok", "use counted once"),
    lookUp("counted", "ok", "use counted twice"),
    lookUp("counted", gone, "use counted too often"),
    step("read what the policy allows", "GET sys/policies/acl/work", "ok", { as: "plain" }),
    // @covers jwt: Token fields of a role > token_policies
    step("read what it does not allow", "GET sys/policies/acl/parent", gone, { as: "plain" }),
    step("what may it do", "POST sys/capabilities-self", "ok", {
      as: "plain",
      body: { paths: ["secret-place/a", "sys/policies/acl/work", "sys/mounts"] },
    }),
    lookUp("naked", gone, "look naked up by itself"),
    // None that reaches a maximum: how much is left of it depends on when the second changes.
    renew("short"),
    lookUp("short", "ok", "look short up after the renewal"),
    renew("periodic"),
    // @covers jwt: Token fields of a role > token_period
    { ...renew("periodic"), title: "renew periodic for two hours", body: { increment: "2h" } },
    renew("periodicMax"),
    renew("batch", { outcome: refused(/400 batch tokens cannot be renewed/) }),
    change("short", { token_ttl: "5m", token_max_ttl: "20m", token_explicit_max_ttl: "1m" }),
    renew("short", { title: "renew short by the changed role" }),
    change("short", { token_period: "15m" }),
    renew("short", { title: "renew short by the role that is periodic now" }),
    lookUp("short", "ok", "look short up after the role became periodic"),
    change("periodic", { token_period: "30m" }),
    renew("periodic", { title: "renew periodic by the changed role" }),
    lookUp("periodic", "ok", "look periodic up after the change"),
    step("delete a role", "DELETE auth/ci/jobs/role/doomed", "ok"),
    renew("doomed", { outcome: refused(/500 .*role doomed does not exist during renewal/) }),
    lookUp("doomed", "ok", "doomed is still good"),
    step("create a child", "POST auth/token/create", "ok", {
      as: "parent",
      body: { policies: ["default"] },
      keep: { child: "/auth/client_token" },
    }),
    lookUp("child"),
    step("create a child of batch", "POST auth/token/create", gone, { as: "batch" }),
    step("revoke parent", "POST auth/token/revoke-self", "ok", { as: "parent" }),
    lookUp("child", gone, "the child is gone too"),
    step("revoke batch", "POST auth/token/revoke-self", refused(/400/), { as: "batch" }),
    change("plain", { token_policies: ["root"] }),
    { ...logIn("plain", "a role that gives root"), keep: {}, outcome: refused(/400 auth methods cannot create root/) },
    change("plain", { token_policies: ["response-wrapping"] }),
    {
      ...logIn("plain", "a role that gives an internal policy"),
      keep: {},
      outcome: refused(/400 cannot assign policy/),
    },
    change("plain", { token_policies: ["work"] }),
    step("shorten what the mount allows", "POST sys/auth/ci/jobs/tune", "ok", {
      body: { default_lease_ttl: "5m", max_lease_ttl: "15m" },
    }),
    { ...logIn("plain", "log in under the mount's default"), keep: {} },
    { ...logIn("lasting", "log in beyond the mount's maximum"), keep: {} },
    { ...logIn("long", "log in far beyond the mount's maximum"), keep: {} },
    { ...logIn("periodic", "log in with a period beyond the mount's maximum"), keep: {} },
    ...["batch", "service", "default-batch", "default-service"].flatMap((type): Step[] => [
      step(`the mount says ${type}`, "POST sys/auth/ci/jobs/tune", "ok", { body: { token_type: type } }),
      { ...logIn("plain", `${type}: log in`), keep: {} },
      { ...logIn("batch", `${type}: log in as batch`), keep: {} },
      { ...logIn("service", `${type}: log in as service`), keep: {} },
    ]),
    step("disable the method", "DELETE sys/auth/ci/jobs", "ok"),
    lookUp("bound", gone, "its tokens are gone too"),
  ],
});
