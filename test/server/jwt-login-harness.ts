import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import { afterAll } from "vitest";
import type { Running } from "../../server/serve";
import { createIdentity } from "../support/certificates";
import { type Answer, type Ask, askSecrets, startForTests } from "./frame-harness";

const pairs = {
  RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  ES512: generateKeyPairSync("ec", { namedCurve: "P-521" }),
  EdDSA: generateKeyPairSync("ed25519"),
} as const;
const strange = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Signed with an RSA key where there is none of its own. */
export type Algorithm = keyof typeof pairs | "RS384" | "RS512" | "PS256" | "PS384" | "PS512";

function pairOf(algorithm: Algorithm) {
  return pairs[algorithm in pairs ? (algorithm as keyof typeof pairs) : "RS256"];
}

export function publicPem(algorithm: Algorithm): string {
  return String(pairOf(algorithm).publicKey.export({ type: "spki", format: "pem" })).trim();
}

/** A key set of these keys; the `kid` is the algorithm. */
export function keySet(...algorithms: readonly Algorithm[]): string {
  const keys = algorithms.map((kid) => ({ ...pairOf(kid).publicKey.export({ format: "jwk" }), kid }));
  return JSON.stringify({ keys });
}

export interface Signing {
  readonly alg?: Algorithm;
  readonly kid?: string;
  /** By a key that nobody knows. */
  readonly isForged?: boolean;
}

export interface LoginBench {
  readonly server: Running;
  readonly ask: Ask;
  /** Seconds since the epoch, by the server's clock. */
  now(): number;
  advance(seconds: number): void;
  /** Beside an audience, a subject and an hour of life; `undefined` leaves a claim out. */
  jwt(claims?: Readonly<Record<string, unknown>>, signing?: Signing): Promise<string>;
  /** Writes the role `role` anew, bound to the usual audience. */
  role(fields?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Logs in as `role`. */
  login(claims?: Readonly<Record<string, unknown>>, signing?: Signing): Promise<Answer>;
  /** Writes the role, logs in, and returns the token. */
  tokenOf(fields?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** A server whose JWT method knows the RSA key. */
export async function startLoginBench(): Promise<LoginBench> {
  const server = await startForTests();
  const ask = askSecrets(server);
  const now = () => Math.floor(server.clock.now() / 1000);
  const jwt: LoginBench["jwt"] = (claims = {}, { alg = "RS256", kid = alg, isForged = false } = {}) => {
    const usual = { sub: "alice", aud: "trustplane", iat: now(), exp: now() + 3600 };
    const key: KeyObject = isForged ? strange.privateKey : pairOf(alg).privateKey;
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(key);
  };
  const role: LoginBench["role"] = async (fields = {}) => {
    await ask("DELETE auth/jwt/role/role");
    const usual = { role_type: "jwt", user_claim: "sub", bound_audiences: "trustplane" };
    const { status, text } = await ask("POST auth/jwt/role/role", { ...usual, ...fields });
    if (status > 299) throw new Error(text);
  };
  const login: LoginBench["login"] = async (claims, signing) =>
    ask("POST auth/jwt/login", { role: "role", jwt: await jwt(claims, signing) }, { token: null });
  await ask("POST auth/jwt/config", { jwt_validation_pubkeys: publicPem("RS256") });
  await role();
  return {
    server,
    ask,
    now,
    advance: (seconds) => server.clock.advance(seconds * 1000),
    jwt,
    role,
    login,
    tokenOf: async (fields) => {
      await role(fields);
      const { auth, text } = await login();
      if (typeof auth?.["client_token"] !== "string") throw new Error(text);
      return auth["client_token"];
    },
  };
}

/** An HTTPS server on the loopback that answers any path with the same JSON, and the CA that its certificate comes from. */
export async function startSecureIssuer(bodyOf: (url: string) => string): Promise<{ url: string; caPem: string }> {
  const authority = createIdentity("ca", { isAuthority: true });
  const { certificate, key } = createIdentity("issuer", { issuer: authority, addresses: ["127.0.0.1"] });
  let url = "";
  const listener = createServer({ cert: certificate, key }, (incoming, response) => {
    const isDiscovery = incoming.url?.includes(".well-known") ?? false;
    response.end(isDiscovery ? JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }) : bodyOf(url));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    listener.close();
    listener.closeAllConnections();
  });
  // A TCP server that listens has an address of this form.
  url = `https://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return { url, caPem: authority.certificate };
}

export interface AskingFrom {
  /** The loopback address that the request comes from. */
  readonly from: string;
  readonly token?: string;
  readonly body?: unknown;
}

/** Status and body of a request from another address than usual. */
export function askFrom(
  { server }: LoginBench,
  call: string,
  { from, token, body }: AskingFrom,
): Promise<[number, string]> {
  const [method = "", path = ""] = call.split(" ");
  const headers = token === undefined ? {} : { "x-vault-token": token };
  return new Promise((resolve, reject) => {
    const options = { method, localAddress: from, headers, agent: false };
    const asking = request(`${server.secrets.address}/v1/${path}`, options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve([response.statusCode ?? 0, text.trim()]));
    });
    asking.on("error", reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
