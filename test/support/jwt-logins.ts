import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import { onTestFinished } from "vitest";
import { createEngine, type Engine } from "../../provider/engine/engine.ts";
import type { World } from "./contract-world.ts";

/** One key of this run for all mounts: making one takes longer than a whole test. */
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** The identity token of a job, for ten minutes. */
export function jobToken(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = {
    iss: "https://ci.example.com",
    aud: "trustplane",
    sub: "repo:acme/platform",
    iat: now,
    exp: now + 600,
  };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
}

/** A variable of the environment that goes away with the test. */
export function setVariable(name: string, value: string): string {
  process.env[name] = value;
  onTestFinished(() => {
    delete process.env[name];
  });
  return name;
}

export const jobKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();

/** An auth method of the world's own that jobs may log in to. Answers its mount. */
export async function openLogins(world: World, role: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const raw = world.raw("secrets");
  const mount = world.fresh("ci");
  await raw.call(`POST sys/auth/${mount}`, { type: "jwt" });
  await raw.call(`POST auth/${mount}/config`, { jwt_validation_pubkeys: [jobKeyPem] });
  await raw.call(`POST sys/policies/acl/${mount}`, {
    policy: 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }',
  });
  await raw.call(`POST auth/${mount}/role/ci`, {
    role_type: "jwt",
    user_claim: "sub",
    bound_audiences: ["trustplane"],
    token_policies: [mount],
    ...role,
  });
  return mount;
}

/** A policy that allows roles of `auth/jwt/`, and such a role. */
export const rolesPolicy =
  'path "auth/jwt/*" { capabilities = ["create", "read", "update", "delete", "list"] } path "sys/auth" { capabilities = ["read"] }';
export const roleInputs = { mount: "jwt", name: "app", roleType: "jwt", userClaim: "sub", boundSubject: "app" };

/** The configuration of a world where one server is logged in to, instead of being shown a token. */
export function loggingIn(
  world: World,
  login: Readonly<Record<string, unknown>>,
  service: "secrets" | "cluster" = "secrets",
): Record<string, string> {
  const { [service]: text = "{}", ...others } = world.config();
  const { tokenEnv: _token, ...entry } = JSON.parse(text);
  return { ...others, [service]: JSON.stringify({ ...entry, login }) };
}

/** An engine with a configuration, and what it logs. */
export function openEngine(config: Readonly<Record<string, string>>): { engine: Engine; lines: string[] } {
  const lines: string[] = [];
  const log = (level: string, message: string) => void lines.push(`${level}: ${message}`);
  return { engine: createEngine({ config: (key) => config[key], env: process.env, log }), lines };
}

/** How many tokens the secrets server has. */
export async function tokenCount(world: World): Promise<number> {
  const answer = (await world.raw("secrets").call("LIST auth/token/accessors")) as { data: { keys: string[] } };
  return answer.data.keys.length;
}
