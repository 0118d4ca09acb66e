import { expect, it } from "vitest";
import { trustChanges } from "../../cli/facts/trust/trust-changes.ts";
import type { TrustRecord } from "../../cli/facts/trust/trust-record.ts";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";

const {
  cloudLeaseConfig,
  cloudRole,
  cloudRootConfig,
  cloudStaticRole,
  clusterExportedServices,
  clusterIntention,
  jwtConfig,
  jwtRole,
} = definitions;

const cloud: Values = {
  mount: "cloud",
  name: "app",
  credentialType: "iam_user",
  policyArns: ["arn:aws:iam::1:policy/a"],
};
const user: Values = { mount: "cloud", name: "robot", username: "robot" };
const web = (...peers: readonly string[]): Values => ({
  services: [{ name: "*", consumers: peers.map((peer) => ({ peer })) }],
});
const to = (sources: readonly Values[], more: Values = {}): Values => ({ destination: "db", sources, ...more });
const allow = { name: "web", action: "allow" };
const deny = { name: "web", action: "deny" };
const some = { name: "web", permissions: [{ action: "allow", http: { pathExact: "/x" } }] };
const method: Values = {
  mount: "jobs",
  jwksUrl: "https://git.example.com/keys",
  boundIssuer: "https://git.example.com",
};
const role: Values = { mount: "jobs", name: "deploy", roleType: "jwt", boundSubject: "ci", tokenPolicies: ["deploy"] };

const reads = "Whoever may read `cloud/creds/app` or `cloud/sts/app`";
const at = "at `auth/jobs`, whose roles give `deploy`";

