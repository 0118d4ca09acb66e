import { definePath, type Login, type OperationRequest, type Page, type Path } from "../../framework/backend";
import { isWithinBounds } from "../../framework/bound-address";
import { goQuoted } from "../../framework/go-quoted";
import { Failure, Refusal } from "../../framework/refusal";
import type { WireObject } from "../../framework/wire-value";
import { memberOf } from "../claims";
import type { ConfigRecord } from "../config-record";
import { grantedLogin } from "../granted-login";
import { reworded } from "../reworded";
import type { RoleRecord } from "../role-record";
import type { OidcPathOptions } from "./auth-url-path";
import { noCode, postedPage, refusedPage } from "./callback-page";
import { type ExchangedTokens, exchangedTokens } from "./exchange-code";
import { type Verifying, verifiedIdToken } from "./id-token";
import { mountInRedirect } from "./redirect-uri";
import { withUserInfo } from "./user-info";

const fields = { state: "string", code: "string", id_token: "string", client_nonce: "string" } as const;
type CallbackRequest = OperationRequest<typeof fields>;

/** `oidc/callback`: the end of a login through a browser; a POST stores what the provider posts. */
export function callbackPath({ storage, now, requests, providerOf, profile }: OidcPathOptions): Path {
  const failed = (reason: string) => new Refusal(`${profile.failed} ${reason}`);
  const badCode = (text: string) => failed(`Error exchanging oidc code: ${goQuoted(text)}.`);

  const login = async ({ data, remoteAddress }: CallbackRequest): Promise<Login> => {
    const config = storage.get<ConfigRecord>("config");
    if (config === undefined) throw failed("Could not load configuration");
    const request = requests.take(data.get("state"));
    if (request === undefined) throw failed("Expired or missing OAuth state.");
    const { clientNonce, roleName, posted } = request;
    if (clientNonce !== "" && data.get("client_nonce") !== clientNonce) throw new Refusal("invalid client_nonce");
    const role = storage.get<RoleRecord>(`role/${roleName}`);
    if (role === undefined) throw failed("Role could not be found");
    if (!isWithinBounds(remoteAddress, role.token_bound_cidrs)) {
      throw new Refusal("permission denied", { status: 403 });
    }
    const provider = await reworded(
      (text) => new Failure(`error getting provider for login operation: ${text}`),
      () => providerOf(config),
    );
    const code = data.get("code") === noCode ? (posted?.code ?? "") : data.get("code");
    const idToken = posted?.idToken ?? "";
    if (code === "" && idToken === "") throw failed("No code or id_token received.");
    const verifying = { provider, request, now: now() };
    const tokens =
      code === ""
        ? await postedToken(idToken, verifying)
        : await reworded(badCode, () => exchangedTokens(code, verifying));
    const { nonce: _nonce, ...claims } = tokens.claims;
    if (role.bound_subject !== "" && role.bound_subject !== memberOf(claims, "sub")) {
      const problem = "sub claim does not match bound subject";
      throw profile.coversClaims ? failed(problem) : new Failure(problem);
    }
    const { accessToken } = tokens;
    const all = accessToken === "" ? claims : await withUserInfo({ provider, accessToken, claims });
    try {
      return grantedLogin(all, { role, roleName, remoteAddress });
    } catch (failure) {
      throw profile.coversClaims && failure instanceof Refusal ? failed(failure.message) : failure;
    }
  };

  const post = ({ data }: CallbackRequest): Page => {
    const config = storage.get<ConfigRecord>("config");
    if (config === undefined) throw failed("Could not load configuration.");
    if (config.oidc_response_mode !== "form_post") return { status: 405, contentType: "application/json", body: "" };
    const state = data.get("state");
    const request = requests.get(state);
    if (request === undefined) return refusedPage(profile.failed, "Expired or missing OAuth state.");
    requests.put(state, { ...request, posted: { code: data.get("code"), idToken: data.get("id_token") } });
    const mount = mountInRedirect(request.redirectUri);
    return mount === undefined ? refusedPage(profile.failed, "Invalid redirect path.") : postedPage({ mount, state });
  };

  return definePath({
    pattern: "oidc/callback",
    fields,
    operations: {
      read: async (request) => ({ login: await login(request) }),
      update: (request) => ({ page: post(request) }),
    },
  });
}

type VerifiedTokens = Pick<ExchangedTokens, "claims" | "accessToken">;

async function postedToken(idToken: string, verifying: Verifying): Promise<VerifiedTokens> {
  const wording = (text: string) => new Refusal(`Token verification failed. ${text}`);
  const claims: WireObject = await reworded(wording, () => verifiedIdToken(idToken, verifying));
  return { claims, accessToken: "" };
}
