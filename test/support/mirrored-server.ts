import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { Agent, request } from "undici";
import {
  createSimulatedServer,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedServer,
} from "../../cli/facts/trust/simulated-server.ts";

/** A login, as the real server has decided it. */
export interface MirroredLogin {
  readonly jwt: string;
  readonly isAllowed: boolean;
}

/** A simulated server of which a real Vault is asked every question, too. Its answers are those of the simulated server. */
export interface MirroredServer extends SimulatedServer {
  /** What the two have answered differently. */
  readonly differences: readonly string[];
  readonly logins: readonly MirroredLogin[];
  /** Removes from the real server what was written. */
  clear(): Promise<void>;
}

type Members = Readonly<Record<string, unknown>>;

/** What both servers must say alike of the token of a login. */
const TOKEN_MEMBERS = [
  "policies",
  "token_policies",
  "identity_policies",
  "lease_duration",
  "renewable",
  "token_type",
  "num_uses",
  "orphan",
  "metadata",
];

/** What each server gives a name of its own, and is asked by it later. */
const GIVEN = new Set(["id", "accessor", "client_token"]);

/** What is written, and can be removed again by the same path. */
const REMOVABLE = /^(sys\/auth|sys\/policies\/acl|identity\/group\/name)\/[^/]+$/;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function createMirroredServer(vault: { readonly address: string; readonly token: string }): MirroredServer {
  const simulated = createSimulatedServer();
  // The real server's clock cannot be set: there the times of the token are moved, and it is signed with this key.
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  /** The simulated server's to the real server's. */
  const names = new Map<string, string>();
  const agents = new Map<string, Agent>();
  const written: string[] = [];
  const logins: MirroredLogin[] = [];
  const differences: string[] = [];
  let time: number | undefined;

  async function ask({ method, path, body, token = vault.token, address = "127.0.0.1" }: SimulatedRequest) {
    const agent = agents.get(address) ?? new Agent({ localAddress: address });
    agents.set(address, agent);
    const answer = await request(`${vault.address}/v1/${path}`, {
      method,
      dispatcher: agent,
      headers: token === "" ? {} : { "x-vault-token": token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const read: unknown = text === "" ? {} : JSON.parse(text);
    return { status: answer.statusCode, body: isMembers(read) ? read : {} } satisfies SimulatedAnswer;
  }

  async function asReal({ path, body, token, ...rest }: SimulatedRequest): Promise<SimulatedRequest> {
    const own = { ...(body === undefined ? {} : { body: await bodyFor(path, body) }) };
    return { ...rest, path, ...own, ...(token === undefined ? {} : { token: names.get(token) ?? token }) };
  }

  async function bodyFor(path: string, body: Members): Promise<Members> {
    const keys = body["jwt_validation_pubkeys"];
    if (Array.isArray(keys)) return { ...body, jwt_validation_pubkeys: [...keys, pem] };
    if (path.endsWith("/login") && time !== undefined) return { ...body, jwt: await moved(String(body["jwt"]), time) };
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === "string" ? (names.get(value) ?? value) : value,
      ]),
    );
  }

  function moved(jwt: string, from: number): Promise<string> {
    const seconds = Math.round((Date.now() - from) / 1000);
    const claims = Object.entries(decodeJwt(jwt)).map(([name, value]) => [
      name,
      ["exp", "nbf", "iat"].includes(name) && typeof value === "number" ? value + seconds : value,
    ]);
    return new SignJWT(Object.fromEntries(claims)).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  }

  function pair(ours: Members, real: Members): void {
    for (const [name, own] of Object.entries(ours)) {
      const other = real[name];
      if (isMembers(own) && isMembers(other)) pair(own, other);
      else if (GIVEN.has(name) && own && other) names.set(String(own), String(other));
    }
  }

  return {
    differences,
    logins,
    setTime(milliseconds) {
      time = milliseconds;
      simulated.setTime(milliseconds);
    },
    async ask(question) {
      const [ours, real] = [await simulated.ask(question), await ask(await asReal(question))];
      const { method, path, body } = question;
      const isLogin = path.endsWith("/login");
      if (isLogin) logins.push({ jwt: String(body?.["jwt"]), isAllowed: real.status < 300 });
      if (method === "POST" && real.status < 300 && REMOVABLE.test(path)) written.push(path);
      const a = compared(path, ours);
      const b = untilNow(compared(path, real), a);
      if (JSON.stringify(a) !== JSON.stringify(b))
        differences.push(
          `${path} ${shown(body)}: the simulated server ${JSON.stringify(a)} ${errorsOf(ours)}, Vault ${JSON.stringify(b)} ${errorsOf(real)}`,
        );
      pair(ours.body, real.body);
      return ours;
    },
    async clear() {
      for (const path of written.splice(0).reverse()) await removed(path);
      for (const agent of agents.values()) await agent.close();
      agents.clear();
    },
  };

  async function removed(path: string): Promise<void> {
    const { statusCode, body } = await request(`${vault.address}/v1/${path}`, {
      method: "DELETE",
      headers: { "x-vault-token": vault.token },
    });
    if (statusCode >= 300) throw new Error(`DELETE ${path}: ${statusCode} ${await body.text()}`);
    await body.dump();
  }
}

/** Vault counts from when the second began in which it made a token: 2764799 seconds are left of 2764800 where that was the last one. */
function untilNow(real: Members, ours: Members): Members {
  const { lease_duration: left } = real;
  const { lease_duration: whole } = ours;
  return typeof whole === "number" && left === whole - 1 ? { ...real, lease_duration: whole } : real;
}

/** What must be alike: the status, and what matters of a login's token or of capabilities. */
function compared(path: string, { status, body }: SimulatedAnswer): Members {
  const { auth, data } = body;
  if (path.startsWith("sys/capabilities")) return { status, data: isMembers(data) ? sorted(data) : data };
  if (!isMembers(auth)) return { status };
  return { status, ...Object.fromEntries(TOKEN_MEMBERS.map((name) => [name, ordered(auth[name])])) };
}

const sorted = (members: Members): Members =>
  Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((name) => [name, ordered(members[name])]),
  );

/** Null, an empty list and nothing are the same; lists and members have no order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.toSorted();
  return isMembers(value) ? sorted(value) : (value ?? undefined);
}

const errorsOf = ({ body }: SimulatedAnswer) => JSON.stringify(body["errors"] ?? []);

function shown(body: Members | undefined): string {
  const { jwt, ...rest } = body ?? {};
  return JSON.stringify(typeof jwt === "string" ? { ...rest, claims: decodeJwt(jwt) } : rest);
}
