import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { fails, login, mayNot, never, passes, read } from "./danger-cases.ts";
import { create, one, stack, type TrustCase } from "./trust-cases.ts";

const browser = (changed: Values = {}, method: Values = {}) => [
  create("jwt:Config", "people", {
    mount: "people",
    oidcDiscoveryUrl: "https://login.example.com",
    oidcClientId: "app",
    oidcClientSecret: "s",
    defaultRole: "person",
    ...method,
  }),
  create("jwt:Role", "person", {
    mount: "people",
    name: "person",
    userClaim: "email",
    allowedRedirectUris: ["http://localhost:8250/oidc/callback"],
    tokenPolicies: ["deploy"],
    ...changed,
  }),
];
const person = (claims = "", expect = "{ policies: [deploy] }") =>
  login("mount: people", expect, `email: a@example.com, ${claims}`);
const bound = browser({ boundAudiences: ["other"] });
const young = browser({ maxAge: "1h" });

const google = browser(
  { groupsClaim: "groups" },
  { providerConfig: { provider: "gsuite", gsuite_service_account: "{}", fetch_groups: true } },
);
/** What an ID token must be (OpenID Connect Core, 3.1.3.7): Vault looks at it for roles for browsers alone. */
export const idTokenCases: readonly TrustCase[] = [
  passes("an ID token for the client", person("aud: app"), browser()),
  fails("an ID token for another client", person("aud: other"), "which is not the client_id", browser()),
  fails("an ID token for a bound audience that is not the client", person("aud: other"), "not the client_id", bound),
  fails("an ID token for the client alone, with a bound audience", person("aud: app"), "invalid audience", bound),
  fails("an ID token of two audiences for nobody", person("aud: [[app, other]]"), "authorized party", bound),
  passes("an ID token of two audiences for the client", person("aud: [[app, other]], azp: app"), bound),
  passes("an ID token for another audience by the client", person("aud: other, azp: app"), browser()),
  passes("an ID token that fits what is bound", person(), bound),
  fails("an ID token of another issuer", person("iss: https://x.example"), "issued by a different provider", browser()),
  passes(
    "an ID token of the provider, whatever issuer tokens have",
    person("iss: https://login.example.com"),
    browser({}, { boundIssuer: "https://other.example.com" }),
  ),
  fails("an ID token without a login time", person("auth_time: null"), "missing auth_time claim", young),
  fails("an ID token of an old login", person("auth_time: 1"), "is beyond max age", young),
  passes("an ID token of a login just now", person(), young),
  passes("an ID token of an old login, where nothing is asked", person("auth_time: 1"), browser()),
  fails("an ID token without a subject", person("sub: null"), "sub: missing required claim", browser()),
  fails(
    "an audience, where the client is not known",
    person("aud: other", "refused"),
    "it cannot be told what aud must be",
    browser({}, { oidcClientId: UNKNOWN }),
  ),
  fails(
    "an issuer, where the provider is not known",
    person("iss: https://x.example", "refused"),
    "it cannot be told what iss must be",
    browser({}, { oidcDiscoveryUrl: UNKNOWN }),
  ),
  fails(
    "an issuer of a JWT, where the configuration is not in the stack",
    login("mount: jobs, role: deploy", "refused", "iss: https://x.example, ref: main"),
    "it cannot be told what iss must be: the configuration of auth/jobs",
    stack().filter(({ token }) => token !== "jwt:Config"),
  ),
  ...["refused", "{ policies: [deploy] }"].map((expected) => {
    const isIn = expected !== "refused";
    const note = "note    not looked at: issuers and keys of logins: the configuration of auth/jobs";
    return {
      title: `a JWT that is ${isIn ? "let in" : "refused"}, with${isIn ? "" : "out"} a note where the configuration is not in the stack`,
      steps: stack().filter(({ token }) => token !== "jwt:Config"),
      tests: isIn ? one(expected) : one(expected, "ref: dev"),
      code: 0 as const,
      ...(isIn ? { says: [note] } : { omits: [note] }),
    };
  }),
  fails(
    "never: an ID token that nobody is excused from",
    never("mount: people, policy: deploy"),
    "role person gives policy deploy",
    bound,
  ),
];

const team = (mount: string, policies = ["admin"]) =>
  create("identity:Group", `team-${mount}`, {
    name: "team",
    type: "external",
    policies,
    alias: { mount, name: "x" },
  });
