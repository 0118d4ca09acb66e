// @run live: attacks take long for what they find

import { describe, expect, it } from "vitest";
import { answersIn, heldSockets, rawBytes, untilReleased } from "./abuse-harness";
import { serving, wrapped } from "./frame-harness";

const { server, ask } = serving();

const role = "/v1/auth/jwt/role/none";
const noUserClaim = json("a user claim must be defined on the role");
const unsupportedPath = json(wrapped("unsupported path"));
const badRequest = "400 Bad Request";
const nothing = json();

function json(...errors: string[]): string {
  return `${JSON.stringify({ errors })}\n`;
}

/** `$` stands for the root token. */
async function asked(request: string, halfClose = false) {
  const received = await rawBytes(server().secrets.address, request.replaceAll("$", server().secrets.token), {
    halfClose,
  });
  return answersIn(received);
}

const common = "Host: x\r\nX-Vault-Token: $\r\nConnection: close\r\n";
const request = (line: string, headers = "", body = "") => `${line} HTTP/1.1\r\n${common}${headers}\r\n${body}`;
const get = (target: string, headers = "") => request(`GET ${target}`, headers);
const post = (headers: string, body: string) => request("POST /v1/auth/jwt/role/x", headers, body);
const chunked = (chunks: string, headers = "Transfer-Encoding: chunked\r\n") => post(headers, chunks);
const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: a\r\n`).join("");

type Case = readonly [name: string, request: string, status: number, body: string];

// Every line was sent to Vault 1.21.1, built from its modules; status and body are its own.
const asVault: readonly Case[] = [
  ["a target with scheme and host", get(`http://other.example${role}`), 404, nothing],
  ["OPTIONS *", request("OPTIONS *"), 200, ""],
  ["GET *", request("GET *"), 400, ""],
  ["LIST *", request("LIST *"), 400, ""],
  ["a target without a slash", get("v1/sys/health"), 400, badRequest],
  ["no target", get(""), 400, badRequest],
  ["a verb in lower case", request(`get ${role}`), 405, nothing],
  ["LIST in lower case", request("list /v1/auth/jwt/role"), 405, nothing],
  ["a verb with an underscore", request(`FOO_BAR ${role}`), 405, nothing],
  ["a verb with a digit", request(`M2 ${role}`), 405, nothing],
  ["a verb that a known one begins", request(`GETX ${role}`), 405, nothing],
  ["a verb with a bracket", request(`FO(O ${role}`), 400, badRequest],
  ["NUL in the path", get("/v1/auth/jwt/role/a\0b"), 400, badRequest],
  ["NUL in the path, escaped", get("/v1/auth/jwt/role/a%00b"), 400, ""],
  ["a tab in the path, escaped", get("/v1/auth/jwt/role/a%09b"), 400, ""],
  ["a blank that is no space, escaped", get("/v1/auth/jwt/role/a%c2%a0b"), 400, ""],
  ["a control character in the path", get("/v1/auth/jwt/role/a\x01b"), 400, badRequest],
  ["a space in the path", get("/v1/auth/jwt/role/a b"), 400, badRequest],
  ["dots in the path, escaped", get("/v1/auth/jwt/%2e%2e/x"), 404, unsupportedPath],
  ["dots for a name, escaped", get("/v1/auth/jwt/role/%2e%2e"), 404, unsupportedPath],
  ["a slash and dots, escaped", get("/v1/auth/jwt/role/%2f..%2f"), 404, unsupportedPath],
  ["a backslash", get("/v1/auth/jwt\\role\\x"), 404, noRoute(String.raw`auth/jwt\\role\\x`)],
  ["dots and backslashes", get("/v1/auth/jwt/..\\..\\x"), 404, unsupportedPath],
  ["a fragment", get(`${role}#frag`), 404, unsupportedPath],
  ["an escape that is none", get("/v1/auth/jwt/role/%zz"), 400, badRequest],
  ["half an escape", get("/v1/auth/jwt/role/%"), 400, badRequest],
  ["an escape that is no UTF-8", get("/v1/auth/jwt/role/%ff"), 404, unsupportedPath],
  ["a broken escape in the query", get(`${role}?a=%zz`), 404, nothing],
  ["list=%zz, which is dropped", get("/v1/auth/jwt/role?list=%zz"), 405, json(wrapped("unsupported operation"))],
  ["a semicolon, which drops", get("/v1/auth/jwt/role?list=true;a=1"), 405, json(wrapped("unsupported operation"))],
  ["a second question mark", get("/v1/auth/jwt/role?list=true?x"), 400, nothing],
  ["a path of 8 KiB", get(`/v1/auth/jwt/role/${"a".repeat(8192)}`), 404, nothing],
  ["a path over 1 MiB", get(`/v1/${"a".repeat(1_100_000)}`), 431, "431 Request Header Fields Too Large"],
  ["a header of 20 KB", get(role, `X-A: ${"a".repeat(20_000)}\r\n`), 404, nothing],
  ["a header over 1 MiB", get(role, `X-A: ${"a".repeat(1_100_000)}\r\n`), 431, "431 Request Header Fields Too Large"],
  ["the token after 3,000 headers", `GET ${role} HTTP/1.1\r\n${many}${common}\r\n`, 404, nothing],
  ["a second token", get(role, "X-Vault-Token: other\r\n"), 404, nothing],
  [
    "a token after a wrong one",
    `GET ${role} HTTP/1.1\r\nX-Vault-Token: other\r\n${common}\r\n`,
    403,
    json("2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"),
  ],
  ["no host", `GET ${role} HTTP/1.1\r\n\r\n`, 400, "400 Bad Request: missing required Host header"],
  ["two hosts", get(role, "Host: y\r\n"), 400, badRequest],
  ["a host that is none", `GET ${role} HTTP/1.1\r\nHost: a b/c\r\n\r\n`, 400, `${badRequest}: malformed Host header`],
  ["HTTP/2.0", `GET ${role} HTTP/2.0\r\n${common}\r\n`, 505, unsupportedVersion()],
  ["HTTP/9", `GET ${role} HTTP/9\r\n${common}\r\n`, 400, badRequest],
  ["no version", `GET ${role}\r\n\r\n`, 400, badRequest],
  ["a header without a colon", get(role, "nonsense\r\n"), 400, badRequest],
  ["NUL in a header", get(role, "X-A: b\0c\r\n"), 400, badRequest],
  ["a header without a name", get(role, ": b\r\n"), 400, badRequest],
  ["a header called __proto__", get(role, "__proto__: x\r\n"), 404, nothing],
  ["two lengths", post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400, badRequest],
  ["a list of lengths", post("Content-Length: 2, 2\r\n", "{}"), 400, badRequest],
  ["a negative length", post("Content-Length: -2\r\n", "{}"), 400, badRequest],
  ["a hexadecimal length", post("Content-Length: 0x2\r\n", "{}"), 400, badRequest],
  ["no length where one belongs", post("Content-Length:\r\n", "{}"), 400, badRequest],
  ["a length beyond all", post("Content-Length: 99999999999999999999\r\n", "{}"), 400, badRequest],
  ["chunks", chunked("2\r\n{}\r\n0\r\n\r\n"), 400, noUserClaim],
  ["chunks with extensions and trailers", chunked("2;a=b\r\n{}\r\n0\r\nX-T: y\r\n\r\n"), 400, noUserClaim],
  ["a chunk size that is none", chunked("zz\r\n{}\r\n0\r\n\r\n"), 500, json("invalid byte in chunk length")],
  ["a negative chunk size", chunked("-2\r\n{}\r\n0\r\n\r\n"), 500, json("invalid byte in chunk length")],
  ["a chunk size beyond all", chunked(`${"f".repeat(17)}\r\n{}\r\n`), 500, json("http chunk length too large")],
  ["a chunk that is too long", chunked("2\r\n{}0\r\n\r\n"), 500, json("malformed chunked encoding")],
  ["another coding", chunked("{}", "Transfer-Encoding: gzip\r\n"), 501, "Unsupported transfer encoding"],
  ["two codings", chunked("{}", "Transfer-Encoding: gzip, chunked\r\n"), 501, "Unsupported transfer encoding"],
  ["a GET with a body", request(`GET ${role}`, "Content-Length: 2\r\n", "{}"), 404, nothing],
  ["a wish to upgrade", get(role, "Upgrade: websocket\r\n"), 404, nothing],
  ["nonsense", "nonsense\r\n\r\n", 400, badRequest],
];

