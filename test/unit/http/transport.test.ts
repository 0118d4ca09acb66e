import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTransport, type HttpRequest } from "../../../provider/http/transport";
import { deadOrigin, serve, serveSockets } from "../../support/loopback-server";

const transport = createTransport({ timeoutMs: 20_000 });
const request = (origin: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url: new URL("/v1/x?a=b%20c", origin),
  headers: {},
  ...more,
});
const bodyOf = async (message: IncomingMessage) => (await message.toArray()).join("");

describe("a request", () => {
  it("arrives with its method, path, query, headers and body", async () => {
    const { origin } = await serve(async (incoming, response) => {
      response.end(
        JSON.stringify([incoming.method, incoming.url, incoming.headers["x-vault-token"], await bodyOf(incoming)]),
      );
    });
    const token = randomUUID();
    const answer = await transport(
      request(origin, { method: "POST", headers: { "x-vault-token": token }, body: "{}" }),
    );
    expect(JSON.parse(answer.text)).toEqual(["POST", "/v1/x?a=b%20c", token, "{}"]);
  });

  it.each([200, 404, 500])("uses a kept connection, also after an answer of %d", async (status) => {
    const server = await serve((_, response) => response.writeHead(status).end("{}"));
    const methods = ["GET", "POST", "DELETE", "GET", "POST"] as const;
    for (const method of [...methods, ...methods]) await transport(request(server.origin, { method }));
    // The pool may open a second one while the first is still being given back.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

describe("the answer to a request", () => {
  it.each([
    [400, "application/json", '{"errors":["x"]}'],
    [404, "application/vnd.api+json", '{"errors":[{"status":"404","title":"not found"}]}'],
    [500, "text/plain; charset=utf-8", "Permission denied"],
    [502, "text/html", "<html>Bad Gateway</html>"],
    [503, "application/octet-stream", "ü"],
    [204, "application/json", ""],
    [200, "application/json", '{"a":"\\u003c"}'],
  ])("%d of type %s keeps its body", async (status, type, text) => {
    const { origin } = await serve((_, response) => response.writeHead(status, { "content-type": type }).end(text));
    expect(await transport(request(origin))).toMatchObject({ status, text, headers: { "content-type": type } });
  });

  it("has its header names in lower case, and repeated headers joined", async () => {
    const { origin } = await serve((_, response) =>
      response.writeHead(200, { "X-Consul-Index": "7", Vary: ["a", "b"] }).end(),
    );
    expect((await transport(request(origin))).headers).toMatchObject({ "x-consul-index": "7", vary: "a, b" });
  });
});

describe("a redirect", () => {
  const token = randomUUID();
  const headers = { "x-vault-token": token, authorization: token, "x-consul-token": token };
  const echo = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { "x-vault-token": vault, authorization, "x-consul-token": consul } = incoming.headers;
    response.end(
      JSON.stringify({
        method: incoming.method,
        url: incoming.url,
        vault,
        authorization,
        consul,
        body: await bodyOf(incoming),
      }),
    );
  };
  const standby = (status: number, location: string) =>
    serve((_, response) => response.writeHead(status, { location }).end("moved"));
  const here = (status: number) =>
    serve((incoming, response) => {
      if (incoming.url === "/v1/active") echo(incoming, response);
      else response.writeHead(status, { location: "/v1/active" }).end("moved");
    });

  it.each([307, 308])("%d repeats a write as it is", async (status) => {
    const { origin } = await here(status);
    const answer = await transport(request(origin, { method: "POST", body: "{}", headers }));
    expect(JSON.parse(answer.text)).toEqual({
      method: "POST",
      url: "/v1/active",
      vault: token,
      authorization: token,
      consul: token,
      body: "{}",
    });
  });

  it.each([301, 302, 303])("%d of a write is not followed, as it would turn it into a read", async (status) => {
    const { origin } = await here(status);
    expect(await transport(request(origin, { method: "POST", body: "{}" }))).toMatchObject({ status, text: "moved" });
  });

  it.each([301, 302, 307, 308])("%d of a read is followed", async (status) => {
    const { origin } = await here(status);
    expect(JSON.parse((await transport(request(origin))).text)).toMatchObject({ method: "GET", url: "/v1/active" });
  });

  it.each(["GET", "POST"] as const)("to another origin is not followed by a %s", async (method) => {
    const other = await serve(echo);
    for (const status of [301, 302, 307, 308]) {
      const { origin } = await standby(status, `${other.origin}/v1/x?a=b%20c`);
      expect(await transport(request(origin, { method, headers }))).toMatchObject({ status, text: "moved" });
    }
    expect(other.connections()).toBe(0);
  });

  it("of a standby to the active node repeats the request there, where that is wanted", async () => {
    const active = await serve(echo);
    const { origin } = await standby(307, `${active.origin}/v1/a%20x?a=b%20c`);
    const url = new URL("/behind-a-balancer/v1/%61%20x?a=b%20c", origin);
    const vault = createTransport({ timeoutMs: 20_000, redirects: "active node" });
    const answer = await vault({ ...request(origin, { method: "POST", body: "{}" }), url, headers });
    expect(JSON.parse(answer.text)).toMatchObject({
      method: "POST",
      url: "/v1/a%20x?a=b%20c",
      vault: token,
      body: "{}",
    });
  });

  it.each([
    ["that is no 307", 308, "/v1/x?a=b%20c"],
    ["to another path, such as a page to sign in", 307, "/login?a=b%20c"],
    ["to the root", 307, "/"],
    ["with another query", 307, "/v1/x?a=b%20c&return=1"],
  ])("to another origin %s is none of a standby", async (_, status, path) => {
    const other = await serve(echo);
    const { origin } = await standby(status, other.origin + path);
    const vault = createTransport({ timeoutMs: 20_000, redirects: "active node" });
    expect((await vault(request(origin, { headers }))).status).toBe(status);
    expect(other.connections()).toBe(0);
  });

  it("is not followed at all where none is wanted", async () => {
    const { origin } = await here(307);
    const none = createTransport({ timeoutMs: 20_000, redirects: "none" });
    expect(await none(request(origin))).toMatchObject({ status: 307, text: "moved" });
  });

  it.each(["ftp://127.0.0.1/x", "http://", "javascript:alert(1)"])("to %s is not followed", async (location) => {
    const { origin } = await standby(307, location);
    expect((await transport(request(origin))).status).toBe(307);
  });

  it("without an end is answered as it is", async () => {
    const server = await serve((_, response) => response.writeHead(307, { location: "/v1/x" }).end());
    expect((await transport(request(server.origin))).status).toBe(307);
  });

  it("without a location is answered as it is", async () => {
    const { origin } = await serve((_, response) => response.writeHead(307).end("where?"));
    expect(await transport(request(origin))).toMatchObject({ status: 307, text: "where?" });
  });
});

describe("a proxy of the environment", () => {
  it("is asked but for what NO_PROXY names: a network, a name or a port", async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const proxy = await serve((_, response) => response.end("the proxy"));
    const server = await serve((_, response) => response.end("the server"));
    // An address of this machine that is not one of those that are never asked for through a proxy.
    const origin = server.origin.replace("127.0.0.1", "0.0.0.0");
    const { port } = new URL(origin);
    for (const name of ["http_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
    vi.stubEnv("HTTP_PROXY", proxy.origin);
    const own = createTransport({ timeoutMs: 20_000 });
    const answers: string[] = [];
    for (const noProxy of ["10.0.0.0/8", "0.0.0.0/8", "0.0.0.0:1", `0.0.0.0:${port}`, "*"]) {
      vi.stubEnv("NO_PROXY", noProxy);
      answers.push((await own(request(origin))).text);
    }
    expect(answers).toEqual(["the proxy", "the server", "the proxy", "the server", "the server"]);
  });
});

describe("what is no answer", () => {
  it("is a refused connection", async () => {
    await expect(transport(request(await deadOrigin()))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("is a connection that is closed before it", async () => {
    const { origin } = await serveSockets((socket) => socket.once("data", () => socket.end()));
    await expect(transport(request(origin))).rejects.toMatchObject({ code: "UND_ERR_SOCKET" });
  });

  it("is a connection that is cut in the middle of the body", async () => {
    const { origin } = await serveSockets((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")),
    );
    await expect(transport(request(origin))).rejects.toThrow();
  });

  it("is no HTTP", async () => {
    const { origin } = await serveSockets((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.9\r\n")));
    await expect(transport(request(origin))).rejects.toThrow();
  });

  const begun = "HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n{";

  it.each([
    ["never comes", (socket: Socket) => void socket],
    ["stops half-way", (socket: Socket) => socket.write(begun)],
    ["drips for ever", (socket: Socket) => drip(socket, begun)],
  ])("is one that %s within the time that is allowed", async (_, answer) => {
    const closed = Promise.withResolvers<void>();
    const { origin } = await serveSockets((socket) => {
      socket.once("data", () => answer(socket));
      socket.once("close", () => closed.resolve());
    });
    const impatient = createTransport({ timeoutMs: 50 });
    await expect(impatient(request(origin))).rejects.toThrow(
      "the answer was not complete after 0.05 s. Where that is usual, raise `timeoutSeconds` of the connection.",
    );
    await closed.promise;
  });

  it("is one without an end: it is cut off, and nothing more of it is read", async () => {
    const closed = Promise.withResolvers<void>();
    const block = Buffer.alloc(2 ** 20, "x");
    const { origin } = await serveSockets((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        const more = () => socket.write(Buffer.concat([Buffer.from("100000\r\n"), block, Buffer.from("\r\n")]), next);
        const next = (error?: Error | null) => error || more();
        more();
      });
      socket.once("close", () => closed.resolve());
    });
    await expect(transport(request(origin))).rejects.toMatchObject({
      code: "ResponseError",
      message: expect.stringMatching(
        /^the answer from http:\S+ is larger than 32 MiB \(GET \/v1\/x\)\. Check the address/,
      ),
    });
    await closed.promise;
  });
});

/** Sends byte after byte until the connection is closed. */
function drip(socket: Socket, text: string): void {
  socket.write(text, (error) => {
    if (!error && !socket.destroyed) setImmediate(() => drip(socket, " "));
  });
}

it("a cancelled request is cancelled down to the socket", async () => {
  const cancelled = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { origin } = await serveSockets((socket) => {
    socket.once("data", () => cancelled.abort());
    socket.once("close", () => closed.resolve());
  });
  await expect(transport(request(origin), cancelled.signal)).rejects.toMatchObject({ name: "AbortError" });
  await closed.promise;
});
