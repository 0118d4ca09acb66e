import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { claimName, ENTRA } from "./shared-issuers";

/** Demands of one kind, by the claim, and what a value must look like that makes one. */
type Demands = Readonly<Record<string, RegExp>>;

/** What the tokens of a kind of issuer say. */
interface IssuerClaims {
  readonly address: RegExp;
  /** What names a project, and what projects are called there. A role without any lets in all of an owner. */
  readonly projects?: Demands & { readonly sub: RegExp };
  readonly called?: string;
  /** What names a branch, a tag or an environment. */
  readonly places?: Demands & { readonly sub: RegExp };
  /** Logins and addresses, each with the id that stays a person's. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** Anything but a star alone. */
const SOME = /[^*]/;
/** `acme/app`, `acme/app-*`, and not `acme/*`. */
const IN_OWNER = /^[^*]+\/[^/*]+/;
const TAG = /^tag$/;

/**
 * From the issuers' own pages: https://docs.github.com/actions/reference/openid-connect-reference (a subject needs a condition
 * on branch or environment: https://docs.github.com/actions/concepts/security/openid-connect),
 * https://docs.gitlab.com/ci/cloud_services (conditions on ref and protection), https://buildkite.com/docs/agent/cli/reference/oidc,
 * https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens,
 * https://support.atlassian.com/bitbucket-cloud/docs/integrate-pipelines-with-resource-servers-using-oidc,
 * https://circleci.com/docs/openid-connect-tokens, https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin,
 * https://developers.google.com/identity/openid-connect/openid-connect (an address is no identifier),
 * https://learn.microsoft.com/entra/identity-platform/claims-validation (no addresses or names for authorization)
 */
const ISSUERS: readonly IssuerClaims[] = [
  {
    // Also GitHub Enterprise.
    address:
      /^https:\/\/(token\.actions\.githubusercontent\.com|token\.actions\.[^/]+\.ghe\.com|[^/]+\/_services\/token)(\/|$)/,
    called: "repository",
    projects: {
      repository: IN_OWNER,
      repository_id: SOME,
      // The same workflow in whatever repository: what it does is not chosen there.
      job_workflow_ref: IN_OWNER,
      workflow_ref: IN_OWNER,
      sub: /^(?!repo:([^/]*\/?\*|[^:/]*(:?\*)?$))(?!(repository_owner|enterprise)(_id)?:(?!.*:(repository_id:[^*]|(repo|repository|job_workflow_ref|workflow_ref):[^*/:]+\/[^*:])))/,
    },
    places: {
      ref: SOME,
      environment: SOME,
      base_ref: SOME,
      ref_protected: SOME,
      ref_type: TAG,
      workflow_ref: /@[^*]/,
      job_workflow_ref: /@[^*]/,
      sha: SOME,
      workflow_sha: SOME,
      job_workflow_sha: SOME,
      // Whatever else a subject of one's own making has.
      sub: /:(ref|environment|base_ref|ref_protected|job_workflow_ref|workflow_ref|sha):(?!\*+(:|$))/,
    },
    ids: { actor: "actor_id" },
  },
  {
    // Also one of a company's own, where its host is called so.
    address: /^https:\/\/gitlab\.[^/]+(\/|$)/,
    called: "project",
    projects: {
      project_path: /^(?!.*\/\*+$)[^*]+\/[^/*]+/,
      project_id: SOME,
      user_id: SOME,
      user_login: SOME,
      user_email: SOME,
      sub: /^project_path:(?![^:]*\/\*)[^*:]+\/[^/*:]+/,
    },
    places: {
      ref: SOME,
      ref_path: SOME,
      ref_protected: SOME,
      environment: SOME,
      environment_protected: SOME,
      deployment_tier: SOME,
      ref_type: TAG,
      ci_config_ref_uri: /@[^*]/,
      ci_config_sha: SOME,
      sha: SOME,
      sub: /:ref:(?!\*+(:|$))|:ref_type:tag:/,
    },
    ids: { user_login: "user_id", user_email: "user_id" },
  },
  {
    address: /^https:\/\/app\.terraform\.io(\/|$)/,
    called: "project or workspace",
    projects: {
      terraform_project_id: SOME,
      terraform_project_name: SOME,
      terraform_workspace_id: SOME,
      terraform_workspace_name: SOME,
      terraform_full_workspace: /:(project|workspace):(?!\*)/,
      sub: /:(project|workspace):(?!\*)/,
    },
  },
  {
    address: /^https:\/\/agent\.buildkite\.com(\/|$)/,
    called: "pipeline",
    projects: { pipeline_id: SOME, pipeline_slug: SOME, sub: /:pipeline:(?!\*)/ },
    places: { build_branch: SOME, build_tag: SOME, build_commit: SOME, sub: /:(ref|commit):(?!\*+(:|$))/ },
  },
  {
    address: /^https:\/\/api\.bitbucket\.org\/2\.0\/workspaces\//,
    called: "repository",
    // The subject is `{repository}:{step}`, or `{repository}:{environment}:{step}`.
    projects: { repositoryUuid: SOME, sub: /^\{[^}*]+\}/ },
    places: { branchName: SOME, deploymentEnvironmentUuid: SOME, sub: /^\{[^}]+\}:\{[^}*]+\}:/ },
  },
  {
    address: /^https:\/\/oidc\.circleci\.com\/org\//,
    called: "project",
    projects: {
      "oidc.circleci.com/project-id": SOME,
      "oidc.circleci.com/vcs-origin": SOME,
      sub: /^org\/[^/]+\/project\/[^/*]/,
    },
    places: { "oidc.circleci.com/vcs-ref": SOME, "oidc.circleci.com/context-ids": SOME, sub: /\/vcs-ref\/(?!\*+$)/ },
  },
  {
    // Clusters of their own, of EKS, GKE and AKS.
    address:
      /^https:\/\/(kubernetes\.default\.svc|oidc\.eks\.[^/]+\.amazonaws\.com\/id\/|container\.googleapis\.com\/v1\/projects\/|[^/]+\.oic\.[^/]+\.azure\.com\/)/,
    called: "service account of one namespace",
    projects: {
      "kubernetes.io/serviceaccount/name": SOME,
      "kubernetes.io/serviceaccount/uid": SOME,
      sub: /^system:serviceaccount:[^:*]+:[^:*]/,
    },
  },
  { address: /^https:\/\/accounts\.google\.com(\/|$)/, ids: { email: "sub" } },
  { address: ENTRA, ids: { email: "oid", upn: "oid", preferred_username: "oid", unique_name: "oid" } },
];

function claimsOf(address: string | undefined): IssuerClaims | undefined {
  return ISSUERS.find((each) => address !== undefined && each.address.test(address));
}

/** What the projects of an issuer are called, where a role names none of them. */
export function missingProject(role: Values, address: string | undefined): string | undefined {
  const { projects, called } = claimsOf(address) ?? {};
  return projects === undefined || demands(role, projects) ? undefined : called;
}

/** Whether a role takes jobs of any branch and tag, for any environment or none, at an issuer whose tokens say these. */
export function isAnywhere(role: Values, address: string | undefined): boolean {
  const { places } = claimsOf(address) ?? {};
  return places !== undefined && !demands(role, places);
}

/** Whether a role takes a branch by its name alone, at an issuer whose tokens also say whether it is one. */
export function isRefAlone(role: Values, address: string | undefined): boolean {
  const { places } = claimsOf(address) ?? {};
  if (places?.["ref_path"] === undefined || !demands(role, { ref: SOME, sub: NOTHING })) return false;
  const { ref: _, ...others } = places;
  return !demands(role, { ...others, ref_type: SOME, sub: places.sub });
}

const NOTHING = /$^/;

/** The claim with the id of a person whose login or address another claim has. */
export function idInPlaceOf(claim: string, address: string | undefined): string | undefined {
  const ids = claimsOf(address)?.ids ?? {};
  return Object.hasOwn(ids, claim) ? ids[claim] : undefined;
}

/** Whether a role demands something of the kind. True where that is not known. */
function demands(
  { boundSubject, boundClaims, boundClaimsType }: Values,
  wanted: Demands & { readonly sub: RegExp },
): boolean {
  if (hasUnknown([boundSubject, boundClaims, boundClaimsType])) return true;
  if (!isEmpty(boundSubject) && (hasStar(boundSubject) || wanted.sub.test(String(boundSubject)))) return true;
  return Object.entries(isRecord(boundClaims) ? boundClaims : {}).some(([claim, value]) => {
    const name = claimName(claim);
    const look = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    return (
      look !== undefined &&
      [value].flat().every((each) => (boundClaimsType !== "glob" && hasStar(each)) || look.test(String(each)))
    );
  });
}

/** Where a star is a plain character, nobody gets in by it. */
function hasStar(value: unknown): boolean {
  return String(value).includes("*");
}
