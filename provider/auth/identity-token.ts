import { readFile } from "node:fs/promises";
import type { JWTPayload } from "jose";
import { claimAt } from "../core/claim-at";
import { ProviderError } from "../core/errors";
import type { ConnectionLogin } from "../core/login-entry";
import { parseJson } from "../core/parse-json";
import { cutText } from "../core/plain-text";
import { isRecord } from "../core/unknowns";
import type { HttpAnswer, HttpRequest } from "../http/transport";
import { namedFile } from "./token";

type Environment = Readonly<Record<string, string | undefined>>;

/** What proves who the program is. */
export interface IdentityToken {
  readonly jwt: string;
  /** The variable, the file or the service that it came from, as a user knows it. */
  readonly place: string;
}

export interface IdentityTokenOptions {
  readonly env: Environment;
  /** Asks the service of a CI system. */
  readonly ask: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly now?: () => number;
}

/** Where CI systems and clusters leave the identity token of a job, in the order in which they are looked at. */
const VARIABLES = {
  VAULT_ID_TOKEN: "GitLab's id_tokens",
  TFC_WORKLOAD_IDENTITY_TOKEN: "HCP Terraform",
  PULUMI_OIDC_TOKEN: "Pulumi Cloud",
};
const SERVICE_ACCOUNT_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** The JWT of a login. @throws ConfigError where there is none, or where no server would accept it */
export async function identityToken(login: ConnectionLogin, options: IdentityTokenOptions): Promise<IdentityToken> {
  const found = await findIdentityToken(login, options);
  if (found === undefined) {
    const looked = ["ACTIONS_ID_TOKEN_REQUEST_URL", ...Object.keys(VARIABLES)].join(", ");
    const hint = options.env["GITHUB_ACTIONS"] ? ' A job of GitHub Actions needs "permissions: id-token: write".' : "";
    throw new ProviderError(
      "ConfigError",
      `no JWT was found in ${looked} or ${SERVICE_ACCOUNT_FILE}: name it with jwtEnv or jwtFile, or set a token of your own.${hint}`,
    );
  }
  await assertUsable(found, (options.now ?? Date.now)());
  return found;
}

/** The same, also where it can no longer be used; undefined where there is none. @throws ConfigError where a named place has none */
export async function findIdentityToken(
  login: ConnectionLogin,
  { env, ask }: IdentityTokenOptions,
): Promise<IdentityToken | undefined> {
  const { method, jwtEnv, jwtFile, audience } = login;
  if (jwtEnv !== undefined) return { jwt: variable(jwtEnv, env, "jwtEnv"), place: jwtEnv };
  if (jwtFile !== undefined) return { jwt: await namedFile(jwtFile), place: jwtFile };
  if (method === "kubernetes") return { jwt: await namedFile(SERVICE_ACCOUNT_FILE), place: SERVICE_ACCOUNT_FILE };
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (url && token) return { jwt: await ofGitHub({ url, token, audience, ask }), place: "GitHub Actions" };
  for (const [name, of] of Object.entries(VARIABLES)) {
    const jwt = env[name]?.trim();
    if (jwt) return { jwt, place: `${name} (${of})` };
  }
  const jwt = await readFile(SERVICE_ACCOUNT_FILE, "utf8").catch(() => "");
  return jwt.trim() === "" ? undefined : { jwt: jwt.trim(), place: SERVICE_ACCOUNT_FILE };
}

/** The text of a variable that the configuration names. @throws ConfigError where it is unset */
export function variable(name: string, env: Environment, field: string): string {
  const text = env[name]?.trim();
  if (text) return text;
  throw new ProviderError("ConfigError", `the environment variable ${name}, which ${field} names, is not set or blank`);
}

interface GitHubOptions extends Pick<IdentityTokenOptions, "ask"> {
  readonly url: string;
  readonly token: string;
  readonly audience: string | undefined;
}

async function ofGitHub({ url, token, audience, ask }: GitHubOptions): Promise<string> {
  if (!URL.canParse(url)) throw new ProviderError("ConfigError", "ACTIONS_ID_TOKEN_REQUEST_URL is no address");
  const address = new URL(url);
  if (audience !== undefined) address.searchParams.set("audience", audience);
  const headers = { authorization: `Bearer ${token}`, accept: "application/json", "user-agent": "trustplane" };
  const { status, text } = await ask({ method: "GET", url: address, headers });
  const answer = status === 200 ? parseJson(text) : undefined;
  const jwt = isRecord(answer) ? answer["value"] : undefined;
  if (typeof jwt === "string" && jwt !== "") return jwt;
  throw new ProviderError("ConfigError", `GitHub Actions answered ${status} and no JWT; run the job again`);
}

/** Servers allow clocks to differ by this much. */
const LEEWAY_SECONDS = 150;

/** Refuses what every server refuses, with a reason that servers do not always give. */
async function assertUsable({ jwt, place }: IdentityToken, nowMs: number): Promise<void> {
  const { exp, nbf } = await claimsOf(jwt, place);
  const now = Math.floor(nowMs / 1000);
  const refuse = (problem: string, todo: string) => {
    throw new ProviderError("ConfigError", `the JWT of ${place} ${problem}: ${todo}`);
  };
  if (exp !== undefined && exp + LEEWAY_SECONDS < now)
    refuse(`expired ${now - exp} seconds ago`, "get a new one; CI systems issue one for each job.");
  if (nbf !== undefined && nbf - LEEWAY_SECONDS > now)
    refuse(`is not valid before ${nbf - now} seconds from now`, "compare this machine's clock with its issuer's.");
}

/** Loads the library with the first JWT: a CLI starts a provider several times for a command, and most runs have a token. */
async function claimsOf(jwt: string, place: string): Promise<JWTPayload> {
  const { decodeJwt, errors } = await import("jose");
  try {
    return decodeJwt(jwt);
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new ProviderError("ConfigError", `what ${place} holds is no JWT`);
  }
}

/** Longer values are cut: a claim may be a whole document. */
const LONGEST_VALUE = 200;

/** What a JWT says about who it is for, and of the claims that a refusal names: to be compared with the role. */
export async function claimsText({ jwt, place }: IdentityToken): Promise<(refusal: string) => string> {
  const claims = await claimsOf(jwt, place);
  const { iss, aud, sub } = claims;
  const said = Object.entries({ issuer: iss, audience: [aud ?? []].flat().join(" and "), subject: sub });
  const texts = said.filter(([, value]) => value).map(([name, value]) => `${name} "${value}"`);
  return (refusal) => {
    const named = new Set([...refusal.matchAll(/claim "([^"]+)"/g)].map(([, name = ""]) => name));
    const values = [...named].map((name) => `claim "${name}" ${valueText(claimAt(claims, name))}`);
    const all = [...values, ...texts].join(", ") || "neither issuer, audience nor subject";
    return `The JWT of ${place} says ${all}: compare that with the role and the configuration of the auth method, or see \`trustplane explain token\`.`;
  };
}

function valueText(value: unknown): string {
  if (value === undefined) return "is not there";
  return cutText(JSON.stringify(value), LONGEST_VALUE);
}
