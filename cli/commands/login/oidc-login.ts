import { randomBytes } from "node:crypto";
import { formatDuration } from "../../../provider/core/duration";
import { ProviderError } from "../../../provider/core/errors";
import { parseJson } from "../../../provider/core/parse-json";
import { requestPath } from "../../../provider/core/template";
import { isRecord } from "../../../provider/core/unknowns";
import { dialects } from "../../../provider/dialects";
import type { Answer, IssuedToken } from "../../../provider/dialects/dialect";
import { apiError, recordIn, saidIn } from "../../../provider/engine/answer";
import type { ApiRequest } from "../../../provider/engine/api-request";
import { issuedIn } from "../../../provider/engine/login-session";
import { createSender } from "../../../provider/engine/send-request";
import type { Settings } from "../../../provider/engine/settings";
import { fewWords, type Redact, redactor } from "../../../provider/http/redact";
import { shortLine } from "../../text/visible-text";

export interface OidcLoginOptions {
  readonly settings: Settings;
  readonly mount: string;
  readonly role: string | undefined;
  readonly redirectUri: string;
  readonly signal: AbortSignal;
}

/** A login that waits for a browser. */
export interface StartedLogin {
  /** Where the person logs in. */
  readonly url: URL;
  /** What the answer must carry. */
  readonly state: string;
  /** Exchanges the answer for a token. @throws ConfigError, ApiError and ResponseError where there is none */
  complete(query: URLSearchParams): Promise<LoggedIn>;
}

/** A token, and whom the server has logged in, in its own words. */
export interface LoggedIn extends IssuedToken {
  readonly name: string | undefined;
  readonly policies: readonly string[];
  /** Gives the token back, as far as the server can be reached. */
  revoke(): Promise<void>;
}

const { vault } = dialects;
const REVOCATION: ApiRequest = { method: "POST", path: vault.logins.end, members: {} };
const LONGEST_END_MS = 5_000;

/** Asks the server for the address to log in at. @throws ApiError, ConfigError, NetworkError and ResponseError */
export async function startOidcLogin(options: OidcLoginOptions): Promise<StartedLogin> {
  const { settings, mount, role, redirectUri, signal } = options;
  const hidden = settings.headers.secrets;
  const send = createSender(settings, vault, { log: () => {} });
  // Who sees the answer of the browser cannot exchange it without this.
  const clientNonce = randomBytes(24).toString("base64url");

  async function asked(request: ApiRequest, secrets: readonly string[], token?: string): Promise<Answer> {
    const redact = redactor([clientNonce, token, ...hidden, ...secrets]);
    const answer = await send({ signal, ...request }, { token, namespace: settings.namespace, redact });
    if (answer.status >= 200 && answer.status <= 299) return answer;
    throw apiError(vault, { request, redact }, answer, adviceOn(answer, options));
  }

  const request: ApiRequest = {
    method: "POST",
    path: requestPath("auth/{mount}/oidc/auth_url", { mount }),
    members: { ...(role === undefined ? {} : { role }), redirect_uri: redirectUri, client_nonce: clientNonce },
    mints: true,
    expects: "record",
  };
  const { record } = recordIn(vault, { request, redact: redactor([clientNonce, ...hidden]) }, await asked(request, []));
  const { url, state } = addressIn(record, options);

  return {
    url,
    state,
    async complete(query) {
      const code = query.get("code") ?? "";
      const redact = redactor([clientNonce, code, ...hidden]);
      if (code === "") throw refusedByProvider(query, redact);
      const given = new URLSearchParams({ state, code, client_nonce: clientNonce });
      const path = requestPath("auth/{mount}/oidc/callback", { mount });
      const answer = await asked({ method: "GET", path: `${path}?${given}`, mints: true }, [code]);
      const auth = authIn(answer);
      if (isRecord(auth["mfa_requirement"])) {
        const todo = "Use `vault login -method=oidc`, which asks for it.";
        throw new ProviderError(
          "ConfigError",
          `the server asks for a second factor, which this command cannot. ${todo}`,
        );
      }
      const issued = issuedIn(vault.logins, answer);
      const { token } = issued;
      // The login may have been given up by now, and its token goes all the same.
      const revoke = () =>
        asked({ ...REVOCATION, signal: AbortSignal.timeout(LONGEST_END_MS) }, [], token).then(
          () => {},
          () => {},
        );
      return { ...issued, name: await nameOf(token, auth), policies: textsIn(auth["policies"]), revoke };
    },
  };

  /** A login is not answered the name. A token that works a few times only is not used up to ask for it. */
  async function nameOf(token: string, auth: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    if (Number(auth["num_uses"] ?? 0) > 0) return undefined;
    const answer = await asked({ method: "GET", path: "auth/token/lookup-self" }, [], token).catch(() => undefined);
    const data = answer && vault.record(parseJson(answer.text));
    const name = isRecord(data) ? data["display_name"] : undefined;
    return typeof name === "string" && name !== "" ? name : undefined;
  }
}

