import type { Values } from "../../provider/core/definition.ts";
import { UNKNOWN } from "../../provider/core/unknowns.ts";
import { bound, type LintCase } from "./lint-cases.ts";

const found = (rule: string, values: Values, ...properties: string[]): LintCase => [
  rule,
  "jwt:Role",
  { roleType: "jwt", ...values },
  properties,
];
const role = (mount: string, boundClaims: Values, more: Values = {}): Values => ({ mount, boundClaims, ...more });
const glob = { boundClaimsType: "glob" };

/** Roles that are bound to somebody, and what is wrong with them all the same. Where nothing is, no rule says anything. */
export const LOGIN_CASES: readonly LintCase[] = [
  // https://docs.github.com/actions/concepts/security/openid-connect: the subject alone is the repository of any branch.
  found("any-branch", role("gh", { repository: "acme/app" }), "boundClaims"),
  found("any-branch", role("gh", { repository_id: "1", event_name: "push", ref: "*" }, glob), "boundClaims"),
  found("any-branch", role("gh", { repository: "acme/app", ref: ["refs/heads/main", "*"] }, glob), "boundClaims"),
  found("any-branch", role("gh", { sub: "repo:acme/app:*" }, glob), "boundClaims"),
  found("any-branch", role("gh", { sub: "repo:acme/app*" }, glob), "boundClaims"),
  found("any-branch", role("gh", { sub: "repo:acme/app:ref:*" }, glob), "boundClaims"),
  found("any-branch", role("gh", { sub: "repo:acme@12/infra@34:*" }, glob), "boundClaims"),
  found("any-branch", { mount: "gh", boundSubject: "repo:acme/app:pull_request" }, "boundSubject"),
  found("any-branch", role("gl", { project_id: "22" }), "boundClaims"),
  found("any-branch", role("git", { project_id: "22" }), "boundClaims"),
  found("any-branch", role("gl", { project_path: "acme/app", ref_type: "branch" }), "boundClaims"),
  found("any-branch", role("gl", { sub: "project_path:acme/app:ref_type:branch:ref:*" }, glob), "boundClaims"),
  found("any-branch", role("gh", { repository: "acme/app", "/ref": "refs/heads/main" })),
  found("any-branch", role("gh", { repository: "acme/app", ref: "refs/heads/release/*" }, glob)),
  found("any-branch", role("gh", { repository: "acme/app", environment: "production" })),
  found("any-branch", role("gh", { repository: "acme/app", ref_type: "tag" })),
  found("any-branch", role("gh", { sub: "repo:acme/app:environment:production" })),
  found("any-branch", role("gh", { sub: ["repo:acme@12/app@34:ref:refs/heads/main"] })),
  found("any-branch", role("gh", { repository: "acme/app", ref: UNKNOWN })),
  found("any-branch", role("gl", { project_path: "acme/app", ref_protected: "true" })),
  found("any-branch", role("gl", { sub: "project_path:acme/app:ref_type:branch:ref:main" })),
  found("any-branch", role("own", { project_path: "acme/app" })),
  // The roles of our guides.
  found("any-branch", role("gh", { repository: "acme/shop", ref: "refs/heads/main" }, { userClaim: "repository" })),
  found(
    "any-branch",
    role("gl", { project_path: "acme/shop", ref_type: "branch", ref_protected: "true" }, { userClaim: "project_path" }),
  ),
  // https://buildkite.com/docs/agent/cli/reference/oidc: the subject names everything, and a star may stand for each.
  found("any-branch", role("bk", { sub: "organization:acme:pipeline:app:ref:*:commit:*:step:*" }, glob), "boundClaims"),
  found("any-branch", role("bk", { sub: "organization:acme:pipeline:app:ref:refs/heads/main:commit:*:step:*" }, glob)),
  found("any-branch", role("bk", { sub: "organization:acme:pipeline:app:ref:*:commit:0a1b:step:*" }, glob)),
  found("any-branch", role("gh", { sub: "repo:acme/app:ref:*:job_workflow_ref:*" }, glob), "boundClaims"),
  // https://docs.github.com/actions/reference/openid-connect-reference: a subject of one's own making names what its template has.
  found("any-project", { mount: "gh", boundSubject: "repository_owner:acme:ref:refs/heads/main" }, "boundSubject"),
  found("any-project", role("gh", { sub: "repository_owner_id:12:environment:prod" }), "boundClaims"),
  found(
    "any-project",
    role("gh", { sub: "repository_owner:acme:repository:*:ref:refs/heads/main" }, glob),
    "boundClaims",
  ),
  ...[
    "repository_owner:acme:repository:acme/*:ref:refs/heads/main",
    "enterprise:acme:repo:acme/*:ref:refs/heads/main",
  ].map((sub) => found("any-project", role("gh", { sub }, glob), "boundClaims")),
  found("any-project", role("gh", { sub: "repository_owner:acme:repository:acme/app-*:ref:refs/heads/main" }, glob)),
  found("any-project", role("gh", { sub: "enterprise:acme:repository_id:12:ref:refs/heads/main" }, glob)),
  found("any-project", { mount: "gh", boundSubject: "repository_owner:acme:repository:acme/app:ref:refs/heads/main" }),
  found(
    "any-project",
    role("gh", { sub: "repository_owner:acme:job_workflow_ref:acme/ci/.github/workflows/deploy.yml@refs/heads/main" }),
  ),
  // https://docs.gitlab.com/ci/cloud_services: a namespace alone is every project of it.
  found("any-project", role("gh", { repository_owner_id: "1234", ref: "refs/heads/main" }), "boundClaims"),
  found("any-project", role("gh", { repository: "acme/*" }, glob), "boundClaims"),
  found("any-project", role("gh", { sub: "repo:acme/*", ref: "*" }, glob), "boundClaims"),
  found("any-project", { mount: "gh", boundSubject: "repository_owner:acme" }, "boundSubject"),
  found("any-project", role("gl", { namespace_path: "acme", ref_protected: "true" }), "boundClaims"),
  found("any-project", role("gl", { project_path: "acme/team/*", ref: "main" }, glob), "boundClaims"),
  found("any-project", role("gl", { sub: "project_path:acme/*:ref_type:branch:ref:main" }, glob), "boundClaims"),
  found("any-project", role("hcp", { terraform_organization_name: "acme" }), "boundClaims"),
  found("any-project", role("hcp", { terraform_organization_name: "acme", terraform_workspace_id: "ws-1" })),
  found("any-project", role("hcp", { sub: "organization:acme:project:net:workspace:*" }, glob)),
  found("any-project", role("hcp", { sub: "organization:acme:project:*:workspace:prod:run_phase:*" }, glob)),
  found("any-project", role("hcp", { sub: "organization:acme:project:*:workspace:*" }, glob), "boundClaims"),
  // People: https://docs.gitlab.com/ci/secrets/hashicorp_vault has `groups` for them.
  found("any-project", { ...role("gl", { groups: ["acme/team"] }), roleType: "oidc" }),
  found(
    "any-project",
    role("gh", { repository_owner: "acme", job_workflow_ref: "acme/ci/.github/workflows/deploy.yml@refs/heads/main" }),
  ),
  found("any-project", role("gl", { project_path: "acme/app-*", ref: "main", ref_type: "branch" }, glob)),
  // https://learn.microsoft.com/entra/identity-platform/claims-validation
  found(
    "login-name",
    role("gh", { repository: "acme/app", ref: "refs/heads/main", actor: "octocat" }),
    "boundClaims.actor",
  ),
  found(
    "login-name",
    role("gl", { project_id: "22", ref_path: "refs/heads/main", user_login: "jo" }),
    "boundClaims.user_login",
  ),
  found(
    "login-name",
    role("entra", { "/email": "jo@example.com" }, { userClaim: "upn" }),
    'boundClaims["/email"]',
    "userClaim",
  ),
  found("login-name", role("gh", { repository: "acme/app", ref: "refs/heads/main", actor_id: "1" })),
  found("login-name", role("entra", { oid: "1" }, { userClaim: "oid" })),
  // One note is enough, and this one says what is better.
  found("login-name", role("entra", { oid: "1" }, { userClaim: "preferred_username" }), "userClaim"),
  found("login-name", role("own", { email: "jo@example.com" }, { userClaim: "email" })),
  // A login through a browser gets its token from the discovery document's issuer, whatever is bound for those who bring one.
  found("login-name", { ...role("both", { email: "jo@example.com" }), roleType: "oidc" }, "boundClaims.email"),
  found("login-name", { ...role("both", { email: "jo@example.com" }), roleType: undefined }, "boundClaims.email"),
  found("login-name", role("both", { email: "jo@example.com" })),
  // https://learn.microsoft.com/entra/identity-platform/claims-validation: the tenant is what nobody else can have.
  ...["unbound", "unbound-keys"].flatMap((mount) => [
    found("any-tenant", role(mount, { roles: ["deploy"] }), "boundClaims"),
    found("any-tenant", role(mount, { groups: "02f4a1c0-7f0e-4c4e-9a55-0d2b6b7f1a11" }), "boundClaims"),
    found("any-tenant", role(mount, { oid: "1" })),
    found("any-tenant", role(mount, { "/tid": "1", roles: ["deploy"] })),
    found("any-tenant", { mount, boundSubject: "x" }),
    found("any-tenant", role(mount, { sub: "x" })),
  ]),
  found("any-tenant", role("entra", { roles: ["deploy"] })),
  // It may be of either method.
  found("any-tenant", role(UNKNOWN, { repository: "acme/app", ref: "refs/heads/main" })),
  found("any-tenant", { ...role("unbound", { roles: ["deploy"] }), roleType: "oidc" }),
  // https://www.rfc-editor.org/rfc/rfc8725#section-3.9
  ...[
    "sts.amazonaws.com",
    "api://AzureADTokenExchange",
    "aws.workload.identity",
    "https://kubernetes.default.svc",
    "sigstore",
  ].map((other) => found("foreign-audience", { ...bound, boundAudiences: ["vault", other] }, "boundAudiences[1]")),
  ...["https://vault.example.com", "vault.workload.identity", "https://github.com/acme", UNKNOWN].map((own) =>
    found("foreign-audience", { ...bound, boundAudiences: [own] }),
  ),
  // https://docs.gitlab.com/ci/cloud_services: a branch by ref and ref_type.
  found("branch-or-tag", role("gl", { project_path: "acme/app", ref: "main" }), "boundClaims.ref"),
  found("branch-or-tag", role("git", { project_id: "22", "/ref": ["main", "dev"] }), "boundClaims.ref"),
  ...[
    { ref_type: "branch" },
    { ref_protected: "true" },
    { environment: "production" },
    { sub: "project_path:acme/app:ref_type:branch:ref:main" },
  ].map((more) => found("branch-or-tag", role("gl", { project_path: "acme/app", ref: "main", ...more }))),
  found("branch-or-tag", role("gh", { repository: "acme/app", ref: "refs/heads/main" })),
  // https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc
  found("any-project", role("bb", { workspaceUuid: "{w}", branchName: "main" }), "boundClaims"),
  found("any-branch", role("bb", { repositoryUuid: "{r}" }), "boundClaims"),
  found("any-branch", role("bb", { sub: "{r}:*" }, glob), "boundClaims"),
  found("any-branch", role("bb", { repositoryUuid: "{r}", branchName: "main" })),
  found("any-branch", role("bb", { sub: "{r}:{production}:*" }, glob)),
  // https://circleci.com/docs/openid-connect-tokens
  found("any-project", role("circle", { sub: "org/o/project/*" }, glob), "boundClaims"),
  found("any-branch", role("circle", { sub: "org/o/project/p/user/*" }, glob), "boundClaims"),
  found("any-branch", role("circle", { "oidc.circleci.com/project-id": "p" }), "boundClaims"),
  found(
    "any-branch",
    role("circle", { "oidc.circleci.com/project-id": "p", "oidc.circleci.com/vcs-ref": "refs/heads/main" }),
  ),
  found("any-branch", role("circle", { sub: "org/o/project/p/user/*/vcs-origin/*/vcs-ref/refs/heads/main" }, glob)),
  // https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin
  found("any-project", role("k8s", { sub: "system:serviceaccount:shop:*" }, glob), "boundClaims"),
  found("any-project", role("k8s", { sub: "system:serviceaccount:*:deploy" }, glob), "boundClaims"),
  found("any-project", role("k8s", { "/kubernetes.io/namespace": "shop" }), "boundClaims"),
  found("any-project", { mount: "k8s", boundSubject: "system:serviceaccount:shop:deploy" }),
  found("any-project", role("k8s", { sub: ["system:serviceaccount:shop:deploy"] })),
  // https://developers.google.com/identity/openid-connect/openid-connect
  found("login-name", role("google", { email: "jo@example.com", hd: "example.com" }), "boundClaims.email"),
  found("login-name", role("google", { sub: "1", hd: "example.com" })),
  // https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability
  ...["name", "aud", "iss", "/preferred_username", "jti", "ref"].map((userClaim) =>
    found("user-claim", { ...bound, userClaim }, "userClaim"),
  ),
  ...["sub", "email", "repository", "project_path", "user_id", UNKNOWN].map((userClaim) =>
    found("user-claim", { ...bound, userClaim }),
  ),
  ...["ref", "environment", "name"].map((groupsClaim) =>
    found("chosen-groups", { ...bound, groupsClaim }, "groupsClaim"),
  ),
  ...["groups", "/realm_access/roles", "namespace_path", UNKNOWN].map((groupsClaim) =>
    found("chosen-groups", { ...bound, groupsClaim }),
  ),
  found("number-in-list", { boundClaims: { user_id: ["12", 34] } }, "boundClaims.user_id[1]"),
  found("number-in-list", { boundClaims: { user_id: ["12", "34"], level: 3 } }),
  found("no-lifetime", { ...bound, mount: "plain" }, "tokenTtl"),
  found("no-lifetime", { ...bound, mount: "plain", tokenTtl: 0, tokenMaxTtl: "0s" }, "tokenTtl"),
  found("no-lifetime", { ...bound, mount: "plain", tokenMaxTtl: "1h" }),
  found("no-lifetime", { ...bound, mount: "plain", tokenTtl: UNKNOWN }),
  found("no-lifetime", { ...bound, mount: "brief" }),
  found("no-lifetime", { ...bound, mount: "later" }),
  found("no-lifetime", { ...bound, mount: "elsewhere" }),
];
