import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { send } from "../../../provider/http/send";
import { createTransport, type HttpRequest } from "../../../provider/http/transport";
import { deadOrigin, serve, serveSockets } from "../../support/loopback-server";

const token = randomUUID();
const request = (origin: string, method: HttpRequest["method"] = "GET"): HttpRequest => ({
  method,
  url: new URL(`/v1/x?token=${token}`, origin),
  headers: { "x-vault-token": token },
  ...(method === "GET" ? {} : { body: JSON.stringify({ secret: token }) }),
});

/** Sends over a real socket, and waits without time. */
async function sent(to: HttpRequest, options: { mints?: boolean; timeoutMs?: number } = {}) {
  const { timeoutMs = 20_000, ...more } = options;
  const log: string[] = [];
  let pauses = 0;
  const wait = async () => pauses++;
  const outcome = send(createTransport({ timeoutMs }), to, {
    retries: 2,
    wait,
    log: (line) => log.push(line),
    ...more,
  });
  const [result] = await Promise.allSettled([outcome]);
  return { result, log, pauses };
}

const cut = () => serveSockets((socket) => socket.once("data", () => socket.destroy()));

describe("a failure of the network", () => {
  it.each([
    ["refused, reading", deadOrigin, "GET", {}, 2],
    ["refused, writing", deadOrigin, "POST", {}, 2],
    ["refused, having something issued", deadOrigin, "POST", { mints: true }, 2],
    ["cut, reading", async () => (await cut()).origin, "GET", {}, 2],
    ["cut, writing", async () => (await cut()).origin, "POST", {}, 0],
    ["cut, deleting", async () => (await cut()).origin, "DELETE", {}, 0],
  ] as const)("(%s) shows no credentials in its message or in the log", async (_, origin, method, options, pauses) => {
    const { result, log, ...seen } = await sent(request(await origin(), method), options);
    const error = result.status === "rejected" ? result.reason : undefined;
    expect(error).toMatchObject({ code: "NetworkError" });
    expect(seen.pauses).toBe(pauses);
    const shown = [String(error), JSON.stringify(error), ...log].join("\n");
    expect(shown).toContain("/v1/x");
    expect(shown).not.toContain(token);
  });

  it("that passes by is not noticed", async () => {
    const sockets: Socket[] = [];
    const { origin } = await serveSockets((socket) => {
      const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
      const isFirst = sockets.push(socket) === 1;
      socket.once("data", () => (isFirst ? socket.destroy() : socket.end(answer)));
    });
    const { result, log } = await sent(request(origin));
    expect(result).toMatchObject({ status: "fulfilled", value: { status: 200, text: "{}" } });
    expect(log).toHaveLength(1);
  });
});

describe("a busy server", () => {
  it("is asked again, and its last words are kept", async () => {
    let asked = 0;
    const busy = await serve((_, response) => response.writeHead(503).end(`sealed ${++asked}`));
    const { result } = await sent(request(busy.origin, "POST"));
    expect(result).toMatchObject({ status: "fulfilled", value: { status: 503, text: "sealed 3" } });
  });

  it("is not asked again for something that it issues", async () => {
    let asked = 0;
    const busy = await serve((_, response) => response.writeHead(503).end(`busy ${++asked}`));
    const { result } = await sent(request(busy.origin, "POST"), { mints: true });
    expect(result).toMatchObject({ status: "fulfilled", value: { status: 503, text: "busy 1" } });
  });
});

describe("a proxy of the environment", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("is not asked for this machine's own addresses", async () => {
    vi.stubEnv("http_proxy", await deadOrigin());
    const { origin } = await serve((_, response) => response.end("direct"));
    expect((await sent(request(origin))).result).toMatchObject({ value: { text: "direct" } });
  });

  it("is asked for every other address", async () => {
    const proxy = await serve((incoming, response) => response.end(String(incoming.url)));
    vi.stubEnv("http_proxy", proxy.origin);
    vi.stubEnv("no_proxy", "");
    const { result } = await sent(request("http://vault.example.invalid"));
    // Whether it is asked to pass the request on or to open a tunnel is the client's to choose.
    expect(proxy.connections()).toBeGreaterThan(0);
    expect(String(result.status === "rejected" ? result.reason : "")).not.toContain(token);
  });
});
