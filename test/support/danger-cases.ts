import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { create, one, stack, type TrustCase } from "./trust-cases.ts";

const fitting = "project_path: acme/platform, ref: main, sub: ci";
export const login = (where: string, expect: string, claims = fitting) =>
  `tests:\n  - name: it\n    login: { ${where}, claims: { ${claims} } }\n    expect: ${expect}\n`;
export const never = (where: string, more = "") => `tests:\n  - name: it\n    never: { ${where}${more} }\n`;
export const fails = (title: string, tests: string, says: string | RegExp, steps = stack()): TrustCase => ({
  title,
  steps,
  tests,
  code: 2,
  says: [says],
});
export const passes = (title: string, tests: string, steps = stack()): TrustCase => ({ title, steps, tests, code: 0 });

/** What a test names, and the stack does not have. */
const missing: readonly TrustCase[] = [
  fails(
    "a role that the stack does not have",
    login("mount: jobs, role: deploi", "refused"),
    "the stack has no role deploi at auth/jobs",
  ),
  fails(
    "a mount that the stack does not have",
    login("mount: job, role: deploy", "refused"),
    "the stack has no role deploy at auth/job",
  ),
  fails(
    "no role, where the auth method has no default role",
    login("mount: jobs", "refused"),
    "the login names no role, and auth/jobs has no default role",
  ),
  fails(
    "never: a mount that the stack does not have",
    never("mount: job, policy: deploy"),
    "the stack has no role at auth/job",
  ),
  fails(
    "never: a policy that the stack does not have",
    never("mount: jobs, policy: deploi"),
    "the stack has no policy deploi",
  ),
];

const spellings: readonly TrustCase[] = [
  passes("a role in other letter case", login("mount: jobs, role: Deploy", "{ policies: [Deploy] }")),
  ...["jobs/", "/jobs", "auth/jobs", "auth/jobs/"].map((mount) =>
    passes(`the mount ${mount}`, login(`mount: ${mount}, role: deploy`, "{ policies: [deploy] }")),
  ),
  fails(
    "never: a policy in other letter case, at a mount with slashes",
    never("mount: auth/jobs/, policy: Deploy, unless: { project_path: acme/* }"),
    "role deploy gives policy deploy to a token",
    stack({ boundClaims: { project_path: "acme*" } }),
  ),
  passes(
    "records in other letter case",
    login("mount: jobs, role: deploy", '{ policies: [deploy], may: { "secret/data/deploy/x": [read] } }'),
    stack({ name: "Deploy", mount: "jobs/", tokenPolicies: ["DEPLOY"] }).map((step) =>
      step.token === "sys:Policy" ? { ...step, after: { ...step.after, name: "Deploy" } } : step,
    ),
  ),
];

const discovered = stack().map((step) =>
  step.token === "jwt:Config"
    ? { ...step, after: { mount: "jobs", oidcDiscoveryUrl: "https://git.example.com" } }
    : step,
);
const stranger = `${fitting}, iss: "https://git.example.com/of/a/stranger"`;

const issuers: readonly TrustCase[] = [
  fails(
    "an issuer that only the discovery URL names binds no token",
    one("refused", stranger),
    "the login is not refused",
    discovered,
  ),
  fails("the bound issuer binds every token", one("{ policies: [deploy] }", stranger), "invalid issuer"),
];

const grouped = (changed: Values = {}) => [
  ...stack({ groupsClaim: "groups", boundClaims: undefined, ...changed }),
  create("identity:Group", "admins", {
    name: "admins",
    type: "external",
    policies: ["admin"],
    alias: { mount: "jobs", name: "admins" },
  }),
];

