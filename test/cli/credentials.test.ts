import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { isProviderError } from "../../provider/core/errors.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { expectHidden, textsOf } from "../support/contract-secrets.ts";
import { fc } from "../support/fast-check.ts";
import { serve } from "../support/loopback-server.ts";
import { testExtent } from "../support/test-extent.mts";
import { run } from "./drift-harness.ts";

/** What a place takes: any text, or a JWT with this signature. */
type Place = (secret: string, file: (text: string) => string) => Readonly<Record<string, unknown>>;

const jwtOf = (secret: string) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256" })}.${part({ sub: "job" })}.${Buffer.from(secret).toString("base64url")}`;
};
const login = (more: object) => ({ login: { role: "ci", ...more } });
const approle = (more: object) => ({ login: { method: "approle", roleId: "id", ...more } });

/** Every place that a credential of a connection may come from: variables, and the members of its entry. */
const places: Readonly<Record<string, Place>> = {
  "a variable": (VAULT_TOKEN) => ({ VAULT_TOKEN }),
  "OpenBao's variable": (BAO_TOKEN) => ({ BAO_TOKEN }),
  "a file that a variable names": (secret, file) => ({ VAULT_TOKEN_FILE: file(secret) }),
  "the file of the vault command": (secret, file) => ({ HOME: dirname(file(secret)) }),
  tokenEnv: (MINE) => ({ MINE, entry: { tokenEnv: "MINE" } }),
  tokenFile: (secret, file) => ({ entry: { tokenFile: file(secret) } }),
  token: (token) => ({ entry: { token } }),
  "a JWT in a variable": (secret) => ({ MINE: jwtOf(secret), entry: login({ method: "jwt", jwtEnv: "MINE" }) }),
  "a JWT in a file": (secret, file) => ({ entry: login({ method: "kubernetes", jwtFile: file(jwtOf(secret)) }) }),
  "a JWT of GitLab": (secret) => ({ VAULT_ID_TOKEN: jwtOf(secret), TRUSTPLANE_LOGIN_ROLE: "ci" }),
  "a secret ID in a variable": (MINE) => ({ MINE, entry: approle({ secretIdEnv: "MINE" }) }),
  "a secret ID in a file": (secret, file) => ({ entry: approle({ secretIdFile: file(secret) }) }),
  "a wrapped secret ID": (MINE) => ({ MINE, entry: approle({ secretIdEnv: "MINE", secretIdWrapped: true }) }),
  "a session of AWS": (secret) => ({
    AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
    AWS_SECRET_ACCESS_KEY: `${secret}-key`,
    AWS_SESSION_TOKEN: secret,
    entry: login({ method: "aws" }),
  }),
  "Consul's variable": (CONSUL_HTTP_TOKEN) => ({ CONSUL_HTTP_TOKEN, service: "cluster" }),
  "a JWT for Consul": (secret) => ({
    MINE: jwtOf(secret),
    service: "cluster",
    entry: login({ method: "jwt", jwtEnv: "MINE" }),
  }),
  "Terraform's variable": (TFE_TOKEN) => ({ TFE_TOKEN, service: "policy" }),
};

/** What stands in the server's place repeats what it is sent, in words that a client believes. */
const echoes = {
  "as Vault's error": (echo: string) => JSON.stringify({ errors: [echo] }),
  "as a warning": (echo: string) => JSON.stringify({ data: null, warnings: [echo] }),
  "as a message": (echo: string) => JSON.stringify({ message: echo }),
  "as a page": (echo: string) => `<html><body>${echo}</body></html>`,
  "as a text": (echo: string) => echo,
  "in a URL": (echo: string) => `see /help?request=${encodeURIComponent(echo)}`,
  "as cut JSON": (echo: string) => JSON.stringify({ errors: [echo] }).slice(0, -2),
} as const;
interface Mischief {
  readonly status: number;
  readonly echo: keyof typeof echoes;
  /** It lets a login succeed, with a token that it repeats later. */
  readonly logsIn: boolean;
}

let home = "";
let origin = "";
let mischief: Mischief;
let [expected, wasSent] = ["", false];
const issued = `hvs.${"issued".repeat(4)}`;