it.each<readonly [string, Definition, Values | undefined, Values | undefined, string]>([
  [
    "a cloud role is new",
    cloudRole,
    undefined,
    cloud,
    `gains: ${reads} now gets credentials with the cloud policy \`arn:aws:iam::1:policy/a\`: the cloud role is new.`,
  ],
  [
    "a cloud role is gone",
    cloudRole,
    cloud,
    undefined,
    `loses: ${reads} gets no credentials any more: the cloud role is gone.`,
  ],
  [
    "a cloud role hands out less",
    cloudRole,
    { ...cloud, iamGroups: ["admins"] },
    cloud,
    `loses: ${reads} no longer gets credentials with the cloud group \`admins\`.`,
  ],
  [
    "a document of the cloud changes",
    cloudRole,
    { ...cloud, policyDocument: '{"a":1}' },
    { ...cloud, policyDocument: '{"a":2}' },
    `unclear: ${reads} now gets credentials with another policy document.`,
  ],
  [
    "a boundary is gone",
    cloudRole,
    { ...cloud, permissionsBoundaryArn: "arn:aws:iam::1:policy/b" },
    cloud,
    `gains: ${reads} now gets credentials with no permissions boundary.`,
  ],
  [
    "credentials live longer",
    cloudRole,
    { ...cloud, maxStsTtl: "1h" },
    { ...cloud, maxStsTtl: 7200 },
    `gains: ${reads} now gets credentials that live at most 2h; before, 1h.`,
  ],
  [
    "a cloud role is not known yet",
    cloudRole,
    cloud,
    { ...cloud, policyArns: UNKNOWN },
    "unclear: What whoever may read `cloud/creds/app` or `cloud/sts/app` gets cannot be told: it is secret, or not known yet.",
  ],
  [
    "a static role is new",
    cloudStaticRole,
    undefined,
    user,
    "gains: Whoever may read `cloud/static-creds/robot` now gets the keys of the cloud user `robot`: the static role is new.",
  ],
  [
    "every service is exported",
    clusterExportedServices,
    web(),
    web("east"),
    "gains: The peer `east` may now use every service; before, not.",
  ],
  [
    "nothing is exported any more",
    clusterExportedServices,
    web("east"),
    undefined,
    "loses: The peer `east` may no longer use every service.",
  ],
  [
    "an intention denies",
    clusterIntention,
    to([allow]),
    to([deny]),
    "loses: The service `web` may no longer connect to `db`.",
  ],
  [
    "a denial is gone",
    clusterIntention,
    to([deny]),
    undefined,
    "unclear: Whether the service `web` may connect to `db` is now decided by the cluster's default, or by an intention of `*`; before, it was denied.",
  ],
  [
    "some requests become all",
    clusterIntention,
    to([some]),
    to([allow]),
    "gains: The service `web` may now connect to `db` with any request; before, only some of them.",
  ],
  [
    "a demand of a JWT is gone",
    clusterIntention,
    to([allow], { jwt: { providers: [{ name: "okta" }] } }),
    to([allow]),
    "opens: Requests without a token may now go to `db`, from whom its intentions allow; before, each needed a JWT.",
  ],
  [
    "an issuer is bound",
    jwtConfig,
    { ...method, boundIssuer: "" },
    method,
    `loses: Only tokens of \`https://git.example.com\` still get in ${at}; before, of any issuer, if signed with the keys of \`https://git.example.com/keys\`.`,
  ],
  [
    "an algorithm is gone",
    jwtConfig,
    { ...method, jwtSupportedAlgs: ["ES256", "RS256"] },
    { ...method, jwtSupportedAlgs: ["RS256"] },
    `loses: Tokens signed by the algorithm \`ES256\` no longer get in ${at}.`,
  ],
  [
    "an issuer is not known yet",
    jwtConfig,
    method,
    { ...method, boundIssuer: UNKNOWN },
    `unclear: Whose tokens get in ${at}, cannot be told: the issuer or its keys are secret, or not known yet.`,
  ],
  [
    "a server has lost its configuration",
    jwtConfig,
    method,
    undefined,
    "loses: Nobody gets in any more at `auth/jobs`: its configuration is gone.",
  ],
  [
    "a default role is gone",
    jwtConfig,
    { ...method, defaultRole: "Deploy" },
    method,
    "loses: Logins at `auth/jobs` that name no role are now refused; before, they got the role `deploy`.",
  ],
  [
    "a server has lost how long credentials live",
    cloudLeaseConfig,
    { mount: "cloud", lease: "1h", leaseMax: "2h" },
    undefined,
    "unclear: Credentials of cloud users of `cloud` now live as long as the mount says: what said it is gone.",
  ],
  [
    "a root key is not known yet, at another endpoint",
    cloudRootConfig,
    { mount: "cloud", accessKey: "AKIA1" },
    { mount: "cloud", accessKey: UNKNOWN, stsEndpoint: "https://sts.example.com" },
    "unclear: From which account and with which rights credentials of `cloud` come cannot be told: the engine now has another endpoint and a root key that is secret, or not known yet.",
  ],
  [
    "other certificates are trusted",
    jwtConfig,
    method,
    { ...method, jwksCaPem: "pem" },
    `gains: Whoever has another certificate can now answer for the keys of the tokens that get in ${at}: other CA certificates are trusted.`,
  ],
])("where %s, it is told", (_, definition, was, is, sentence) => {
  const record = (values: Values | undefined): readonly TrustRecord[] =>
    values === undefined ? [] : [{ definition, values, urn: "urn" }];
  const beside: readonly TrustRecord[] = [{ definition: jwtRole, values: role, urn: "role" }];
  const changes = trustChanges({ before: record(was), after: record(is), beside });
  expect(changes.map(({ effect, sentence: text }) => `${effect}: ${text}`)).toEqual([sentence]);
});

it("where a mount is taken over, how long its tokens live is told, also by the server's own time", () => {
  const values = { path: "jobs", type: "jwt", defaultLeaseTtl: "1h" };
  const record = { definition: definitions.sysAuthMount, values, urn: "urn" };
  const told = (after: TrustRecord) =>
    trustChanges({ before: [], after: [after], beside: [] }).map((each) => each.sentence);
  expect(told(record)).toEqual([]);
  expect(told({ ...record, outcome: "takenOver" })).toEqual([
    "Tokens of `auth/jobs` now live at most as long as the server says; before, this stack did not say how long.",
    "Tokens of `auth/jobs` now live, where nothing else is said, 1h; before, this stack did not say how long.",
  ]);
});
