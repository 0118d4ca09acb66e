import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { step } from "../../../provider/core/property-path";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { DEPLOY, ENTRA_CONFIG, GITHUB } from "./example-records";
import { textsIn } from "./found-texts";
import { idInPlaceOf, isAnywhere, isRefAlone, missingProject } from "./issuer-claims";
import type { LintRule, Weakness } from "./rule";
import { anyTenants, bindingOf, claimName, isOpenToAll, isShared, nobodysOwn } from "./shared-issuers";

/** Of roles: whom they let in. */
export const LOGIN_RULES: readonly LintRule[] = [
  {
    name: "any-token",
    of: ["jwt:Role"],
    severity: "error",
    finds:
      "a role that any token of the issuer can use; not one for the people of a private provider that leaves all policies to their groups",
    bad: { ...DEPLOY },
    good: { ...DEPLOY, boundClaims: { repository: "acme/app", ref: "refs/heads/main" } },
    sources: ["https://www.rfc-editor.org/rfc/rfc8725#section-3.8"],
    why: "every token of the issuer can log in, whoever it was made for: on a public issuer that is everybody",
    find: (values, { issuerOf }) =>
      isOpenToAll(values) && !isLeftToGroups(values, issuerOf(values))
        ? [{ property: bindingOf(values), what: "binds nobody in particular" }]
        : [],
  },
  {
    name: "no-owner",
    of: ["jwt:Role"],
    severity: "error",
    finds:
      "a role that demands only claims that anybody can choose, at an issuer that everybody shares (GitHub, GitLab, HCP Terraform, Google, Buildkite, Entra for all tenants)",
    beside: [GITHUB],
    bad: { ...DEPLOY, boundClaims: { ref: "refs/heads/main" } },
    good: { ...DEPLOY, boundClaims: { repository_id: "1296269", ref: "refs/heads/main" } },
    sources: [
      "https://github.com/prowler-cloud/prowler/issues/12845",
      "https://docs.github.com/en/actions/concepts/security/openid-connect",
    ],
    why: "everybody can have an account there, and chooses in a project of his own what these claims say",
    find: (values, { issuerOf }) => {
      const what = isOpenToAll(values) ? undefined : nobodysOwn(values, issuerOf(values));
      return what === undefined ? [] : [{ property: "boundClaims", what }];
    },
  },
  {
    name: "any-tenant",
    of: ["jwt:Role"],
    severity: "error",
    finds: "a role for tokens of Entra by a claim that each tenant fills in, where the method has no `boundIssuer`",
    beside: [ENTRA_CONFIG],
    bad: { ...DEPLOY, mount: "people", boundClaims: { roles: ["deploy"] } },
    good: {
      ...DEPLOY,
      mount: "people",
      boundClaims: { roles: ["deploy"], tid: "9f0e0e1a-0000-4000-8000-000000000000" },
    },
    sources: ["https://learn.microsoft.com/en-us/entra/identity-platform/claims-validation"],
    why: "the keys of Entra are those of all tenants, and for a token that is brought Vault compares no issuer but `boundIssuer`: another company can make one that fits",
    find: (values, { configOf, issuerOf }) => {
      // Of the address of all tenants `no-owner` says so.
      const isSaid = isOpenToAll(values) || nobodysOwn(values, issuerOf(values)) !== undefined;
      const what = isSaid ? undefined : anyTenants(values, configOf(values));
      return what === undefined ? [] : [{ property: "boundClaims", what: `${what}, or boundIssuer of the method` }];
    },
  },
  {
    name: "foreign-audience",
    of: ["jwt:Role"],
    severity: "warning",
    finds: "the audience of another service: `sts.amazonaws.com`, `api://AzureADTokenExchange`, `sigstore`",
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, boundAudiences: ["sts.amazonaws.com"] },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, boundAudiences: ["https://vault.example.com"] },
    sources: [
      "https://www.rfc-editor.org/rfc/rfc8725#section-3.9",
      "https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens",
    ],
    why: "a token that was made for the other service, and that it or somebody on the way has, logs in here too",
    find: ({ boundAudiences }) =>
      textsIn("boundAudiences", boundAudiences)
        .filter(({ text }) => FOREIGN.test(text))
        .map(({ property, text }) => ({
          property,
          what: `is the audience of another service: ${JSON.stringify(text)}`,
        })),
  },
  {
    name: "any-project",
    of: ["jwt:Role"],
    severity: "warning",
    finds:
      "a role that names an owner, and no repository, project, workspace, pipeline or service account (GitHub, GitLab, HCP Terraform, Buildkite, Bitbucket, CircleCI, Kubernetes): `repo:acme/*`, `namespace_path`",
    beside: [GITHUB],
    bad: { ...DEPLOY, boundClaims: { repository_owner: "acme", ref: "refs/heads/main" } },
    good: { ...DEPLOY, boundClaims: { repository: "acme/app", ref: "refs/heads/main" } },
    sources: ["https://docs.gitlab.com/ci/cloud_services/"],
    why: "whoever may make a project of that owner, or change any of them, gets in, and chooses what its jobs do",
    find: (values, { issuerOf }) => {
      const address = issuerOf(values);
      const called = isOwned(values, address) ? missingProject(values, address) : undefined;
      return called === undefined ? [] : [{ property: bindingOf(values), what: `names an owner, and no ${called}` }];
    },
  },
  {
    name: "any-branch",
    of: ["jwt:Role"],
    severity: "warning",
    finds:
      "a role that demands no branch, tag or environment (GitHub, GitLab, Buildkite, Bitbucket, CircleCI): `repo:acme/app:*`, `repo:acme/app:pull_request`",
    beside: [GITHUB],
    bad: { ...DEPLOY, boundClaims: { repository: "acme/app" } },
    good: { ...DEPLOY, boundClaims: { repository: "acme/app", ref: "refs/heads/main" } },
    sources: ["https://docs.github.com/en/actions/concepts/security/openid-connect"],
    why: "whoever may push a branch, or have a pull request built, decides what such a job does, before anybody has reviewed it",
    find: (values, { issuerOf }) => {
      const address = issuerOf(values);
      if (!isOwned(values, address) || missingProject(values, address) || !isAnywhere(values, address)) return [];
      return [{ property: bindingOf(values), what: "demands no branch, tag or environment" }];
    },
  },
  {
    name: "branch-or-tag",
    of: ["jwt:Role"],
    severity: "note",
    finds: "a branch of GitLab by its name alone",
    beside: [
      ["jwt:Config", { mount: "jobs", oidcDiscoveryUrl: "https://gitlab.com", boundIssuer: "https://gitlab.com" }],
    ],
    bad: { ...DEPLOY, boundClaims: { project_path: "acme/app", ref: "main" } },
    good: { ...DEPLOY, boundClaims: { project_path: "acme/app", ref: "main", ref_type: "branch" } },
    sources: ["https://docs.gitlab.com/ci/cloud_services/"],
    why: "a tag may have the name of a branch, and tags are often less protected: `ref_type`, `ref_path` or `ref_protected` tells them apart",
    find: (values, { issuerOf }) => {
      const address = issuerOf(values);
      if (!isOwned(values, address) || missingProject(values, address) || !isRefAlone(values, address)) return [];
      return [{ property: "boundClaims.ref", what: "is the name of a branch, which a tag may have too" }];
    },
  },
  {
    name: "login-name",
    of: ["jwt:Role"],
    severity: "warning",
    finds:
      "a login or address where the issuer has an id: `actor`, `user_login`, Entra's `email` and `upn`, Google's `email`",
    beside: [GITHUB],
    bad: { ...DEPLOY, boundClaims: { repository: "acme/app", ref: "refs/heads/main", actor: "octocat" } },
    good: { ...DEPLOY, boundClaims: { repository: "acme/app", ref: "refs/heads/main", actor_id: "583231" } },
    sources: ["https://learn.microsoft.com/en-us/entra/identity-platform/claims-validation"],
    why: "logins and addresses change and are given to others; an id stays",
    find: ({ boundClaims, userClaim, ...values }, { issuerOf }) => {
      const inPlaceOf = (claim: unknown, property: string): readonly Weakness[] => {
        const name = claimName(String(claim));
        const id = hasUnknown(claim) ? undefined : idInPlaceOf(name, issuerOf(values));
        return id === undefined
          ? []
          : [{ property, what: `is by ${JSON.stringify(name)}, where ${JSON.stringify(id)} is safe` }];
      };
      const claims = Object.keys(isRecord(boundClaims) ? boundClaims : {});
      return [
        ...claims.flatMap((claim) => inPlaceOf(claim, `boundClaims${step(claim)}`)),
        ...inPlaceOf(userClaim, "userClaim"),
      ];
    },
  },
  {
    name: "user-claim",
    of: ["jwt:Role"],
    severity: "warning",
    finds:
      "a `userClaim` that all share, that somebody chooses, or that is another one at each login: `aud`, `name`, `jti`",
    bad: { ...DEPLOY, boundClaims: { project_id: "22", ref: "main" }, userClaim: "aud" },
    good: { ...DEPLOY, boundClaims: { project_id: "22", ref: "main" }, userClaim: "sub" },
    sources: ["https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability"],
    // OpenID Connect Core 1.0, 5.7: only `iss` and `sub` together stand for somebody, and stay.
    why: "it says who logs in: entities, groups, audit logs and counted clients go by it",
    find: ({ userClaim, ...values }, { issuerOf }) => {
      const name = claimName(String(userClaim ?? ""));
      // Where the issuer has an id in its place, `login-name` says so.
      if (idInPlaceOf(name, issuerOf(values)) !== undefined) return [];
      const found = Object.entries(NO_USER).find(([, claims]) => claims.includes(name));
      return found === undefined || hasUnknown(userClaim)
        ? []
        : [{ property: "userClaim", what: `is ${JSON.stringify(name)}, which ${found[0]}` }];
    },
  },
  {
    name: "chosen-groups",
    of: ["jwt:Role"],
    severity: "error",
    finds: "a `groupsClaim` that somebody chooses: `ref`, `name`",
    bad: { ...DEPLOY, boundClaims: { project_id: "22" }, groupsClaim: "ref" },
    good: { ...DEPLOY, boundClaims: { project_id: "22" }, groupsClaim: "groups" },
    sources: ["https://openid.net/specs/openid-connect-core-1_0.html#ClaimStability"],
    why: "who can choose the claim can be in any group of that name, and gets its policies",
    find: ({ groupsClaim }) => {
      const name = claimName(String(groupsClaim ?? ""));
      return CHOSEN.includes(name) && !hasUnknown(groupsClaim)
        ? [{ property: "groupsClaim", what: `is ${JSON.stringify(name)}, which ${CHOOSES}` }]
        : [];
    },
  },
];