// Node's parser is stricter than Go's; the connection is refused as Go refuses others.
const stricter: readonly Case[] = [
  ["é in the path, unescaped", get("/v1/auth/jwt/role/é"), 400, badRequest],
  ["HTTP/1.2", `GET ${role} HTTP/1.2\r\n${common}\r\n`, 400, badRequest],
  ["lines without carriage return", get(role).replaceAll("\r", ""), 400, badRequest],
  ["a folded header", get(role, "X-A: b\r\n c\r\n"), 400, badRequest],
  ["the same length twice", post("Content-Length: 2\r\nContent-Length: 2\r\n", "{}"), 400, badRequest],
  [
    "a length beside chunks",
    chunked("2\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n"),
    400,
    badRequest,
  ],
  ["the greeting of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, badRequest],
];

function noRoute(path: string): string {
  return json(`no handler for route "${path}". route entry not found.`);
}

function unsupportedVersion(): string {
  return "505 HTTP Version Not Supported: unsupported protocol version";
}

describe("a request as only a raw client sends it", () => {
  it.each([...asVault, ...stricter])("%s", async (_name, bytes, status, body) => {
    const before = heldSockets();
    const answers = await asked(bytes);
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual([[status, body]]);
    expect((await ask("GET sys/mounts")).status).toBe(200);
    // The connection of the normal request is kept by its client.
    await untilReleased(before + 1);
  });

  it("that ends before its body does is answered", async () => {
    const answers = await asked(post("Content-Length: 20\r\n", "{}"), true);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[500, json("unexpected EOF")]]);
  });

  it("that wants to be told to go on is told so", async () => {
    const [first, second] = await asked(post("Expect: 100-continue\r\nContent-Length: 2\r\n", "{}"));
    expect(first?.head).toBe("HTTP/1.1 100 Continue");
    expect(first?.body).toMatch(/^HTTP\/1\.1 400 /);
    expect(second).toBeUndefined();
  });

  it.each(["GET", "POST", "LIST"])("%s with a doubled slash is sent to the right path", async (method) => {
    const [answer] = await asked(request(`${method} /v1//sys/health`));
    expect(answer?.status).toBe(307);
    expect(answer?.head).toContain("location: /v1/sys/health");
    // Go writes a body for browsers only.
    expect(answer?.body).toBe(method === "GET" ? '<a href="/v1/sys/health">Temporary Redirect</a>.\n\n' : "");
  });
});
