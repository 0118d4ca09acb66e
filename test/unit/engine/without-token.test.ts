import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { dialects } from "../../../provider/dialects";
import { openConnection } from "../../../provider/engine/connection";
import { type Environment, type Service, settingsOf } from "../../../provider/engine/settings";
import { serve } from "../../support/loopback-server";

const dialectOf = { secrets: dialects.vault, cluster: dialects.consul, policy: dialects.tfe };
const tokenIn = ({ headers }: IncomingMessage) =>
  headers["x-vault-token"] ?? headers["x-consul-token"] ?? headers["authorization"];

/** A server that answers with this status, asked over a connection; answers what it was sent. */
async function asked(
  service: Service,
  { status = 200, text = "{}", path = "x", env = {}, name = "", entry = {} }: Asked,
) {
  const tokens: unknown[] = [];
  const { origin } = await serve((request, response) => {
    tokens.push(tokenIn(request));
    response.writeHead(status).end(text);
  });
  const texts: Record<string, unknown> =
    name === ""
      ? { [service]: { address: origin, maxRetries: 0, ...entry } }
      : { connections: { [name]: { service, address: origin, maxRetries: 0, ...entry } } };
  const config = (key: string) => (texts[key] === undefined ? undefined : JSON.stringify(texts[key]));
  const settings = settingsOf(service, name === "" ? undefined : name, config, env);
  const connection = openConnection(settings, dialectOf[service], { env, log: () => {} });
  const failure = await connection.ask({ method: "POST", path }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { tokens, failure };
}
interface Asked {
  readonly status?: number;
  readonly text?: string;
  readonly path?: string;
  readonly env?: Environment;
  readonly name?: string;
  readonly entry?: object;
}

const denied = "Permission denied: anonymous token lacks permission 'peering:read'.";

describe("a request without a token", () => {
  it.each<[Service, number, Asked, string]>([
    ["cluster", 403, { text: denied }, "No token was found in CONSUL_HTTP_TOKEN: put one there, or give `tokenEnv` or"],
    ["policy", 401, { env: { TFE_TOKEN: " " } }, "No token was found in TFE_TOKEN: put one there"],
    [
      "secrets",
      403,
      { name: "west", env: { VAULT_TOKEN: "ours" } },
      "give `tokenEnv` or `tokenFile` in trustplane:conn",
    ],
  ])("that %s refuses with %i says that none was found, and where it looked", async (service, status, more, text) => {
    const { tokens, failure } = await asked(service, { ...more, status });
    expect(tokens).toEqual([undefined]);
    expect(failure).toMatchObject({ code: "ApiError", status, message: expect.stringContaining(text) });
  });

  it("to a server that needs none is answered", async () => {
    expect(await asked("cluster", {})).toEqual({ tokens: [undefined], failure: undefined });
  });

  it.each<[Service, number, Asked]>([
    ["cluster", 403, { text: denied, env: { CONSUL_HTTP_TOKEN: "ours" } }],
    ["cluster", 403, { text: "rpc error: invalid peering establishment secret" }],
    ["cluster", 500, { text: "No cluster leader" }],
    ["secrets", 403, { path: "auth/jwt/login", name: "west" }],
  ])("is not what another refusal is about: %s %i %j", async (service, status, more) => {
    const { failure } = await asked(service, { ...more, status });
    expect(failure).toMatchObject({ status, message: expect.not.stringContaining("No token was found") });
  });
});

describe("two connections with tokens of their own", () => {
  const entry = (tokenEnv: string) => ({ tokenEnv });
  const env = { EAST_VAULT: "of-east", VAULT_TOKEN: "ours", BAO_TOKEN: "ours", WEST_VAULT: " " };

  it("are each sent their own, and where it is unset nothing is sent", async () => {
    const [east, west] = [
      await asked("secrets", { name: "east", entry: entry("EAST_VAULT"), env }),
      await asked("secrets", { name: "west", entry: entry("WEST_VAULT"), env }),
    ];
    expect(east).toEqual({ tokens: ["of-east"], failure: undefined });
    expect(west.tokens).toEqual([]);
    expect(west.failure).toMatchObject({ code: "ConfigError", message: expect.stringContaining("WEST_VAULT") });
  });

  it("are told which of them is refused", async () => {
    const answer = { name: "east", entry: entry("EAST_VAULT"), env, text: '{"errors":["invalid token"]}', status: 403 };
    const { failure } = await asked("secrets", answer);
    expect(failure).toMatchObject({ message: expect.stringContaining("give a new one in EAST_VAULT.") });
  });

  it("as the service's own, too: an unset variable is not replaced by the usual one", async () => {
    const { tokens, failure } = await asked("secrets", { entry: entry("WEST_VAULT"), env });
    expect(tokens).toEqual([]);
    expect(failure).toMatchObject({ code: "ConfigError", message: expect.stringContaining("trustplane:secrets") });
  });

  it("as files: one that has vanished is not replaced by the usual token", async () => {
    const { tokens, failure } = await asked("secrets", { entry: { tokenFile: "/nowhere/token" }, env });
    expect(tokens).toEqual([]);
    expect(failure).toMatchObject({ code: "ConfigError", message: expect.stringContaining("/nowhere/token") });
  });
});
