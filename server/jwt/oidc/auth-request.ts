import { createHash } from "node:crypto";
import { createExpiringMap, type ExpiringMap } from "../../framework/expiring-map";
import { randomName } from "../../secrets/token-store";
import type { ConfigRecord } from "../config-record";
import type { RoleRecord } from "../role-record";

/** A started login: the parameters of its request, and the values that must come back. */
export interface AuthRequest {
  readonly state: string;
  readonly nonce: string;
  readonly roleName: string;
  readonly redirectUri: string;
  /** `""` when none has to come back. */
  readonly clientNonce: string;
  /** Of the role as it was; empty for any. */
  readonly audiences: readonly string[];
  /** Of PKCE (RFC 7636). Without one the answer has the ID token itself. */
  readonly verifier: string | undefined;
  /** The user must not have logged in before this time. */
  readonly maxAge: { readonly seconds: number; readonly sinceMs: number } | undefined;
  readonly endMs: number;
  /** What the provider has posted. */
  readonly posted?: { readonly code: string; readonly idToken: string };
}

/** Started logins, by their state. */
export type AuthRequests = ExpiringMap<AuthRequest>;

const lifetimeMs = 10 * 60 * 1000;

export function createAuthRequests(now: () => Date): AuthRequests {
  return createExpiringMap({ lifetimeMs, now });
}

export interface Beginning {
  readonly config: ConfigRecord;
  readonly role: RoleRecord;
  readonly roleName: string;
  readonly redirectUri: string;
  readonly clientNonce: string;
  readonly now: Date;
}

export function beginAuthRequest({ config, role, roleName, redirectUri, clientNonce, now }: Beginning): AuthRequest {
  const asksForToken = config.oidc_response_types.includes("id_token");
  // Vault compares whole seconds.
  const sinceMs = Math.floor(now.getTime() / 1000 - role.max_age) * 1000;
  return {
    state: `st_${randomName(20)}`,
    nonce: `n_${randomName(20)}`,
    roleName,
    redirectUri,
    clientNonce,
    audiences: role.bound_audiences ?? [],
    verifier: asksForToken ? undefined : randomName(43),
    maxAge: role.max_age > 0 ? { seconds: role.max_age, sinceMs } : undefined,
    endMs: now.getTime() + lifetimeMs,
  };
}

/** The parameters with which the browser is sent to the provider. */
export function authorizationParameters(
  request: AuthRequest,
  { clientId, scopes }: { clientId: string; scopes: readonly string[] },
): [string, string][] {
  const { state, nonce, redirectUri, verifier, maxAge } = request;
  const answer: [string, string][] =
    verifier === undefined
      ? [
          ["response_type", "id_token"],
          ["response_mode", "form_post"],
        ]
      : [
          ["response_type", "code"],
          ["code_challenge", createHash("sha256").update(verifier).digest("base64url")],
          ["code_challenge_method", "S256"],
        ];
  return [
    ...answer,
    ["client_id", clientId],
    ["redirect_uri", redirectUri],
    ["scope", ["openid", ...scopes.filter((scope) => scope !== "openid")].join(" ")],
    ["state", state],
    ["nonce", nonce],
    ...(maxAge === undefined ? [] : [["max_age", String(maxAge.seconds)] satisfies [string, string]]),
  ];
}
