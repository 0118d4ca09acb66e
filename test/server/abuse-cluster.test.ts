// @run live: attacks take long for what they find

import { beforeAll, describe, expect, it } from "vitest";
import type { Running } from "../../server/serve";
import { answersIn, rawBytes } from "./abuse-harness";
import { startForTests } from "./frame-harness";

let server: Running;
beforeAll(async () => {
  server = await startForTests();
});

const request = (line: string, headers = "", body = "") =>
  `${line} HTTP/1.1\r\nHost: x\r\nX-Consul-Token: $\r\nConnection: close\r\n${headers}\r\n${body}`;
const get = (target: string) => request(`GET ${target}`);
const post = (body: string) =>
  request("POST /v1/peering/token", `Content-Length: ${Buffer.byteLength(body)}\r\n`, body);
const chunked = (chunks: string) => request("POST /v1/peering/token", "Transfer-Encoding: chunked\r\n", chunks);
const absent = (name: string) => `Peering not found for ${name}`;
const undecodable = (reason: string) => `Body decoding failed: ${reason}`;

// Every line was sent to Consul 1.22.0, built from its modules; status and body are its own.
const asConsul: readonly (readonly [request: string, status: number, body: string])[] = [
  [request("get /v1/peerings"), 405, "method get not allowed"],
  [request("LIST /v1/peerings"), 405, "method LIST not allowed"],
  [request("TRACE /v1/peerings"), 405, "method TRACE not allowed"],
  [get("http://other.example/v1/peerings"), 200, "[]"],
  [get("*"), 400, ""],
  [get("/v1/peering/a%00b"), 400, ""],
  [get("/v1/peering/a%c2%a0b"), 400, ""],
  [get("/v1/peering/%zz"), 400, "400 Bad Request"],
  [get("/v1/peering/a\\b"), 404, absent(String.raw`"a\\b"`)],
  [get("/v1/peering/..\\..\\b"), 404, absent(String.raw`"..\\..\\b"`)],
  [get("/v1/peering/%2e%2e/x"), 404, absent('"../x"')],
  [get("/v1/peerings?a=%zz"), 500, ""],
  [get("/v1/peerings?a=1;b=2"), 500, ""],
  [get("/v1/nothing?a=%zz"), 404, "Invalid URL path: not a recognized HTTP API endpoint\n"],
  [get("/v1/peering/x?index=18446744073709551616"), 400, `Invalid index${absent('"x"')}`],
  [get("/v1/peering/x?wait=9223372037s&index=1"), 400, `Invalid wait time${absent('"x"')}`],
  [post("\ufeff{}"), 400, undecodable("invalid character 'ï' looking for beginning of value")],
  [post('{"PeerName":"'), 400, undecodable("unexpected EOF")],
  [post(`{"Meta":${"[".repeat(20_000)}`), 400, undecodable("invalid character '[' exceeded max depth")],
  [chunked("zz\r\n{}\r\n0\r\n\r\n"), 400, undecodable("invalid byte in chunk length")],
  [chunked(`${"f".repeat(17)}\r\n{}\r\n`), 400, undecodable("http chunk length too large")],
];

describe("Consul's words for", () => {
  it.each(asConsul)("%j are %i %j", async (bytes, status, body) => {
    const received = await rawBytes(server.cluster.address, bytes.replace("$", server.cluster.token));
    expect(answersIn(received).map((answer) => [answer.status, answer.body])).toEqual([[status, body]]);
  });

  it.each(["/v1/peering/../peerings", "/v1//peerings", "/v1/./peerings"])(
    "%s send to the path it means",
    async (path) => {
      const [answer] = answersIn(await rawBytes(server.cluster.address, get(path).replace("$", server.cluster.token)));
      expect(answer?.status).toBe(301);
      expect(answer?.head).toContain("location: /v1/peerings");
    },
  );

  it("a name that URLs would walk up are found under that name", async () => {
    const token = server.cluster.token;
    await rawBytes(server.cluster.address, post('{"PeerName":"peerings"}').replace("$", token));
    const answers = answersIn(
      await rawBytes(server.cluster.address, get("/v1/peering/%2e%2e/peering/peerings").replace("$", token)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404]);
  });
});
