import { isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import type { JwtProfile } from "../profiles/secrets-profile";
import { algorithms } from "./algorithms";
import { checkClaims, type Expected } from "./check-claims";
import { parseCompactJws, TokenFailure } from "./compact-jws";
import type { ConfigRecord } from "./config-record";
import { discoveredEndpoints } from "./discovery";
import { FetchFailure } from "./fetch-document";
import { type KeySource, keySourceFrom } from "./key-set";
import { publicKeyFromPem } from "./public-key-pem";
import { remoteKeys, staticKeys, type VerifyingKeys } from "./verifying-keys";

/** Verifies tokens by the keys of one configuration. */
export interface Validator {
  /** The claims of a token that is signed and as expected. @throws TokenFailure */
  claimsOf(token: string, expected: Expected, now: Date): Promise<WireObject>;
}

/** @throws TokenFailure when no keys of the configuration can be fetched. */
export async function createValidator(config: ConfigRecord, profile: JwtProfile): Promise<Validator> {
  const keySets = await keySetsOf(config, profile);
  return {
    claimsOf: async (token, expected, now) => {
      const claims = await verifiedClaims(keySets, token);
      checkAlgorithm(token, config.jwt_supported_algs);
      checkClaims(claims, expected, now);
      return claims;
    },
  };
}

async function keySetsOf(config: ConfigRecord, profile: JwtProfile): Promise<readonly VerifyingKeys[]> {
  const remote = (source: KeySource) => remoteKeys(source, profile);
  if (config.jwt_validation_pubkeys.length > 0) {
    const keys = config.jwt_validation_pubkeys.map(publicKeyFromPem);
    return [staticKeys(keys.filter((key) => key !== undefined))];
  }
  if (config.jwks_url !== "") return [remote({ url: config.jwks_url, caPem: config.jwks_ca_pem })];
  if (config.jwks_pairs.length > 0) return config.jwks_pairs.map(pairSource).map(remote);
  if (config.oidc_client_id !== "" && !profile.verifiesWithClient) throw new TokenFailure("unsupported config type");
  const caPem = config.oidc_discovery_ca_pem;
  try {
    const { keys } = await discoveredEndpoints({ url: config.oidc_discovery_url, caPem });
    return [remote({ url: keys, caPem })];
  } catch (failure) {
    if (failure instanceof FetchFailure) throw new TokenFailure(`keyset configuration error: ${failure.message}`);
    throw failure;
  }
}

// The configuration was checked when it was written.
function pairSource(pair: WireValue): KeySource {
  const source = isWireObject(pair) ? keySourceFrom(pair) : undefined;
  return source ?? { url: "", caPem: "" };
}

/** The claims by the first key set that has signed the token. If none has, the error is that of the last one. */
async function verifiedClaims(keySets: readonly VerifyingKeys[], token: string): Promise<WireObject> {
  let problem = "";
  for (const keys of keySets) {
    try {
      return await keys.claimsOf(token);
    } catch (failure) {
      if (!(failure instanceof TokenFailure)) throw failure;
      problem = failure.message;
    }
  }
  throw new TokenFailure(`error verifying token signature: ${problem}`);
}

function checkAlgorithm(token: string, supported: readonly string[]): void {
  const { alg } = parseCompactJws(token).header;
  const allowed: readonly unknown[] = supported.length > 0 ? supported : algorithms;
  if (!allowed.includes(alg)) {
    throw new TokenFailure("invalid algorithm (alg) header parameter: token signed with unexpected algorithm");
  }
}
