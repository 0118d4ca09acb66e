import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { placeIn } from "../../stack/known-policies";

/** The address of the issuer that a role's auth method trusts; undefined where that is not known. */
export type IssuerLookup = (role: Values) => string | undefined;

/** What a stack has of a role's auth method; undefined where it has nothing. */
export type MethodLookup = (role: Values) => Values | undefined;

/** By the configurations of auth methods. */
export function issuerLookup(configOf: MethodLookup): IssuerLookup {
  return (role) => addressOf(configOf(role) ?? {}, role["roleType"] !== "jwt");
}

/** By the records that have the path of an auth method: mounts, configurations. */
export function methodLookup(records: readonly Values[], path: "mount" | "path"): MethodLookup {
  const found = Map.groupBy(records, (values) => methodOf(values, path));
  return (role) => {
    const those = found.get(methodOf(role, "mount")) ?? [];
    // A first preview does not know the paths of new mounts: of several, it may be any.
    return those.length > 1 && hasUnknown(role["mount"]) ? undefined : those.at(-1);
  };
}

function methodOf(values: Values, mount: "mount" | "path"): string {
  return JSON.stringify([...placeIn(values), values[mount]]);
}

/** In a login through a browser the server takes tokens of the discovery document's issuer, whatever is bound. */
function addressOf({ boundIssuer, oidcDiscoveryUrl, jwksUrl }: Values, isInBrowser: boolean): string | undefined {
  const named = isInBrowser ? [oidcDiscoveryUrl, boundIssuer] : [boundIssuer, oidcDiscoveryUrl];
  const [first] = [...named, jwksUrl].filter((each) => !isEmpty(each) && !hasUnknown(each));
  return first === undefined ? undefined : String(first);
}

/** An issuer at which everybody can have an account. */
interface SharedIssuer {
  readonly address: RegExp;
  /** The claims that name whose a token is, and how a pattern must look that still says whose. */
  readonly owners: Readonly<Record<string, RegExp>>;
}

