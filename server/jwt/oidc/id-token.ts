import { goValueText } from "../../framework/go-format";
import { isNumberText, type WireObject } from "../../framework/wire-value";
import { type Registered, registeredClaims } from "../check-claims";
import { memberOf } from "../claims";
import { TokenFailure } from "../compact-jws";
import { reworded } from "../reworded";
import { parsedForRemote } from "../verifying-keys";
import type { AuthRequest } from "./auth-request";
import type { Provider } from "./client-provider";
import { withKind } from "./failure-kind";

export interface Verifying {
  readonly provider: Provider;
  readonly request: AuthRequest;
  readonly now: Date;
}

/** The claims of an ID token that the provider has made for this login; the checks in the order of Vault's libraries. @throws TokenFailure */
export async function verifiedIdToken(token: string, verifying: Verifying): Promise<WireObject> {
  const failing = (text: string) => new TokenFailure(`Provider.VerifyIDToken: ${text}`);
  return reworded(failing, async () => {
    const claims = await signedClaims(token, verifying);
    await checkIdToken(claims, verifying);
    return claims;
  });
}

const refused = (text: string) => new TokenFailure(`invalid id_token: ${withKind(text)}`);

async function signedClaims(token: string, { provider }: Verifying): Promise<WireObject> {
  return await reworded(refused, async () => {
    parsedForRemote(token, provider.accepting);
    return await reworded(
      (text) => new TokenFailure(`failed to verify signature: ${text}`),
      () => provider.keys.claimsOf(token),
    );
  });
}

/** What an ID token must say. */
export interface IdTokenRules {
  readonly provider: Pick<Provider, "issuer" | "clientId">;
  readonly request: Pick<AuthRequest, "nonce" | "audiences" | "maxAge">;
  readonly now: Date;
}

/** Checks the claims of an ID token whose signature is right. @throws TokenFailure */
export async function checkIdToken(claims: WireObject, rules: IdTokenRules): Promise<void> {
  const registered = await reworded(
    (text) => refused(`oidc: failed to unmarshal claims: ${text}`),
    () => registeredClaims(claims),
  );
  checkIssuer(registered, rules);
  checkIssued(claims, registered, rules);
  checkAudience(claims, registered.aud, rules);
  checkLoginTime(claims, rules.request);
}

function checkIssuer({ iss, exp, nbf }: Registered, { provider, now }: IdTokenRules): void {
  if (iss !== provider.issuer) {
    const difference = `expected ${JSON.stringify(provider.issuer)} got ${JSON.stringify(iss)}`;
    throw refused(`oidc: id token issued by a different provider, ${difference}`);
  }
  if (exp * 1000 < now.getTime()) throw refused(`oidc: token is expired (Token Expiry: ${goTimeText(exp)})`);
  if (now.getTime() + notBeforeLeewayMs < nbf * 1000) {
    const times = `current time ${goTimeText(now.getTime() / 1000)} before the nbf (not before) time: ${goTimeText(nbf)}`;
    throw refused(`oidc: ${times}`);
  }
}

const leewayMs = 60_000;
const notBeforeLeewayMs = 5 * leewayMs;

function checkIssued(claims: WireObject, { iat, sub, aud }: Registered, { request, now }: IdTokenRules): void {
  if (memberOf(claims, "nonce") !== request.nonce) throw new TokenFailure("invalid id_token nonce: invalid nonce");
  if (now.getTime() + leewayMs < iat * 1000) {
    const times = `current time ${goTimeText(now.getTime() / 1000)} before the iat (issued at) time ${goTimeText(iat)}`;
    throw new TokenFailure(`invalid id_token ${times}: invalid issued at (iat)`);
  }
  if (sub === "") throw new TokenFailure("invalid id_token: sub: missing required claim");
  if (aud.length === 0) throw new TokenFailure("invalid id_token: aud: missing required claim");
}

function checkAudience(claims: WireObject, aud: readonly string[], { provider, request }: IdTokenRules): void {
  const { clientId } = provider;
  if (request.audiences.length > 0 && !request.audiences.some((each) => aud.includes(each))) {
    const problem = "invalid id_token audiences: verifyAudiences: invalid id_token audiences";
    throw new TokenFailure(`${problem}: invalid audience`);
  }
  const refuse = (problem: string) => new TokenFailure(`invalid id_token: ${problem}`);
  if (aud.length > 1 && !aud.includes(clientId)) {
    const which = `multiple audiences ([${aud.join(" ")}]) and one of them is not equal client_id (${clientId})`;
    throw refuse(`${which}: invalid audience`);
  }
  const azp = memberOf(claims, "azp");
  if (azp === clientId) return;
  const party = `authorized party (${azp === undefined ? "%!s(<nil>)" : goValueText(azp)}) is not equal client_id (${clientId})`;
  if (azp !== undefined) throw refuse(`${party}: invalid authorized party (azp)`);
  if (aud.length > 1) throw refuse(`multiple audiences and ${party}: invalid authorized party (azp)`);
  if (aud[0] === clientId) return;
  const which = `one audience (${aud[0]}) which is not the client_id (${clientId})`;
  throw refuse(`${which} and ${party}: invalid authorized party (azp)`);
}

function checkLoginTime(claims: WireObject, { maxAge }: IdTokenRules["request"]): void {
  if (maxAge === undefined) return;
  const claim = memberOf(claims, "auth_time");
  if (!isNumberText(claim)) {
    throw new TokenFailure("missing auth_time claim when max age was requested: missing required claim");
  }
  const time = Math.trunc(Number(claim.rawJSON));
  if (time * 1000 + leewayMs > maxAge.sinceMs) return;
  const bound = `${maxAge.seconds} / ${goTimeText(maxAge.sinceMs / 1000)}`;
  throw new TokenFailure(`auth_time (${goTimeText(time)}) is beyond max age (${bound}): expired auth_time`);
}

/** A time as Go prints it; a missing one is in the year 1. */
function goTimeText(seconds: number): string {
  if (seconds === 0) return "0001-01-01 00:00:00 +0000 UTC";
  const text = new Date(seconds * 1000).toISOString();
  return `${text.replace("T", " ").replace(/\.?0*Z$/, "")} +0000 UTC`;
}