/** In a header, in JSON, in a JWT, or in the signed headers of a login by AWS. */
function isIn(sent: string, secret: string): boolean {
  const [, signed = ""] = /"iam_request_headers":"([^"]+)"/.exec(sent) ?? [];
  const all = sent + Buffer.from(signed, "base64").toString();
  return [secret, JSON.stringify(secret).slice(1, -1), jwtOf(secret)].some((form) => all.includes(form));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (mischief.logsIn && /\/(login|unwrap)$/.test(request.url ?? "")) {
    const auth = { client_token: issued, lease_duration: 60, renewable: false };
    return void response.end(JSON.stringify({ auth, data: { secret_id: issued } }));
  }
  wasSent ||= isIn(`${request.rawHeaders.join(" ")} ${body}`, expected);
  const sent = `${request.method} ${request.url} ${request.rawHeaders.join(" ")} ${body}`;
  response.writeHead(mischief.status, { "x-request": encodeURIComponent(sent).slice(0, 4000) });
  response.end(echoes[mischief.echo](sent));
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "trustplane-credentials-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** A secret as people and servers make them: no header carries a space, and files end in a line. */
const credential = fc.stringMatching(/^[!-~]{14,60}$/).filter((secret) => new Set(secret).size > 6);

it.each(Object.keys(places))("a credential from %s is in no message, log, state, file or report", async (name) => {
  ({ origin } = await serve(answer));
  wasSent = false;
  const mischiefs = fc.record<Mischief>({
    status: fc.constantFrom(200, 204, 301, 307, 400, 403, 404, 500, 503),
    echo: fc.constantFrom(...(Object.keys(echoes) as (keyof typeof echoes)[])),
    logsIn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(credential, mischiefs, async (secret, chosen) => {
      mischief = chosen;
      expected = secret;
      emptyHome();
      const { entry = {}, service = "secrets", ...env } = places[name]?.(secret, writeToken) ?? {};
      const settings = JSON.stringify({ address: origin, maxRetries: 0, ...Object(entry) });
      const addresses = { VAULT_ADDR: origin, CONSUL_HTTP_ADDR: origin, TFE_ADDRESS: origin };
      const variables = { HOME: home, ...addresses, ...(env as Record<string, string>) };
      const texts = await played(variables, String(service), settings);
      texts.push(...(await examined(variables)));
      for (const each of [secret, issued, jwtOf(secret).split(".")[2] ?? ""]) expectHidden(texts, each);
      // What a login issues is in no child's environment either.
      expectHidden([JSON.stringify(process.env)], issued);
      expect(readdirSync(home, { recursive: true }).filter((file) => file !== ".vault-token")).toEqual([]);
    }),
    { numRuns: { quick: 2, usual: 8, whole: 60 }[testExtent] },
  );
  expect(wasSent).toBe(true);
});

/** What is there after a run was left by it, but for the file of a token. The runs of the command end all stubs. */
function emptyHome(): void {
  vi.stubEnv("HOME", home);
  rmSync(home, { recursive: true });
  mkdirSync(home);
}

function writeToken(secret: string): string {
  const path = join(home, ".vault-token");
  writeFileSync(path, `${secret}\n`);
  return path;
}

/** A resource of each service, and inputs that it takes. */
const resources: Readonly<Record<string, readonly [Definition, string, Values]>> = {
  secrets: [definitions.jwtRole, "auth/jwt/role/app", { mount: "jwt", name: "app", roleType: "jwt", userClaim: "sub" }],
  cluster: [definitions.clusterPeeringToken, "peering/east", { peerName: "east" }],
  policy: [definitions.policyParameter, "polset-1/var-1", { policySetId: "polset-1", key: "a", value: "b" }],
};

/** Everything that an engine says and records while it works. */
async function played(env: Readonly<Record<string, string>>, service: string, settings: string): Promise<string[]> {
  const texts: string[] = [];
  const log = (level: string, message: string) => void texts.push(`${level}: ${message}`);
  const engine = createEngine({ config: (key) => (key === service ? settings : undefined), env, log });
  const [definition, id, inputs] = resources[service] ?? expect.unreachable(service);
  const attempts = [
    () => engine.create(definition, inputs),
    () => engine.read(definition, id, inputs),
    () => engine.delete(definition, id, inputs),
  ];
  for (const attempt of attempts) {
    try {
      texts.push(JSON.stringify(await attempt()) ?? "");
    } catch (error) {
      if (!isProviderError(error) || error.code === "BugError") throw error;
      texts.push(...textsOf(error));
    }
  }
  await engine.end();
  return texts;
}

/** What `trustplane doctor` says of it. */
async function examined(env: Readonly<Record<string, string>>): Promise<string[]> {
  const { out, err } = await run(["doctor", "--json"], env);
  return [out, err];
}