const WHOLE = /^[^*]+$/;
/** `acme/app`, `acme/*`, and not `acme*`. */
const PATH = /^[^/*]+\//;

/**
 * Names of repositories, projects and organizations are the owner's for as long as he has them. From the issuers' own pages:
 * https://docs.github.com/actions/reference/openid-connect-reference, https://docs.gitlab.com/ci/secrets/id_token_authentication,
 * https://developer.hashicorp.com/terraform/cloud-docs/workspaces/dynamic-provider-credentials/workload-identity-tokens,
 * https://developers.google.com/identity/openid-connect/openid-connect, https://buildkite.com/docs/agent/cli/reference/oidc,
 * https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 */
const SHARED: readonly SharedIssuer[] = [
  {
    address: /^https:\/\/token\.actions\.githubusercontent\.com(\/|$)/,
    owners: {
      repository_owner_id: WHOLE,
      repository_id: WHOLE,
      repository: PATH,
      repository_owner: WHOLE,
      sub: /^(repo|repository|repository_id|repository_owner|repository_owner_id|enterprise|enterprise_id):[^/:*]+([/:]|$)/,
      workflow_ref: PATH,
      enterprise: WHOLE,
      enterprise_id: WHOLE,
    },
  },
  {
    address: /^https:\/\/gitlab\.com(\/|$)/,
    owners: {
      namespace_id: WHOLE,
      project_id: WHOLE,
      project_path: PATH,
      namespace_path: /^[^/*]+(\/|$)/,
      // Of people, as the provider names them.
      groups: /^[^/*]+(\/|$)/,
      groups_direct: /^[^/*]+(\/|$)/,
      sub: /^project_path:[^/*]+\//,
      user_id: WHOLE,
      user_login: WHOLE,
      user_email: WHOLE,
    },
  },
  {
    address: /^https:\/\/app\.terraform\.io(\/|$)/,
    owners: {
      terraform_organization_id: WHOLE,
      terraform_workspace_id: WHOLE,
      terraform_project_id: WHOLE,
      terraform_organization_name: WHOLE,
      terraform_full_workspace: /^organization:[^:*]+:/,
      sub: /^organization:[^:*]+:/,
    },
  },
  {
    address: /^https:\/\/(accounts\.google\.com|www\.googleapis\.com)(\/|$)/,
    owners: { sub: WHOLE, email: /^[^*]+$|@[^*]+$/, hd: WHOLE, azp: WHOLE },
  },
  {
    address: /^https:\/\/agent\.buildkite\.com(\/|$)/,
    owners: { organization_id: WHOLE, pipeline_id: WHOLE, organization_slug: WHOLE, sub: /^organization:[^:*]+:/ },
  },
  {
    address: /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/,
    owners: { tid: WHOLE, oid: WHOLE },
  },
];

/** `tokenBoundCidrs` bind nobody: they say where a token is used, and not whose it is. */
export function isOpenToAll({ boundSubject, boundClaims, boundClaimsType }: Values): boolean {
  if (hasUnknown(boundSubject) || hasUnknown(boundClaims) || hasUnknown(boundClaimsType)) return false;
  if (!isEmpty(boundSubject)) return false;
  const claims = Object.values(isRecord(boundClaims) ? boundClaims : {});
  const acceptsAll = (claim: unknown) =>
    [claim].flat().some((value) => boundClaimsType === "glob" && /^\*+$/.test(String(value)));
  return claims.every(acceptsAll);
}

/** The property that says whom a role is bound to. */
export function bindingOf({ boundClaims }: Values): string {
  return isEmpty(boundClaims) ? "boundSubject" : "boundClaims";
}

/** Of a role that anybody with an account at the issuer can use: where that is, and what would name an owner. */
export function nobodysOwn(
  role: Values,
  address: string | undefined,
  shared: readonly SharedIssuer[] = SHARED,
): string | undefined {
  const issuer = shared.find((each) => address !== undefined && each.address.test(address));
  const { boundSubject, boundClaims, boundClaimsType } = role;
  if (issuer === undefined || !isEmpty(boundSubject) || hasUnknown([boundSubject, boundClaims, boundClaimsType]))
    return undefined;
  const isOwned = Object.entries(isRecord(boundClaims) ? boundClaims : {}).some(([name, value]) => {
    const owner = ownerIn(issuer, name);
    return (
      owner !== undefined && [value].flat().every((each) => boundClaimsType !== "glob" || owner.test(String(each)))
    );
  });
  if (isOwned) return undefined;
  const [host] = /(?<=^https:\/\/)[^/]+/.exec(String(address)) ?? [];
  return `name nobody in particular at ${host}: bind ${Object.keys(issuer.owners).slice(0, 2).join(" or ")}`;
}

/**
 * Of a role that people and jobs of any tenant can use: Vault compares the issuer of a JWT with `boundIssuer` only, and the
 * keys of Entra are those of all tenants (https://learn.microsoft.com/entra/identity-platform/access-tokens).
 */
export function anyTenants(role: Values, config: Values = {}): string | undefined {
  const { boundIssuer, oidcDiscoveryUrl, jwksUrl } = config;
  const [address] = [oidcDiscoveryUrl, jwksUrl].filter((each) => !isEmpty(each) && !hasUnknown(each));
  if (role["roleType"] !== "jwt" || !isEmpty(boundIssuer) || address === undefined) return undefined;
  const owners = { tid: WHOLE, oid: WHOLE, iss: WHOLE, sub: WHOLE };
  return nobodysOwn(role, String(address), [{ address: ENTRA, owners }]);
}

/** Who can have a token at the issuer is everybody. */
export function isShared(address: string | undefined): boolean {
  return SHARED.some((each) => address !== undefined && each.address.test(address));
}

/** The claim's name; it may be written as a JSON pointer. */
export function claimName(claim: string): string {
  return claim.replace(/^\//, "");
}

function ownerIn({ owners }: SharedIssuer, claim: string): RegExp | undefined {
  const name = claimName(claim);
  return Object.hasOwn(owners, name) ? owners[name] : undefined;
}

/** Issuers of Entra, formerly Azure Active Directory, of one tenant or of all. */
export const ENTRA =
  /^https:\/\/(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)\//;

/** Whether it is one of these. */
export function isEntra(address: string | undefined): boolean {
  return ENTRA.test(address ?? "");
}

/** An address that others can answer for; nobody else is between a server and its own machine. */
export function isPlainHttp(address: string): boolean {
  return /^http:\/\/(?!(localhost|127\.[\d.]+|\[::1\])([:/]|$))/i.test(address);
}

/** An object id of Entra. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
