import { isNumberText, type WireObject, type WireValue } from "../framework/wire-value";
import { registeredClaims, timeProblem } from "../jwt/check-claims";
import { claimAt } from "../jwt/claims";
import { parseCompactJws, TokenFailure } from "../jwt/compact-jws";
import { discoveredEndpoints } from "../jwt/discovery";
import { FetchFailure } from "../jwt/fetch-document";
import { publicKeyFromPem } from "../jwt/public-key-pem";
import { reworded } from "../jwt/reworded";
import { remoteKeys, staticKeys } from "../jwt/verifying-keys";
import type { AuthMethodConfig } from "./auth-method-config";
import { ConsulRefusal } from "./consul-refusal";

/** What a verified JWT says that names of bindings may use, by `value.<name>`. */
export type ProjectedValues = Readonly<Record<string, string>>;

/** Verifies the JWT of a login in the order of Consul's library. @throws ConsulRefusal */
export async function verifiedValues(jwt: string, config: AuthMethodConfig, now: Date): Promise<ProjectedValues> {
  if (jwt === "") throw refusal("missing jwt");
  const claims = await signedClaims(jwt, config);
  await reworded(refusal, () => checkClaims(claims, config, now));
  const values = blankValues(config);
  for (const [source, target] of Object.entries(config.ClaimMappings)) {
    const claim = claimAt(claims, source);
    if (claim !== undefined) values[`value.${target}`] = textOf(claim, source);
  }
  return values;
}

/** The values of a JWT that says nothing. */
export function blankValues({ ClaimMappings }: Pick<AuthMethodConfig, "ClaimMappings">): Record<string, string> {
  return Object.fromEntries(Object.values(ClaimMappings).map((name) => [`value.${name}`, ""]));
}

async function signedClaims(jwt: string, config: AuthMethodConfig): Promise<WireObject> {
  const wording = (prefix: string) => (text: string) => refusal(prefix + text);
  if (config.JWTValidationPubKeys.length > 0) {
    await reworded(wording("error parsing token: "), () => parseCompactJws(jwt));
    const keys = config.JWTValidationPubKeys.map(publicKeyFromPem).filter((key) => key !== undefined);
    return reworded(refusal, () => staticKeys(keys).claimsOf(jwt));
  }
  const plain = { algorithmPrefix: "" };
  if (config.JWKSURL !== "") {
    const keys = remoteKeys({ url: config.JWKSURL, caPem: config.JWKSCACert }, plain);
    return reworded(wording("error verifying token: "), () => keys.claimsOf(jwt));
  }
  const caPem = config.OIDCDiscoveryCACert;
  const endpoints = await discoveredEndpoints({ url: config.OIDCDiscoveryURL, caPem }).catch((failure) => {
    throw failure instanceof FetchFailure ? refusal(`error creating provider: ${failure.message}`) : failure;
  });
  const keys = remoteKeys({ url: endpoints.keys, caPem }, plain);
  return reworded(wording("error validating signature: failed to verify signature: "), () => keys.claimsOf(jwt));
}

const timeTexts = {
  untimed: "no issue time, notbefore, or expiration time encoded in token",
  early: "token not valid yet (nbf)",
  expired: "token is expired (exp)",
  future: "token issued in the future (iat)",
} as const;

/** @throws TokenFailure */
function checkClaims(claims: WireObject, config: AuthMethodConfig, now: Date): void {
  const registered = registeredClaims(claims);
  const isDiscovered = config.OIDCDiscoveryURL !== "";
  const problem = timeProblem(registered, leewaysOf(config), now);
  if (problem === "untimed") throw new TokenFailure(timeTexts.untimed);
  const issuer = isDiscovered ? config.OIDCDiscoveryURL : config.BoundIssuer;
  const validation = "error validating claims: go-jose/go-jose/jwt: validation failed,";
  if (issuer !== "" && registered.iss !== issuer) throw new TokenFailure(`${validation} invalid issuer claim (iss)`);
  if (problem !== undefined) throw new TokenFailure(`${validation} ${timeTexts[problem]}`);
  const bound = config.BoundAudiences;
  if (bound.length === 0 && registered.aud.length > 0 && !isDiscovered) {
    throw new TokenFailure("error validating claims: audience claim found in JWT but no audiences are bound");
  }
  if (bound.length > 0 && !bound.some((audience) => registered.aud.includes(audience))) {
    throw new TokenFailure("error validating claims: aud claim does not match any bound audience");
  }
}

function leewaysOf({ ExpirationLeeway, NotBeforeLeeway, ClockSkewLeeway }: AuthMethodConfig) {
  return {
    expirationLeeway: ExpirationLeeway,
    notBeforeLeeway: NotBeforeLeeway,
    clockSkewLeeway: ClockSkewLeeway,
  };
}

function textOf(claim: WireValue, source: string): string {
  if (typeof claim === "string") return claim;
  if (typeof claim === "boolean") return String(claim);
  if (isNumberText(claim)) return claim.rawJSON;
  throw refusal(`error converting claim '${source}' to string from unknown type`);
}

function refusal(text: string): ConsulRefusal {
  return new ConsulRefusal(500, text);
}
