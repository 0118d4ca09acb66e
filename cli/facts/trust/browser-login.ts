import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown } from "../../../provider/core/unknowns";
import { readJson } from "../../../server/framework/json-reader";
import { isWireObject, wireValue } from "../../../server/framework/wire-value";
import { TokenFailure } from "../../../server/jwt/compact-jws";
import { checkIdToken } from "../../../server/jwt/oidc/id-token";
import { listOf } from "./sentences";
import { amountOf } from "./token-lifetimes";
import { listed } from "./trust-change";

/** What a login through a browser demands of the ID token beside the role's demands on claims. */
export interface BrowserRules {
  /** Undefined where the stack does not say it. */
  readonly issuer: string | undefined;
  readonly clientId: string;
  readonly audiences: readonly string[];
  /** 0 for any. */
  readonly maxAgeSeconds: number;
  /** Claims that cannot be judged, because what they must be is hidden, or not in the stack. */
  readonly untold: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** Stands for the client where the stack does not say which one it is. */
const ANY_CLIENT = "the-browser-client";

export function browserRules(role: Values, { oidcClientId, oidcDiscoveryUrl }: Values): BrowserRules {
  const isKnown = (value: unknown) => !isEmpty(value) && !hasUnknown(value);
  return {
    issuer: isKnown(oidcDiscoveryUrl) ? String(oidcDiscoveryUrl) : undefined,
    clientId: isKnown(oidcClientId) ? String(oidcClientId) : ANY_CLIENT,
    audiences: listOf(role["boundAudiences"]).map(String),
    maxAgeSeconds: amountOf(role["maxAge"]) ?? 0,
    untold: [...(isKnown(oidcDiscoveryUrl) ? [] : ["iss"]), ...(isKnown(oidcClientId) ? [] : ["aud", "azp"])],
  };
}

/** The claims of an ID token that the rules accept, where a test says nothing else. */
export function fittingIdToken(
  { issuer = "https://issuer", clientId, audiences }: BrowserRules,
  claims: Claims,
  seconds: number,
): Claims {
  const isBound = !("aud" in claims) && audiences.length > 0 && !audiences.includes(clientId);
  return {
    iss: issuer,
    sub: "somebody",
    aud: isBound ? [clientId, audiences[0]] : clientId,
    ...(isBound ? { azp: clientId } : {}),
    auth_time: seconds,
  };
}

/** Why the method refuses an ID token with these claims, whatever the role demands of them; undefined where it does not. */
export async function idTokenProblem(claims: Claims, rules: BrowserRules, now: Date): Promise<string | undefined> {
  const { clientId, audiences, maxAgeSeconds } = rules;
  const issuer = rules.issuer ?? String(claims["iss"]);
  const sinceMs = now.getTime() - maxAgeSeconds * 1000;
  const maxAge = maxAgeSeconds > 0 ? { seconds: maxAgeSeconds, sinceMs } : undefined;
  const read = wireValue(readJson(JSON.stringify({ ...claims, nonce: NONCE })));
  try {
    const provider = { issuer, clientId };
    await checkIdToken(isWireObject(read) ? read : {}, { provider, request: { nonce: NONCE, audiences, maxAge }, now });
    return undefined;
  } catch (failure) {
    if (failure instanceof TokenFailure) return failure.message;
    throw failure;
  }
}

/** A test cannot know the one of its login. */
const NONCE = "n";

interface AsJwt {
  /** In seconds. */
  readonly now: number;
  readonly boundIssuer: string | undefined;
}

/**
 * The same claims in a token for a role for JWTs, where the rules have accepted them. Such a role has other leeways, and is bound to
 * the other issuer of the configuration.
 */
export function asJwtClaims(claims: Claims, rules: BrowserRules, { now, boundIssuer = rules.issuer }: AsJwt): Claims {
  const { nbf: _, ...others } = claims;
  // An authorized party stands for the audience, too.
  const isBound = [claims["aud"]]
    .flat()
    .some((each) => each === rules.clientId || rules.audiences.includes(String(each)));
  const aud = isBound ? {} : { aud: rules.clientId };
  return { ...others, ...aud, ...(boundIssuer === undefined ? {} : { iss: boundIssuer }), iat: now, exp: now + 300 };
}

/** Those of these claims that cannot be judged. */
export const untoldNames = (claims: Claims, browser: BrowserRules | undefined): readonly string[] =>
  browser?.untold.filter((name) => name in claims) ?? [];

/** Why claims of a test cannot be judged; undefined where they can. */
export function untoldClaims(claims: Claims, browser: BrowserRules | undefined): string | undefined {
  const names = untoldNames(claims, browser);
  if (names.length === 0) return undefined;
  return `it cannot be told what ${listed(names, "and")} must be: ${WHERE}`;
}

const WHERE = "`oidcDiscoveryUrl` or `oidcClientId` of the auth method is not in this stack, secret, or not known yet";
