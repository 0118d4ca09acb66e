import { createHash } from "node:crypto";
import { goQueryEscape } from "../../framework/go-url";
import type { WireObject } from "../../framework/wire-value";
import { memberOf } from "../claims";
import { decodedObject, parseCompactJws, TokenFailure } from "../compact-jws";
import { type Asked, askOnce, FetchFailure } from "../fetch-document";
import { reworded } from "../reworded";
import type { Provider } from "./client-provider";
import { withKind } from "./failure-kind";
import { type Verifying, verifiedIdToken } from "./id-token";

export interface ExchangedTokens {
  /** Of the ID token. */
  readonly claims: WireObject;
  readonly idToken: string;
  readonly accessToken: string;
}

/** Exchanges an authorization code for tokens, and verifies them. @throws TokenFailure */
export async function exchangedTokens(code: string, { provider, request, now }: Verifying): Promise<ExchangedTokens> {
  const { verifier, state, endMs, redirectUri } = request;
  if (verifier === undefined) {
    throw new TokenFailure(
      `Provider.Exchange: request (${state}) should not be using the implicit flow: invalid OIDC flow`,
    );
  }
  if (endMs < now.getTime()) {
    throw new TokenFailure("Provider.Exchange: authentication request is expired: invalid parameter");
  }
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier };
  const answer = await reworded(failing("unable to exchange auth code with provider"), () =>
    askForTokens(provider, form),
  );
  const idToken = memberOf(answer, "id_token");
  if (typeof idToken !== "string") {
    throw new TokenFailure("Provider.Exchange: id_token is missing from auth code exchange: id_token is missing");
  }
  const claims = await reworded(failing("id_token failed verification"), () =>
    verifiedIdToken(idToken, { provider, request, now }),
  );
  const accessToken = String(answer["access_token"]);
  if (!isHashOf(claims["at_hash"], { text: accessToken, idToken })) {
    const problem = "VerifyAccessToken: verifyHashClaim: access_token hash does not match value in id_token";
    throw new TokenFailure(`Provider.Exchange: access_token failed verification: ${problem}`);
  }
  if (claims["c_hash"] !== "" && !isHashOf(claims["c_hash"], { text: code, idToken })) {
    const problem = "VerifyAccessToken: verifyHashClaim: authorization code hash does not match value in id_token";
    throw new TokenFailure(`Provider.Exchange: code hash failed verification: ${problem}`);
  }
  return { claims, idToken, accessToken };
}

function failing(what: string): (text: string) => TokenFailure {
  return (text) => new TokenFailure(`Provider.Exchange: ${what}: ${text}`);
}

/** Go's client does not know how the provider expects the credentials, so it tries both ways every time. */
async function askForTokens(provider: Provider, form: Readonly<Record<string, string>>): Promise<WireObject> {
  const { clientId, clientSecret, caPem } = provider;
  const credentials = `${goQueryEscape(clientId)}:${goQueryEscape(clientSecret)}`;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  const ask = async (asking: Parameters<typeof askOnce>[1]) =>
    tokensIn(await askOnce(provider.endpoints.token, asking));
  try {
    try {
      return await ask({ caPem, headers, form: new URLSearchParams(form) });
    } catch {
      const secrets = { client_id: clientId, client_secret: clientSecret };
      return await ask({ caPem, form: new URLSearchParams({ ...form, ...secrets }) });
    }
  } catch (failure) {
    if (failure instanceof FetchFailure || failure instanceof TokenFailure) {
      throw new TokenFailure(withKind(failure.message));
    }
    throw failure;
  }
}

function tokensIn({ status, reason, contentType, body }: Asked): WireObject {
  const isFailure = status < 200 || status > 299;
  const refusal = new TokenFailure(`oauth2: cannot fetch token: ${status} ${reason}\nResponse: ${body}`);
  let answer: WireObject;
  try {
    answer = membersOf(body, contentType);
  } catch (failure) {
    if (!(failure instanceof TokenFailure)) throw failure;
    throw isFailure ? refusal : new TokenFailure(`oauth2: cannot parse json: ${failure.message}`);
  }
  const text = (name: string) => (typeof answer[name] === "string" ? answer[name] : "");
  const code = text("error");
  if (code !== "") {
    const details = [code, text("error_description"), text("error_uri")].filter((detail) => detail !== "");
    throw new TokenFailure(`oauth2: ${details.map((detail) => JSON.stringify(detail)).join(" ")}`);
  }
  if (isFailure) throw refusal;
  if (text("access_token") === "") throw new TokenFailure("oauth2: server response missing access_token");
  return answer;
}

function membersOf(body: string, contentType: string): WireObject {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/x-www-form-urlencoded" && type !== "text/plain") {
    return decodedObject(body, "internal.tokenJSON");
  }
  return Object.fromEntries(new URLSearchParams(body));
}

/** OpenID Connect Core, section 3.1.3.6: half of the hash that the signature uses. A claim that is missing is not checked. */
function isHashOf(claim: unknown, { text, idToken }: { text: string; idToken: string }): boolean {
  const bits = /^(?:RS|PS|ES)(256|384|512)$/.exec(String(parseCompactJws(idToken).header["alg"]))?.[1];
  if (typeof claim !== "string" || bits === undefined) return true;
  const hash = createHash(`sha${bits}`).update(text).digest();
  return hash.subarray(0, hash.length / 2).toString("base64url") === claim;
}
