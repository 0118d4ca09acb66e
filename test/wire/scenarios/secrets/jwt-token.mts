import { type Call, defineScenario, type Outcome, refused, type Step } from "../../scenario.mts";

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
  service: "secrets",
  servers: ["vault-1.21", "vault-1.19", "openbao"],
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
    { title: "read what the policy allows", request: "GET sys/policies/acl/work", as: "plain", outcome: "ok" },
    // @covers jwt: Token fields of a role > token_policies
    { title: "read what it does not allow", request: "GET sys/policies/acl/parent", as: "plain", outcome: gone },
    {
      title: "what may it do",
      request: "POST sys/capabilities-self",
      as: "plain",
      body: { paths: ["secret-place/a", "sys/policies/acl/work", "sys/mounts"] },
      outcome: "ok",
    },
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
    { title: "delete a role", request: "DELETE auth/ci/jobs/role/doomed", outcome: "ok" },
    renew("doomed", { outcome: refused(/500 .*role doomed does not exist during renewal/) }),
    lookUp("doomed", "ok", "doomed is still good"),
    {
      title: "create a child",
      request: "POST auth/token/create",
      as: "parent",
      body: { policies: ["default"] },
      keep: { child: "/auth/client_token" },
      outcome: "ok",
    },
    lookUp("child"),
    { title: "create a child of batch", request: "POST auth/token/create", as: "batch", outcome: gone },
    { title: "revoke parent", request: "POST auth/token/revoke-self", as: "parent", outcome: "ok" },
    lookUp("child", gone, "the child is gone too"),
    { title: "revoke batch", request: "POST auth/token/revoke-self", as: "batch", outcome: refused(/400/) },
    change("plain", { token_policies: ["root"] }),
    { ...logIn("plain", "a role that gives root"), keep: {}, outcome: refused(/400 auth methods cannot create root/) },
    change("plain", { token_policies: ["response-wrapping"] }),
    {
      ...logIn("plain", "a role that gives an internal policy"),
      keep: {},
      outcome: refused(/400 cannot assign policy/),
    },
    change("plain", { token_policies: ["work"] }),
    {
      title: "shorten what the mount allows",
      request: "POST sys/auth/ci/jobs/tune",
      body: { default_lease_ttl: "5m", max_lease_ttl: "15m" },
      outcome: "ok",
    },
    { ...logIn("plain", "log in under the mount's default"), keep: {} },
    { ...logIn("lasting", "log in beyond the mount's maximum"), keep: {} },
    { ...logIn("long", "log in far beyond the mount's maximum"), keep: {} },
    { ...logIn("periodic", "log in with a period beyond the mount's maximum"), keep: {} },
    ...["batch", "service", "default-batch", "default-service"].flatMap((type): Step[] => [
      {
        title: `the mount says ${type}`,
        request: "POST sys/auth/ci/jobs/tune",
        body: { token_type: type },
        outcome: "ok",
      },
      { ...logIn("plain", `${type}: log in`), keep: {} },
      { ...logIn("batch", `${type}: log in as batch`), keep: {} },
      { ...logIn("service", `${type}: log in as service`), keep: {} },
    ]),
    { title: "disable the method", request: "DELETE sys/auth/ci/jobs", outcome: "ok" },
    lookUp("bound", gone, "its tokens are gone too"),
  ],
});