/** Who it is, what they may do, and for how long. */
export function ownerText({ name, policies, seconds, renewable, isBatch }: LoggedIn): string {
  const words = [
    name === undefined ? "" : ` as ${shortLine(name, 100)}`,
    `policies ${shortLine(policies.join(", "), 300) || "none"}`,
    seconds > 0 ? `for ${formatDuration(seconds)}` : "without an end",
    renewable && !isBatch ? "renewable" : "not renewable",
  ];
  return words.join("; ");
}

function addressIn(
  record: unknown,
  { mount, role, redirectUri }: OidcLoginOptions,
): Pick<StartedLogin, "url" | "state"> {
  const text = isRecord(record) ? record["auth_url"] : undefined;
  if (text === "") {
    // After its first checks the server answers every failure so.
    const whose = role === undefined ? `the default role of auth/${mount}` : `the role ${JSON.stringify(role)}`;
    throw new ProviderError(
      "ConfigError",
      `the server gives no address to log in at: ${whose} lacks ${redirectUri} in allowed_redirect_uris, or the server cannot reach the identity provider. Its log says which.`,
    );
  }
  const url = typeof text === "string" ? URL.parse(text) : null;
  const state = url?.searchParams.get("state");
  // A browser would open a file or a program as well.
  if (!url || !/^https?:$/.test(url.protocol) || !state)
    throw new ProviderError("ResponseError", "the server answered no address of a login page. Check the address.");
  if (url.searchParams.get("response_mode") === "form_post") {
    const setting = `oidc_response_mode of auth/${mount}/config is form_post`;
    throw new ProviderError(
      "ConfigError",
      `${setting}, so that the provider answers the server and not this command: set it to query, or log in with the server's web interface.`,
    );
  }
  return { url, state };
}

/** The provider's own words (RFC 6749, section 4.1.2.1). */
function refusedByProvider(query: URLSearchParams, redact: Redact): ProviderError {
  const said = fewWords([query.get("error") ?? "", query.get("error_description") ?? ""], redact).join(": ");
  return new ProviderError("ConfigError", `the identity provider refused the login: ${said || "it gave no reason"}.`);
}

/** What to do about a refusal: none of them is about a token, for there is none yet. */
function adviceOn(answer: Answer, { mount, settings: { namespace } }: OidcLoginOptions): string | undefined {
  const said = saidIn(vault, answer, redactor([])).join("; ");
  const within = namespace ? ` in the namespace ${namespace}` : "";
  const rows: readonly (readonly [RegExp, string])[] = [
    [/missing role/, `Give --role, or set default_role of auth/${mount}/config.`],
    [/role .* could not be found/, "Correct --role."],
    [
      /not configured for this mount|could not load configuration/i,
      `Set oidc_discovery_url and oidc_client_id of auth/${mount}/config, or give another --mount.`,
    ],
    [/OAuth state/, "The login took too long, or somebody else has completed it: run the command again."],
  ];
  const known = rows.find(([text]) => text.test(said))?.[1];
  if (known) return known;
  if (answer.status === 403 || answer.status === 404 || /missing client token|unsupported (path|operation)/.test(said))
    return `Is there an OIDC auth method at auth/${mount}${within}? Give its path with --mount, its namespace with --namespace.`;
  return undefined;
}

function authIn({ text }: Answer): Readonly<Record<string, unknown>> {
  const json = parseJson(text);
  const auth = isRecord(json) ? json["auth"] : undefined;
  return isRecord(auth) ? auth : {};
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];
}