const CHOOSES = "a person or a job can choose";
const CHOSEN = [
  ...["name", "given_name", "family_name", "nickname", "display_name", "displayName", "preferred_username", "profile"],
  ...["ref", "ref_path", "head_ref", "base_ref", "branch", "build_branch"],
  ...["environment", "workflow", "job", "event_name"],
];

/** Claims that do not say who somebody is, by why not. */
const NO_USER: Readonly<Record<string, readonly string[]>> = {
  "all tokens share": ["iss", "aud", "azp", "typ", "ver", "acr", "tid", "hd", "idp"],
  "is another one at each login": ["jti", "nonce", "iat", "exp", "nbf", "auth_time", "at_hash"],
  [CHOOSES]: CHOSEN,
};

/** Well-known audiences, such as those that the pages of issuers give for other services. */
const FOREIGN =
  /^(sts\.amazonaws\.com(\.cn)?|api:\/\/AzureADTokenExchange\w*|(https:)?\/\/iam\.googleapis\.com\/.*|(aws|azure|gcp|kubernetes)\.workload\.identity|https:\/\/kubernetes\.default\.svc(\.cluster\.local)?|sigstore|pypi|npm:registry\.npmjs\.org)$/;

/** Whoever has an account at a private provider logs in by such a role, and gets what groups give. */
function isLeftToGroups({ roleType, tokenPolicies }: Values, address: string | undefined): boolean {
  return roleType !== "jwt" && !hasUnknown(roleType) && isEmpty(tokenPolicies) && !isShared(address);
}

/** Whether the role is one for jobs, and bound to an owner; other rules find those that are not. People are in no project. */
function isOwned(role: Values, address: string | undefined): boolean {
  return role["roleType"] === "jwt" && !isOpenToAll(role) && nobodysOwn(role, address) === undefined;
}
