import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decode, idle, nothingHidden, setUpCluster } from "./cluster-harness";

describe("reading", () => {
  // @covers peering: Endpoints > peerings
  // @covers peering: Endpoints > agent caching
  it("lists all peerings by name, and an empty cluster as []", async () => {
    const { call, generate, read } = setUpCluster();
    expect((await call("GET /v1/peerings")).text).toBe("[]");
    for (const name of ["foo", "bar", "baz"]) await generate({ PeerName: name });
    const answer = await call("GET /v1/peerings?filter=x&dc=nope&cached");
    expect(JSON.parse(answer.text)).toEqual([await read("bar"), await read("baz"), await read("foo")]);
  });

  // @covers peering: Endpoints > consistency mode
  // @covers peering: Endpoints > agent caching
  it("carries the headers of a query", async () => {
    const { call, generate } = setUpCluster();
    expect((await call("GET /v1/peerings")).headers.get("x-consul-index")).toBe("1");
    await generate({ PeerName: "foo" });
    const { headers } = await call("GET /v1/peering/foo");
    expect(Object.fromEntries([...headers].filter(([name]) => name !== "x-consul-index"))).toEqual({
      "content-type": "application/json",
      vary: "Accept-Encoding",
      "x-consul-default-acl-policy": "deny",
      "x-consul-knownleader": "true",
      "x-consul-lastcontact": "0",
      "x-consul-query-backend": "blocking-query",
    });
  });

  it("finds a name in any case", async () => {
    const { generate, read } = setUpCluster();
    await generate({ PeerName: "token" });
    expect((await read("TOKEN")).Name).toBe("token");
  });

  it.each([
    ["baz", 404, 'Peering not found for "baz"'],
    ["BAZ", 404, 'Peering not found for "BAZ"'],
    ["a%2Fb", 404, 'Peering not found for "a/b"'],
    ["%22", 404, 'Peering not found for "\\""'],
    ["%C3%A9", 404, 'Peering not found for "é"'],
    ["%FF", 500, "grpc: error while marshaling: string field contains invalid UTF-8"],
    ["%ZZ", 400, "400 Bad Request"],
    ["%0a", 400, ""],
    ["", 400, "Must specify a name to fetch."],
  ])("answers the unknown name %j", async (name, status, text) => {
    const { call } = setUpCluster();
    const answer = await call(`GET /v1/peering/${name}`);
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers.get("x-consul-index")).toBeNull();
  });

  it("escapes what could be HTML, and indents on ?pretty", async () => {
    const { call, generate } = setUpCluster();
    await generate({ PeerName: "foo", Meta: { a: "<&>" } });
    expect((await call("GET /v1/peering/foo")).text).toContain('"Meta":{"a":"\\u003c\\u0026\\u003e"}');
    expect((await call("GET /v1/peering/foo?pretty")).text).toMatch(/^\{\n {4}"ID": [\s\S]*\}\n$/);
  });

  it("compresses an answer from 1400 bytes on, when asked to", async () => {
    const { call, send, generate } = setUpCluster();
    await generate({ PeerName: "foo" });
    const headers = { "accept-encoding": "gzip" };
    const response = await send("POST /v1/peering/token", { headers, body: { PeerName: "foo" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const body = JSON.parse(gunzipSync(Buffer.from(await response.arrayBuffer())).toString());
    expect(decode(body.PeeringToken).Remote.Datacenter).toBe("dc1");
    expect((await call("GET /v1/peering/foo", { headers })).headers.get("content-encoding")).toBeNull();
  });
});

describe("a blocking query", () => {
  // @covers peering: Endpoints > blocking queries
  it("waits until the index passes", async () => {
    const { call, generate, read } = setUpCluster();
    await generate({ PeerName: "foo" });
    const { ModifyIndex } = await read("foo");
    const waiting = [
      call(`GET /v1/peering/foo?index=${ModifyIndex}`),
      call(`GET /v1/peerings?index=${ModifyIndex}`),
      call(`GET /v1/peering/bar?index=${ModifyIndex + 1}`),
    ];
    await generate({ PeerName: "foo" });
    await generate({ PeerName: "bar" });
    const [foo, list, bar] = await Promise.all(waiting);
    expect(JSON.parse(foo?.text ?? "").ModifyIndex).toBe(ModifyIndex + 1);
    expect(list?.headers.get("x-consul-index")).toBe(String(ModifyIndex + 1));
    expect(JSON.parse(bar?.text ?? "").Name).toBe("bar");
  });

  // @covers peering: Endpoints > blocking queries
  it("answers with what there was when its wait runs out", async () => {
    const { call, generate, read } = setUpCluster();
    await generate({ PeerName: "foo" });
    const record = await read("foo");
    const answer = await call(`GET /v1/peering/foo?wait=1ms&index=${record.ModifyIndex + 9}`);
    expect(JSON.parse(answer.text)).toEqual(record);
    expect((await call("GET /v1/peering/bar?wait=1ms&index=999")).status).toBe(404);
  });

  it("is not needed: index 0 or an index that has passed answers at once", async () => {
    const { call, generate } = setUpCluster();
    await generate({ PeerName: "foo" });
    expect((await call("GET /v1/peering/foo?index=0&wait=10m")).status).toBe(200);
    expect((await call("GET /v1/peering/foo?index=1&wait=10m")).status).toBe(200);
  });

  it.each([
    ["wait=foo", "Invalid wait time"],
    ["wait=10", "Invalid wait time"],
    ["wait=10d", "Invalid wait time"],
    ["index=foo", "Invalid index"],
    ["index=-1", "Invalid index"],
    ["index=x&wait=1", "Invalid wait time"],
    ["stale&consistent", "Cannot specify ?stale with ?consistent, conflicting semantics."],
  ])("with %s gets the complaint and the answer in one body", async (query, complaint) => {
    const { call, generate } = setUpCluster();
    await generate({ PeerName: "foo" });
    const { text } = await call("GET /v1/peering/foo");
    const answer = await call(`GET /v1/peering/foo?${query}`);
    expect(answer).toMatchObject({ status: 400, text: `${complaint}${text}` });
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await call(`GET /v1/peering/nope?${query}`)).toMatchObject({
      status: 400,
      text: `${complaint}Peering not found for "nope"`,
    });
  });
});

describe("deleting", () => {
  it("answers 200 and nothing, whether or not there is anything to delete", async () => {
    const { call, generate } = setUpCluster();
    await generate({ PeerName: "foo" });
    for (const name of ["foo", "foo", "never"]) {
      const answer = await call(`DELETE /v1/peering/${name}`);
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
    const headers = { "content-type": "text/x" };
    expect((await call("DELETE /v1/peering/foo", { headers })).headers.get("content-type")).toBe("text/x");
  });

  // @covers peering: Fields of the stored record > Name
  it("marks the record, drops what Consul drops and keeps the name as it was typed", async () => {
    let time = "2026-11-21T01:39:46.170Z";
    const { call, establish, read, service } = setUpCluster({ deleteDelayMs: 60_000, clock: () => new Date(time) });
    await establish("foo", await setUpCluster().generate({ PeerName: "bar" }), { Meta: { a: "1" } });
    const { ID, CreateIndex, ModifyIndex, PeerServerAddresses, Remote } = await read("foo");
    await call("DELETE /v1/peering/FOO");
    const marked = {
      ID,
      Name: "FOO",
      DeletedAt: "2026-11-21T01:39:46.17Z",
      State: "DELETING",
      PeerServerAddresses,
      StreamStatus: idle,
      CreateIndex,
      ModifyIndex: ModifyIndex + 1,
      Remote,
    };
    expect(await read("foo")).toEqual(marked);
    time = "2027-11-21T01:39:46.170Z";
    await call("DELETE /v1/peering/foo");
    expect(await read("foo")).toEqual(marked);
    expect(service.records()).toEqual({
      "peering/FOO": { ...marked, ...nothingHidden },
    });
  });

  // @covers peering: States > removed
  it("ends with the record gone and its name free", async () => {
    const { call, generate, read } = setUpCluster();
    await generate({ PeerName: "foo" });
    const { ID } = await read("foo");
    await call("DELETE /v1/peering/foo");
    const { ModifyIndex } = await read("foo");
    expect((await call(`GET /v1/peering/foo?index=${ModifyIndex}`)).status).toBe(404);
    expect((await call("GET /v1/peerings")).headers.get("x-consul-index")).toBe(String(ModifyIndex + 1));
    await generate({ PeerName: "foo" });
    expect((await read("foo")).ID).not.toBe(ID);
  });
});

describe("access", () => {
  const anonymous = (permission: string, scope = "") =>
    `Permission denied: anonymous token lacks permission '${permission}'${scope}. The anonymous token is used implicitly when a request does not specify a token.`;

  it.each([
    ["GET /v1/peering/foo", anonymous("peering:read")],
    ["GET /v1/peerings", anonymous("peering:read")],
    ["DELETE /v1/peering/foo", anonymous("peering:write")],
    ["POST /v1/peering/token", anonymous("peering:write")],
    ["GET /v1/agent/self", anonymous("agent:read", ' on "dc1"')],
  ])("is refused to %s without a token, and with an unknown one", async (line, text) => {
    const { call } = setUpCluster();
    const sent = line.startsWith("POST") ? { body: { PeerName: "foo" } } : {};
    expect(await call(line, { ...sent, secret: null })).toMatchObject({ status: 403, text });
    expect(await call(line, { ...sent, secret: "nope" })).toMatchObject({ status: 403, text: "ACL not found" });
  });

  // @covers peering: Authentication, errors, limits, versions > permission of each endpoint
  it("of a token that may read ends at writing", async () => {
    const { call, tokenWith } = setUpCluster();
    const secret = await tokenWith('peering = "read" agent_prefix "" { policy = "read" }');
    expect((await call("GET /v1/peerings", { secret })).status).toBe(200);
    expect((await call("GET /v1/agent/self", { secret })).status).toBe(200);
    const answer = await call("DELETE /v1/peering/foo", { secret });
    expect(answer.status).toBe(403);
    expect(answer.text).toMatch(
      /^Permission denied: token with AccessorID '[\da-f-]{36}' lacks permission 'peering:write'$/,
    );
  });

  // @covers peering: Authentication, errors, limits, versions > how the token travels
  it("looks for the token in the query, then the header, then the bearer; an earlier bad one wins", async () => {
    const { call, token } = setUpCluster();
    const bearer = { authorization: `bEaReR ${token} more` };
    const status = async (line: string, options: Parameters<typeof call>[1]) => (await call(line, options)).status;
    expect(await status("GET /v1/peerings", { secret: null, headers: bearer })).toBe(200);
    expect(await status("GET /v1/peerings", { secret: "bad", headers: bearer })).toBe(403);
    expect(await status(`GET /v1/peerings?token=${token}`, { secret: "bad" })).toBe(200);
    expect(await status("GET /v1/peerings?token=bad", {})).toBe(403);
  });
});

describe("routing", () => {
  // @covers peering: Authentication, errors, limits, versions > status codes and bodies
  it.each([
    ["PUT", "/v1/peering/foo", "OPTIONS,GET,DELETE"],
    ["HEAD", "/v1/peering/foo", "OPTIONS,GET,DELETE"],
    ["PATCH", "/v1/peering/", "OPTIONS,GET,DELETE"],
    ["GET", "/v1/peering/token", "OPTIONS,POST"],
    ["GET", "/v1/peering/%74oken", "OPTIONS,POST"],
    ["DELETE", "/v1/peering/establish", "OPTIONS,POST"],
    ["POST", "/v1/peerings", "OPTIONS,GET"],
  ])("answers %s %s with 405, and OPTIONS with the same Allow", async (method, path, allow) => {
    const { call } = setUpCluster();
    const answer = await call(`${method} ${path}`, { secret: null });
    expect(answer.status).toBe(405);
    expect(answer.text).toBe(method === "HEAD" ? "" : `method ${method} not allowed`);
    expect(answer.headers.get("allow")).toBe(allow);
    const options = await call(`OPTIONS ${path}`, { secret: null });
    expect(options).toMatchObject({ status: 200, text: "" });
    expect(options.headers.get("allow")).toBe(allow);
  });

  it.each(["/v1/peerings/", "/v1/nothing", "/nothing"])("knows no %s", async (path) => {
    const answer = await setUpCluster().call(`GET ${path}`);
    expect(answer).toMatchObject({ status: 404, text: "Invalid URL path: not a recognized HTTP API endpoint\n" });
    expect(answer.headers.get("x-consul-default-acl-policy")).toBeNull();
  });

  it.each([
    ["/v1/peering", "/v1/peering/"],
    ["/v1//peerings?a=1&b=2", "/v1/peerings?a=1&b=2"],
    ["/v1/peering/a//b", "/v1/peering/a/b"],
  ])("redirects %s to %s", async (path, location) => {
    const answer = await setUpCluster().call(`GET ${path}`);
    const text = `<a href="${location.replace("&", "&amp;")}">Moved Permanently</a>.\n\n`;
    expect(answer).toMatchObject({ status: 301, text });
    expect(answer.headers.get("location")).toBe(location);
  });
});
