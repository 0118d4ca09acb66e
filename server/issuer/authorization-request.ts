import { type IssuerClient, type ResponseMode, responseModes } from "./issuer-client";

/** The request of a program to the authorize endpoint. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly responseType: "code" | "id_token";
  readonly responseMode: ResponseMode;
  readonly scopes: readonly string[];
  /** Sent back unchanged. */
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** Of PKCE, method S256. */
  readonly challenge: string | undefined;
}

/** Where an answer goes, and how. */
export type ReturnAddress = Pick<AuthorizationRequest, "redirectUri" | "responseMode" | "state">;

/** An error in the words of RFC 6749, section 4.1.2.1. */
export interface AuthorizationError {
  readonly error: string;
  readonly error_description: string;
}

export type ReadRequest =
  | { readonly request: AuthorizationRequest }
  /** Shown to the user: the browser must not be sent to an unregistered address. */
  | { readonly problem: string }
  /** Sent to the program. */
  | { readonly refusal: AuthorizationError; readonly to: ReturnAddress };

/** Reads the parameters of an authorization request (OpenID Connect Core, section 3.1.2.1). */
export function readAuthorizationRequest(parameters: URLSearchParams, client: IssuerClient): ReadRequest {
  const value = (name: string) => parameters.get(name) ?? "";
  if (value("client_id") !== client.id) return { problem: `No client has the client_id "${value("client_id")}".` };
  const redirectUri = value("redirect_uri");
  if (!client.allowsRedirect(redirectUri)) {
    return { problem: `The redirect_uri "${redirectUri}" is neither registered nor of this machine.` };
  }
  const responseType = value("response_type");
  const mode = value("response_mode") || client.settings().responseMode;
  const state = parameters.get("state") ?? undefined;
  const responseMode = responseModes.find((each) => each === mode);
  const refuse = (error: string, error_description: string) => ({
    refusal: { error, error_description },
    to: { redirectUri, responseMode: responseMode ?? "query", state },
  });
  if (responseType !== "code" && responseType !== "id_token") {
    return refuse("unsupported_response_type", "response_type must be code or id_token");
  }
  if (responseMode === undefined) return refuse("invalid_request", "response_mode must be query or form_post");
  // A token in a query ends up in logs and histories.
  if (responseType === "id_token" && responseMode !== "form_post") {
    return refuse("invalid_request", "an id_token needs the response_mode form_post");
  }
  const scopes = value("scope").split(" ");
  if (!scopes.includes("openid")) return refuse("invalid_scope", "the scope must include openid");
  const nonce = parameters.get("nonce") ?? undefined;
  if (responseType === "id_token" && nonce === undefined) return refuse("invalid_request", "an id_token needs a nonce");
  const challenge = parameters.get("code_challenge") ?? undefined;
  if (challenge !== undefined && value("code_challenge_method") !== "S256") {
    return refuse("invalid_request", "code_challenge_method must be S256");
  }
  if (value("prompt").split(" ").includes("none")) {
    return refuse("login_required", "nobody is logged in here between two requests");
  }
  return { request: { redirectUri, responseType, responseMode, scopes, state, nonce, challenge } };
}
