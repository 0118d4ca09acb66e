import { createHash } from "node:crypto";
import type { Context, Hono } from "hono";
import type { ExpiringMap } from "../framework/expiring-map";
import type { IssuerLogin } from "./authorize-endpoint";
import type { IssuerClient } from "./issuer-client";

export interface TokenOptions {
  readonly client: IssuerClient;
  /** Finished logins, by their code. */
  readonly codes: ExpiringMap<IssuerLogin>;
  /** The tokens for a login. */
  readonly tokens: (login: IssuerLogin) => Promise<Readonly<Record<string, unknown>>>;
}

/** `/token`: gives tokens for a code, once (OpenID Connect Core, section 3.1.3). */
export function addTokenEndpoint(app: Hono, { client, codes, tokens }: TokenOptions): void {
  app.post("/token", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const credentials = credentialsOf(context, form);
    if (credentials.id !== client.id || !client.isSecret(credentials.secret)) {
      return refuse(context, {
        status: 401,
        error: "invalid_client",
        why: "the client_id or the client_secret is wrong",
      });
    }
    if (form.get("grant_type") !== "authorization_code") {
      return refuse(context, { error: "unsupported_grant_type", why: "grant_type must be authorization_code" });
    }
    const login = codes.take(form.get("code") ?? "");
    const problem = login === undefined ? "the code is unknown, used or too old" : mismatch(login, form);
    if (login === undefined || problem !== undefined) {
      return refuse(context, { error: "invalid_grant", why: problem ?? "" });
    }
    return context.json(await tokens(login), 200, noStore);
  });
}

// RFC 6749, section 5.1.
const noStore = { "cache-control": "no-store", pragma: "no-cache" };

interface Refused {
  readonly status?: 400 | 401;
  readonly error: string;
  readonly why: string;
}

function refuse(context: Context, { status = 400, error, why }: Refused): Response {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Basic realm="token"' } : {};
  return context.json({ error, error_description: why }, status, { ...noStore, ...challenge });
}

/** `client_secret_basic`, else `client_secret_post`. */
function credentialsOf(context: Context, form: URLSearchParams): { id: string; secret: string } {
  const basic = /^Basic +(\S+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
  if (basic === undefined) return { id: form.get("client_id") ?? "", secret: form.get("client_secret") ?? "" };
  const [id = "", ...secret] = Buffer.from(basic, "base64").toString("utf8").split(":");
  return { id: formDecoded(id), secret: formDecoded(secret.join(":")) };
}

// RFC 6749, section 2.3.1: both are form-encoded before they are joined.
function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll("&", "%26")}`).get("text") ?? "";
}

function mismatch({ request }: IssuerLogin, form: URLSearchParams): string | undefined {
  if (form.get("redirect_uri") !== request.redirectUri)
    return "the redirect_uri is not the one that the code was sent to";
  const verifier = form.get("code_verifier") ?? undefined;
  const challenge = verifier === undefined ? undefined : createHash("sha256").update(verifier).digest("base64url");
  return challenge === request.challenge ? undefined : "the code_verifier is not that of the code_challenge";
}
