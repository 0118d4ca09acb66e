import { createHash } from "node:crypto";
import { Hono } from "hono";
import { madeOnce, type Tables } from "../data/tables";
import { createExpiringMap } from "../framework/expiring-map";
import type { FetchService } from "../http/fetch-exchange";
import { randomName } from "../secrets/token-store";
import { addAuthorizeEndpoint, type IssuerLogin } from "./authorize-endpoint";
import { createIssuerClient, type IssuerClient, responseModes } from "./issuer-client";
import {
  type Claims,
  claimsInScope,
  createIssuerUsers,
  exampleUsers,
  type IssuerUsers,
  scopesSupported,
} from "./issuer-users";
import { addTokenEndpoint } from "./token-endpoint";
import { createTokenSigner, newSigningKey } from "./token-signer";
import { addUserinfoEndpoint } from "./userinfo-endpoint";

/** A small OpenID Connect provider. */
export interface Issuer {
  readonly service: FetchService;
  readonly client: IssuerClient;
  readonly users: IssuerUsers;
  /** A JWT of this issuer, an hour long, as any program could present one. `null` leaves out a claim that is there by default. */
  mint(claims: Claims): Promise<string>;
}

export interface IssuerOptions {
  readonly now: () => Date;
  /** Keeps the client, its secret, the users and the key; codes and access tokens end with the process. */
  readonly tables: Tables;
  /** Where it listens: the issuer's name in its tokens. */
  readonly address: () => string;
}

const codeLifetimeMs = 60_000;
const tokenSeconds = 3600;

export function createIssuer({ now, tables, address }: IssuerOptions): Issuer {
  const { client, users, signer } = openIssuer(tables);
  const codes = createExpiringMap<IssuerLogin>({ lifetimeMs: codeLifetimeMs, now });
  const accessTokens = createExpiringMap<Claims>({ lifetimeMs: tokenSeconds * 1000, now });
  const times = () => {
    const iat = Math.floor(now().getTime() / 1000);
    return { iat, exp: iat + tokenSeconds };
  };
  const mint = (claims: Claims) => {
    const all = Object.entries({ iss: address(), ...times(), ...claims });
    return signer.sign(Object.fromEntries(all.filter(([, value]) => value !== null)));
  };
  const idToken = ({ request, sub, claims, authTimeSeconds }: IssuerLogin, more: Claims = {}) => {
    const { nonce, scopes } = request;
    const protocol = { sub, aud: client.id, auth_time: authTimeSeconds, ...(nonce === undefined ? {} : { nonce }) };
    return mint({ ...protocol, ...claimsInScope(claims, scopes), ...more });
  };

  const answer = async (login: IssuerLogin): Promise<Readonly<Record<string, string>>> => {
    if (login.request.responseType === "id_token") return { id_token: await idToken(login) };
    const code = randomName(32);
    codes.put(code, login);
    return { code };
  };

  const tokens = async (login: IssuerLogin) => {
    const { request, sub, claims, userinfoClaims } = login;
    const accessToken = randomName(40);
    accessTokens.put(accessToken, { sub, ...claimsInScope({ ...claims, ...userinfoClaims }, request.scopes) });
    const hash = createHash("sha256").update(accessToken).digest();
    const at_hash = hash.subarray(0, hash.length / 2).toString("base64url");
    const id_token = await idToken(login, { at_hash });
    const scope = request.scopes.join(" ");
    return { access_token: accessToken, token_type: "Bearer", expires_in: tokenSeconds, scope, id_token };
  };

  const app = new Hono();
  app.get("/.well-known/openid-configuration", (context) => context.json(discoveryDocument(address())));
  app.get("/keys", (context) => context.json(signer.keySet));
  addAuthorizeEndpoint(app, { client, users, now, answer });
  addTokenEndpoint(app, { client, codes, tokens });
  addUserinfoEndpoint(app, { accessTokens });
  return { service: { fetch: (request) => app.fetch(request) }, client, users, mint };
}

function openIssuer(tables: Tables) {
  const identifiers = tables.open<string>("issuer/identifiers");
  const users = createIssuerUsers(tables.open("issuer/users"));
  const secret = madeOnce(identifiers, "clientSecret", () => randomName(40));
  const known = identifiers.get("signingKey");
  const pem = known ?? newSigningKey();
  if (known === undefined) {
    identifiers.set("signingKey", pem);
    for (const user of exampleUsers) users.put(user);
  }
  return {
    client: createIssuerClient({ secret, kept: tables.open("issuer/client") }),
    users,
    signer: createTokenSigner(pem),
  };
}

function discoveryDocument(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
    scopes_supported: scopesSupported,
    response_types_supported: ["code", "id_token"],
    response_modes_supported: responseModes,
    grant_types_supported: ["authorization_code", "implicit"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
  };
}
