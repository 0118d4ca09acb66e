import type { KeyObject } from "node:crypto";
import { compactVerify } from "jose";
import type { WireObject } from "../framework/wire-value";
import type { JwtProfile } from "../profiles/secrets-profile";
import { algorithms } from "./algorithms";
import { claimsFrom } from "./claims";
import { type CompactJws, parseCompactJws, TokenFailure } from "./compact-jws";
import { FetchFailure } from "./fetch-document";
import { fetchKeySet, type KeySource, type VerifyingKey } from "./key-set";

/** Keys that verify a token. */
export interface VerifyingKeys {
  /** @throws TokenFailure */
  claimsOf(token: string): Promise<WireObject>;
}

export function staticKeys(keys: readonly KeyObject[]): VerifyingKeys {
  return {
    claimsOf: async (token) => {
      const { text, payload } = parseCompactJws(token);
      const claims = (await isSignedByOne(text, keys)) ? claimsOrNothing(payload) : undefined;
      if (claims === undefined) throw new TokenFailure("no known key successfully validated the token signature");
      return claims;
    },
  };
}

/** The keys at a URL. They are fetched again when none of the known ones has signed the token. */
export function remoteKeys(source: KeySource, { algorithmPrefix }: Pick<JwtProfile, "algorithmPrefix">): VerifyingKeys {
  let fetched: readonly VerifyingKey[] = [];
  return {
    claimsOf: async (token) => {
      const { text, header, payload } = parsedForRemote(token, { accepted: algorithms, algorithmPrefix });
      const isMeant = ({ kid }: VerifyingKey) => !header["kid"] || kid === header["kid"];
      const candidates = () => fetched.filter(isMeant).map(({ key }) => key);
      if (!(await isSignedByOne(text, candidates()))) {
        fetched = await fetchKeys(source);
        if (!(await isSignedByOne(text, candidates()))) throw new TokenFailure("failed to verify id token signature");
      }
      return claimsFrom(payload);
    },
  };
}

export interface AcceptedAlgorithms extends Pick<JwtProfile, "algorithmPrefix"> {
  readonly accepted: readonly string[];
}

/** The library for remote keys checks the algorithm first, and prefixes its errors. @throws TokenFailure */
export function parsedForRemote(token: string, { accepted, algorithmPrefix }: AcceptedAlgorithms): CompactJws {
  try {
    const jws = parseCompactJws(token);
    const algorithm = jws.header["alg"] ?? "";
    if (typeof algorithm === "string" && accepted.includes(algorithm)) return jws;
    const known = accepted.map((each) => JSON.stringify(each)).join(" ");
    const problem = `unexpected signature algorithm ${JSON.stringify(algorithm)}; expected [${known}]`;
    throw new TokenFailure(`${algorithmPrefix}${problem}`);
  } catch (failure) {
    if (failure instanceof TokenFailure) throw new TokenFailure(`oidc: malformed jwt: ${failure.message}`);
    throw failure;
  }
}

async function fetchKeys(source: KeySource): Promise<readonly VerifyingKey[]> {
  try {
    return await fetchKeySet(source);
  } catch (failure) {
    if (failure instanceof FetchFailure) throw new TokenFailure(`fetching keys ${failure.message}`);
    throw failure;
  }
}

async function isSignedByOne(text: string, keys: readonly KeyObject[]): Promise<boolean> {
  for (const key of keys) {
    try {
      await compactVerify(text, key);
      return true;
    } catch {
      // For whatever reason, this key has not signed the token.
    }
  }
  return false;
}

// A payload that is not an object counts as unsigned.
function claimsOrNothing(payload: Buffer): WireObject | undefined {
  try {
    return claimsFrom(payload);
  } catch (failure) {
    if (failure instanceof TokenFailure) return undefined;
    throw failure;
  }
}
