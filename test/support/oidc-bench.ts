import type { Running, ServiceAddress } from "../../server/serve.ts";
import { type Answer, type Ask, askSecrets } from "../server/frame-harness.ts";

/** A secrets server, real or embedded, whose mount `auth/people` trusts the issuer of an embedded one. */
export interface OidcBench {
  readonly ask: Ask;
  readonly issuer: NonNullable<Running["issuer"]>;
  /** Writes the configuration anew, for the issuer's client. */
  configure(fields?: Fields): Promise<void>;
  /** Writes the role `engineer` anew. */
  role(fields?: Fields): Promise<void>;
  /** Asks for the address to log in at; `""` when there is none. */
  authUrl(fields?: Fields): Promise<string>;
  /** As `authUrl`, for the parameters of an address that must be there. */
  begin(fields?: Fields): Promise<Begun>;
  callback(query: Readonly<Record<string, string>>): Promise<Answer>;
  /** A POST of the provider to the callback. */
  post(form: Readonly<Record<string, string>>): Promise<Answer>;
  /** What the whole login answers. */
  logIn(login?: LoginForm): Promise<Answer>;
  /** Asks the admin interface of the issuer. */
  admin(request: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A JWT of the issuer. */
  mint(claims: Fields): Promise<string>;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Begun {
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
}

/** Where the command line of Vault waits for the browser. */
export const cliRedirect = "http://localhost:8250/oidc/callback";
/** Where a provider posts to. */
export const apiRedirect = "https://vault.example.com/v1/auth/people/oidc/callback";

export function createOidcBench(
  secrets: ServiceAddress,
  { issuer, admin: at }: Pick<Running, "issuer" | "admin">,
): OidcBench {
  if (issuer === undefined) throw new Error("the server has no issuer");
  const ask = askSecrets({ secrets });
  const must = async (request: string, body?: unknown) => {
    const answer = await ask(request, body);
    if (answer.status > 299) throw new Error(`${request}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const admin: OidcBench["admin"] = async (request, body) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { authorization: `Bearer ${at.token}` };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${at.address}/${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${request}: ${answer.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  const authUrl: OidcBench["authUrl"] = async (fields = {}) => {
    const asked = { role: "engineer", redirect_uri: cliRedirect, ...fields };
    const { data } = await ask("POST auth/people/oidc/auth_url", asked, { token: null });
    return String(data?.["auth_url"]);
  };
  const begin: OidcBench["begin"] = async (fields) => {
    const url = await authUrl(fields);
    const parameters = new URL(url).searchParams;
    return { url, state: parameters.get("state") ?? "", nonce: parameters.get("nonce") ?? "" };
  };
  const callback: OidcBench["callback"] = (query) =>
    ask(`GET auth/people/oidc/callback?${new URLSearchParams(query)}`, undefined, { token: null });
  return {
    ask,
    issuer,
    admin,
    authUrl,
    begin,
    callback,
    configure: async (fields = {}) => {
      const client = { oidc_client_id: issuer.clientId, oidc_client_secret: issuer.clientSecret };
      await must("POST auth/people/config", { oidc_discovery_url: issuer.address, ...client, ...fields });
    },
    role: async (fields = {}) => {
      await must("DELETE auth/people/role/engineer");
      const usual = { user_claim: "sub", allowed_redirect_uris: [cliRedirect], token_policies: ["deploy"] };
      await must("POST auth/people/role/engineer", { ...usual, ...fields });
    },
    post: (form) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return ask("POST auth/people/oidc/callback", String(new URLSearchParams(form)), { token: null, headers });
    },
    logIn: async (login) => callback(await answeredBy((await begin()).url, login)),
    mint: async (claims) => String((await admin("POST issuer/tokens", { claims }))["token"]),
  };
}

export interface LoginForm {
  readonly user?: string;
  /** JSON, as typed. */
  readonly claims?: string;
  readonly action?: "log in" | "refuse";
}

/** Fills in the authorize page as a browser without scripts does. */
export async function submitLogin(authUrl: string, login: LoginForm = {}): Promise<Response> {
  const page = await fetch(authUrl, { redirect: "manual" });
  const ticket = /name="ticket" value="(\w+)"/.exec(await page.text())?.[1];
  if (ticket === undefined) throw new Error(`no authorize page at ${authUrl}`);
  const body = new URLSearchParams({ ticket, user: "alice", claims: "", action: "log in", ...login });
  return fetch(new URL("/authorize", authUrl), { method: "POST", body, redirect: "manual" });
}

/** Logs in at the authorize page; answers what the issuer sends back, in either response mode. */
export async function answeredBy(authUrl: string, login: LoginForm = {}): Promise<Record<string, string>> {
  const response = await submitLogin(authUrl, login);
  const location = response.headers.get("location");
  if (location !== null) return Object.fromEntries(new URL(location).searchParams);
  const fields = (await response.text()).matchAll(/name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = "", value = ""]) => [name, value]));
}
