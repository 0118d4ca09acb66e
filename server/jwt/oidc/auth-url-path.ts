import { definePath, type OperationRequest, type Path } from "../../framework/backend";
import { goQuery, goQueryEscape } from "../../framework/go-url";
import { Refusal } from "../../framework/refusal";
import type { Storage } from "../../framework/storage";
import type { BrowserLoginProfile } from "../../profiles/secrets-profile";
import { TokenFailure } from "../compact-jws";
import type { ConfigRecord } from "../config-record";
import type { RoleRecord } from "../role-record";
import { type AuthRequests, authorizationParameters, beginAuthRequest } from "./auth-request";
import type { Provider } from "./client-provider";
import { isRedirectAllowed, withoutNamespace } from "./redirect-uri";

const fields = { role: "lowerCaseString", redirect_uri: "string", client_nonce: "string" } as const;

export interface OidcPathOptions {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly profile: BrowserLoginProfile;
  readonly requests: AuthRequests;
  /** @throws TokenFailure */
  readonly providerOf: (config: ConfigRecord) => Promise<Provider>;
}

/**
 * `oidc/auth_url`: where the browser logs in. After the first checks an error is an empty address:
 * the path needs no token, so it tells little.
 */
export function authUrlPath({ storage, now, requests, providerOf, profile }: OidcPathOptions): Path {
  const address = async ({ data }: OperationRequest<typeof fields>): Promise<string> => {
    const config = storage.get<ConfigRecord>("config");
    if (config === undefined) throw new Refusal("could not load configuration");
    if (config.oidc_client_id === "") throw new Refusal("OIDC login is not configured for this mount");
    const roleName = data.get("role") || config.default_role;
    if (roleName === "") throw new Refusal("missing role");
    const given = data.get("redirect_uri");
    const missing = new Refusal("missing redirect_uri");
    if (given === "" && !profile.looksForRoleFirst) throw missing;
    const role = storage.get<RoleRecord>(`role/${roleName}`);
    if (role === undefined) throw new Refusal(`role ${JSON.stringify(roleName)} could not be found`);
    if (given === "") throw missing;
    const destination = config.namespace_in_state ? withoutNamespace(given) : { uri: given, namespace: "" };
    const allowed = role.allowed_redirect_uris ?? [];
    if (destination === undefined || !isRedirectAllowed(destination.uri, { allowed, ...profile })) return "";
    // A login that began in Vault's web interface comes back to the API, which the provider posts to.
    const posts = config.oidc_response_mode === "form_post";
    const redirectUri = posts ? destination.uri.replace("ui/vault", "v1") : destination.uri;
    const provider = await reached(providerOf(config));
    if (provider === undefined) return "";
    const clientNonce = data.get("client_nonce");
    const request = beginAuthRequest({ config, role, roleName, redirectUri, clientNonce, now: now() });
    requests.put(request.state, request);
    const scopes = role.oidc_scopes ?? [];
    const parameters = goQuery(authorizationParameters(request, { clientId: provider.clientId, scopes }));
    const { authorization } = provider.endpoints;
    const url = `${authorization}${authorization.includes("?") ? "&" : "?"}${parameters}`;
    if (destination.namespace === "") return url;
    return url.replace(request.state, goQueryEscape(`${request.state},ns=${destination.namespace}`));
  };

  return definePath({
    pattern: "oidc/auth_url",
    fields,
    operations: { update: async (request) => ({ data: { auth_url: await address(request) } }) },
  });
}

async function reached(opening: Promise<Provider>): Promise<Provider | undefined> {
  try {
    return await opening;
  } catch (failure) {
    if (failure instanceof TokenFailure) return undefined;
    throw failure;
  }
}