const ambiguous: readonly TrustCase[] = [
  fails(
    "a groups claim that may be one list, or one login for each value",
    login("mount: jobs, role: deploy", "{ policies: [deploy] }", "sub: ci, groups: [x, y]"),
    /groups.*\[\[/,
    grouped(),
  ),
  fails(
    "an audience that may be one list, or one login for each value",
    login("mount: jobs, role: deploy", "refused", `${fitting}, aud: [x, y]`),
    /aud.*\[\[/,
  ),
];

const lists: readonly TrustCase[] = [
  fails(
    "a claim whose value is a list",
    login("mount: jobs, role: deploy", "{ policies: [deploy] }", "sub: ci, groups: [[admins, x]]"),
    "the token also has policy admin",
    grouped(),
  ),
  passes(
    "a claim whose value is an empty list",
    login("mount: jobs, role: deploy", "{ policies: [deploy] }", "sub: ci, groups: [[]]"),
    grouped(),
  ),
];

const nevers: readonly TrustCase[] = [
  {
    title: "never: with a note that policies of entities were not looked at",
    steps: stack(),
    tests: never("mount: jobs, policy: deploy, unless: { project_path: acme/* }"),
    code: 0,
    says: ["note    not looked at: policies of entities"],
  },
  fails(
    "never: a policy of a group that a claim names",
    never("mount: jobs, policy: admin"),
    /role deploy gives policy admin to a token with the claims \{.*"groups":\["admins"\]/,
    grouped(),
  ),
  fails(
    "never: without claims that excuse a token",
    never("mount: jobs, policy: deploy"),
    "role deploy gives policy deploy to a token",
  ),
  fails(
    "never: tokens from a bound address",
    never("mount: jobs, policy: deploy, unless: { sub: ci }"),
    "role deploy gives policy deploy",
    stack({ tokenBoundCidrs: ["127.2.0.0/16"] }),
  ),
  fails(
    "never: a role with many bound claims",
    never("mount: jobs, policy: deploy, unless: { f: z }"),
    "role deploy gives policy deploy",
    stack({ boundSubject: "ci", boundClaims: { a: "1a", b: "2b", c: "3c", d: "4d", e: "5e", f: ["6f", "z"] } }),
  ),
  fails(
    "never: a role with which nothing logs in",
    never("mount: jobs, policy: deploy"),
    /nothing that was built logs in with role deploy at auth\/jobs: .*; so it cannot be told/,
    stack({ boundSubject: "ci", boundClaims: { sub: "cd" } }),
  ),
];

const policy = (text: string, token = "deploy") =>
  stack().map((step) => (step.token === "sys:Policy" ? { ...step, after: { name: token, policy: text } } : step));
export const read = (path: string, words = '"read"') => `path "${path}" { capabilities = [${words}] }\n`;
const may = (path: string) => one(`{ may: { "${path}": [read] } }`);
export const mayNot = (path: string) => one(`{ mayNot: { "${path}": [read] } }`);

const paths: readonly TrustCase[] = [
  fails(
    "what no rule names is not allowed by a rule that happens to begin with a letter",
    may("secret/*"),
    "the token may not read secret/*",
    policy(read("secret/a*")),
  ),
  fails(
    "a path deeper than the rules that deny",
    mayNot("secret/*"),
    "the token may read secret/*",
    policy(read("secret/*") + read("secret/+", '"deny"') + read("secret/+/+", '"deny"')),
  ),
  passes("secret/z is not secret/z/", mayNot("secret/z"), policy(read("secret/z/*"))),
  fails(
    "secret/z/ is below secret/z/*",
    mayNot("secret/z/*"),
    "the token may read secret/z/",
    policy(read("secret/z/")),
  ),
];

const internal = (changed: Values = {}) => [
  ...stack(),
  create("sys:Policy", "admin", { name: "admin", policy: read("sys/*") }),
  create("identity:Group", "admins", { name: "Admins", policies: ["admin"], memberEntityIds: ["e-1"], ...changed }),
];
const unclear = "who is in the group Admins only the server knows";
const outside = "mount: jobs, role: deploy, notIn: [admins]";

/** Groups whose members are no logins of the stack. */
const members: readonly TrustCase[] = [
  fails("a list of policies, to which a group may add others", one("{ policies: [deploy] }"), unclear, internal()),
  fails("a path that a group may allow", one('{ mayNot: { "sys/policies/*": [read] } }'), unclear, internal()),
  fails(
    "a path that a group of groups may allow",
    one('{ mayNot: { "sys/policies/*": [read] } }'),
    unclear,
    internal({ memberEntityIds: undefined, memberGroupIds: ["g-1"] }),
  ),
  fails(
    "a path that a group whose policies are hidden may allow",
    one('{ mayNot: { "sys/policies/*": [read] } }'),
    unclear,
    internal({ policies: UNKNOWN }),
  ),
  fails(
    "a path that a group may deny",
    may("secret/data/deploy/x"),
    unclear,
    internal().map((step) =>
      step.name === "admin"
        ? { ...step, after: { name: "admin", policy: read("secret/data/deploy/x", '"deny"') } }
        : step,
    ),
  ),
  fails("never: a policy of a group", never("mount: jobs, policy: admin"), unclear, internal()),
  passes(
    "never: a policy of a group in which the user is not",
    never("mount: jobs, policy: admin, notIn: [Admins]"),
    internal(),
  ),
  passes(
    "a group in which the user is not",
    login(outside, '{ policies: [deploy], mayNot: { "sys/policies/*": [read] } }'),
    internal(),
  ),
  fails("a path that a group may give", may("sys/policies/acl/x"), "it cannot be told whether", internal()),
  passes("a path that no group allows", mayNot("aws/*"), internal()),
  passes("a login that is refused whatever its groups", one("refused", "sub: ci"), internal()),
  passes("a group without members", one("{ policies: [deploy] }"), internal({ memberEntityIds: [] })),
  fails(
    "never: a group to be outside of that the stack does not have",
    never("mount: jobs, policy: admin, notIn: [admin]"),
    "the stack has no internal group admin",
    internal(),
  ),
];

const TOLD = "it cannot be told";
const templated = policy(
  read("secret/{{identity.entity.name}}/*") + read("kv/*") + read("kv/{{identity.entity.id}}", '"deny"'),
);
const ownDefault = [...stack(), create("sys:Policy", "default", { name: "default", policy: read("kv/*") })];

/** What the server fills in, and the policy that every token has. */
const filled: readonly TrustCase[] = [
  fails("a path that a template may allow", mayNot("secret/alice/*"), TOLD, templated),
  fails("a path that a template should allow", may("secret/alice/x"), TOLD, templated),
  fails("a path that a template may deny", may("kv/x"), TOLD, templated),
  fails("a path that a template may deny, of a wider rule", mayNot("kv/x"), TOLD, templated),
  passes("a path beside templates", mayNot("sys/policies/*"), templated),
  passes("what a template does not allow", one('{ mayNot: { "secret/alice/*": [update] } }'), templated),
  fails("the token's own entity, by the default policy", mayNot("identity/entity/id/*"), TOLD),
  fails("what the default policy allows below a pattern", mayNot("auth/token/*"), "the token may read auth/token/*"),
];
const defaults: readonly TrustCase[] = [
  fails("the stack's own default policy", mayNot("kv/*"), "the token may read kv/*", ownDefault),
  fails(
    "a default policy whose text is hidden",
    mayNot("kv/*"),
    "nobody knows what policy default allows",
    ownDefault.map((step) =>
      step.name === "default" ? { ...step, after: { name: "default", policy: UNKNOWN } } : step,
    ),
  ),
];

/** Tests that fail before anything is asked, or that a real server cannot play. */
export const unplayedCases: readonly TrustCase[] = [...missing, ...ambiguous, ...members, ...defaults];

/** What a test must not pass over. They are played on the embedded server, and on real ones. */
export const dangerCases: readonly TrustCase[] = [...spellings, ...issuers, ...lists, ...nevers, ...paths, ...filled];
