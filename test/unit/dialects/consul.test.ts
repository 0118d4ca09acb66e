import { describe, expect, it } from "vitest";
import { consul } from "../../../provider/dialects/consul";
import { type Answer, adviceOn } from "../../../provider/dialects/dialect";

const answer = (status: number, text: string, headers = {}): Answer => ({ status, headers, text });
const peer = { method: "GET", path: "v1/peering/b" };

describe("a peering is not there", () => {
  it.each(['Peering not found for "b"', 'Peering not found for "\\""'])("when Consul says %s", (text) => {
    expect(consul.isAbsent(answer(404, text))).toBe(true);
  });

  // @covers peering: Authentication, errors, limits, versions > status codes and bodies
  it.each([
    // @covers peering: Authentication, errors, limits, versions > since 1.13.0
    ["an unknown path", answer(404, "Invalid URL path: not a recognized HTTP API endpoint\n")],
    ["a page of a proxy", answer(404, '<html>Peering not found for "b"</html>')],
    ["no answer in words", answer(404, "")],
    ["no permission", answer(403, "Permission denied: token with AccessorID 'x' lacks permission 'peering:read'")],
    ["an unknown token", answer(403, "ACL not found")],
    ["a failure that mentions it", answer(500, 'Peering not found for "b"')],
    ["an empty list", answer(200, "[]")],
  ])("not because of %s", (_, found) => {
    expect(consul.isAbsent(found)).toBe(false);
  });

  it("and there is no second question to ask", () => {
    expect(consul.doubt).toBeUndefined();
  });
});

describe("a list of peerings", () => {
  // @covers peering: Authentication, errors, limits, versions > filtered lists
  it.each([
    [{ "x-consul-results-filtered-by-acls": "true" }, true],
    [{ "x-service-results-filtered-by-acls": "true" }, true],
    [{ "x-consul-results-filtered-by-acls": "false" }, false],
    [{}, false],
  ])("with the headers %j may hide some: %s", (headers, isFiltered) => {
    expect(consul.isFiltered?.(answer(200, "[]", headers))).toBe(isFiltered);
  });
});

describe("Consul's words", () => {
  it("are the body", () => {
    expect(consul.details(answer(500, "peering must be enabled to use this endpoint"))).toEqual([
      "peering must be enabled to use this endpoint",
    ]);
  });

  it.each([[answer(502, "<html>Bad Gateway</html>")], [answer(500, "")]])("are none in %j", (found) => {
    expect(consul.details(found)).toEqual([]);
  });
});

describe("what to do about Consul's answer", () => {
  it.each([
    [403, "ACL not found", "GET", "unknown or deleted"],
    [403, "Permission denied: token with AccessorID 'x' lacks permission 'peering:read'", "GET", 'peering = "read"'],
    [403, "Permission denied: anonymous token lacks permission 'peering:write'", "POST", 'peering = "write"'],
    [403, "a new peering token must be generated: invalid peering establishment secret", "POST", "raise `generation`"],
    [
      500,
      'cannot create peering with name: "x"; there is an existing peering expecting to be dialed',
      "POST",
      "other direction",
    ],
    [500, 'cannot create peering with name: "x"; there is already an established peering', "POST", "other direction"],
    [
      503,
      'desc = "transport: authentication handshake failed: remote error: tls: unrecognized name"',
      "POST",
      "has no certificate for peerings yet",
    ],
    [
      400,
      'Invalid query parameter: "partition" - Partitions are a Consul Enterprise feature',
      "GET",
      "Leave out `partition`",
    ],
    [500, "peering must be enabled to use this endpoint", "POST", "peering.enabled"],
    [503, "18 errors occurred:", "POST", "addresses in the token"],
  ])("%d %s to %s is said", (status, text, method, words) => {
    expect(adviceOn(consul, { method, path: "v1/peering/establish" }, answer(status, text))).toContain(words);
  });

  it("is not invented", () => {
    expect(adviceOn(consul, peer, answer(500, "CA has not finished initializing"))).toBeUndefined();
  });
});

describe("a request to Consul", () => {
  // @covers peering: Authentication, errors, limits, versions > how the token travels
  it.each([
    [{ token: "t", namespace: undefined }, { "x-consul-token": "t" }],
    // The partition travels in path and body: as a header the community edition refuses it.
    [{ token: undefined, namespace: "p" }, {}],
  ])("with %j has the headers %j", (credentials, headers) => {
    expect(consul.headers(credentials)).toEqual(headers);
  });

  it("leaves out what is empty", () => {
    const members = { PeerName: "b", Partition: "", Meta: {}, ServerExternalAddresses: ["a:1"] };
    expect(consul.body(members, { method: "POST", path: "v1/peering/token" })).toEqual({
      PeerName: "b",
      ServerExternalAddresses: ["a:1"],
    });
  });
});

describe("which cluster it is", () => {
  const roots = answer(200, JSON.stringify({ ActiveRootID: "x", TrustDomain: "d-1.consul", Roots: [] }));

  it.each([
    [undefined, "consul:d-1.consul"],
    ["p", "consul:d-1.consul/p"],
  ])("is said by its trust domain, partition %s", (namespace, identity) => {
    expect(consul.server(roots, { host: "h", namespace })).toEqual({ product: "consul", enterprise: false, identity });
  });

  it.each([
    ["an error", answer(500, "no leader")],
    ["a page of a proxy", answer(200, "<html>")],
    ["a cluster without Connect", answer(200, "{}")],
  ])("is not known from %s", (_, found) => {
    expect(consul.server(found, { host: "h", namespace: undefined })).toBeUndefined();
  });
});

it("a login's token lasts as long as between the server's own times, whatever this machine's clock says", () => {
  const times = { CreateTime: "2020-01-01T10:00:00.5Z", ExpirationTime: "2020-01-01T10:05:00.5Z" };
  expect(consul.logins?.issued({ SecretID: "s", ...times })?.seconds).toBe(300);
});