const admin = create("sys:Policy", "admin", { name: "admin", policy: read("sys/*") });
const givesAdmin = "mount: people, policy: admin";
const elsewhere = [...google, ...stack(), team("jobs"), admin];
const grouped = [...google, team("people"), admin];
const UNTOLD_GROUP = "it cannot be told whether the token has other policies, too: who is in the group team";

/** Google is asked for the groups, whatever the token says: only those of the stack can give anything. */
export const askedGroupCases: readonly TrustCase[] = [
  passes("policies, where no group of the stack is at the mount", person(), elsewhere),
  passes("never: a policy that no group at the mount gives", never(givesAdmin), elsewhere),
  fails("policies, where the provider may name a group", person(), UNTOLD_GROUP, grouped),
  fails(
    "who gets in, where the role demands groups that the provider names",
    person("", "refused"),
    "it cannot be told who gets in: the role demands groups",
    browser({ groupsClaim: "groups", boundClaims: { groups: ["eng"] } }, google[0]?.after),
  ),
  fails("policies, where the token names the group", person("groups: [[x]]"), UNTOLD_GROUP, grouped),
  fails(
    "a policy that only the group gives",
    person("groups: [[x]]", "{ policies: [deploy, admin] }"),
    "it cannot be told whether the token has policy admin: who is in the group team",
    grouped,
  ),
  passes("somebody outside of the group", person().replace("claims:", "notIn: [team], claims:"), grouped),
  passes("a group that gives nothing more", person(), [...google, team("people", ["deploy"])]),
  fails(
    "never: a policy that a group at the mount gives",
    never(givesAdmin),
    "it cannot be told whether a login at auth/people gets policy admin: who is in the group team",
    grouped,
  ),
  passes("never: somebody outside of the group", never(givesAdmin, ", notIn: [team]"), grouped),
  fails("a policy that nothing gives", person("", "{ policies: [deploy, nope] }"), "lacks policy nope", grouped),
];

/** OpenBao fills in names of policies from claims; the other product takes them as they are. */
const named = [...stack({ tokenPolicies: ["{{.project_path}}"], tokenPoliciesTemplateClaims: true }), admin];
const prefixed = stack({ tokenPolicies: ["team-{{.project_path}}", "deploy"], tokenPoliciesTemplateClaims: true });
const either = stack({ tokenPolicies: ["{{if .x}}a{{else}}team-a{{end}}"], tokenPoliciesTemplateClaims: true });
const UNTOLD = "it cannot be told which";

/** Policies that a token has by what no test says. */
export const untoldCases: readonly TrustCase[] = [
  fails("policies whose names a claim fills in", one("{ policies: ['{{.project_path}}'] }"), UNTOLD, named),
  fails("paths, where a claim fills in the policy", mayNot("sys/policies/*"), UNTOLD, named),
  fails("never: a policy whose name a claim may fill in", never("mount: jobs, policy: admin"), UNTOLD, named),
  passes("never: a policy that no claim fills in", never("mount: jobs, policy: admin"), [...prefixed, admin]),
  fails("never: a policy that only a claim names", never("mount: jobs, policy: team-a"), UNTOLD, prefixed),
  fails("never: a name to fill in", never("mount: jobs, policy: 'team-{{.project_path}}'"), UNTOLD, prefixed),
  fails("a name that a condition chooses", one("{ policies: [team-a] }"), UNTOLD, either),
  fails("never: a name that a condition chooses", never("mount: jobs, policy: team-a"), UNTOLD, either),
  passes("a refusal, whatever a claim fills in", one("refused", "sub: ci"), named),
  fails("a policy that no claim fills in", one("{ policies: [nope] }"), "lacks policy nope", prefixed),
  fails(
    "one more policy beside one that a claim fills in",
    one("{ policies: [] }"),
    "also has policy deploy",
    prefixed,
  ),
  fails("a policy that a claim may fill in", one("{ policies: [deploy, team-a] }"), UNTOLD, prefixed),
  fails(
    "a lifetime, where a claim fills in the policy",
    one("{ ttl: < 1m, policies: [deploy] }"),
    "the token lives 15m",
    prefixed,
  ),
  fails("a path of another policy", mayNot("secret/data/deploy/*"), "the token may read secret", prefixed),
  fails(
    "never: a policy that another role gives, where a claim fills in that of the first",
    never("mount: jobs, policy: deploy"),
    "role deploy gives policy deploy",
    prefixed,
  ),
];
