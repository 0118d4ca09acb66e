import { describe, expect, it } from "vitest";
import { type Answer, adviceOn } from "../../../provider/dialects/dialect";
import { vault } from "../../../provider/dialects/vault";

const answer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const errors = (status: number, ...texts: string[]) => answer(status, { errors: texts });
const role = { method: "GET", path: "auth/team/jwt/role/ci" };
const noRoute = errors(404, 'no handler for route "auth/team/jwt/role/ci". route entry not found.');

describe("a record of Vault is not there", () => {
  it("when a read finds nothing", () => {
    expect(vault.isAbsent(errors(404))).toBe(true);
  });

  // @covers jwt: Errors > status codes and bodies
  it.each([
    ["no route inside the mount", errors(404, "1 error occurred:\n\t* unsupported path\n\n")],
    ["no mount", noRoute],
    ["an unknown namespace", errors(404, "namespace not found")],
    ["a page of a proxy", answer(404, "<html>404</html>", { "content-type": "text/html" })],
    ["a page that is no API", answer(404, "404 page not found")],
    ["JSON of something else", answer(404, { message: "no" })],
    ["an empty body", answer(404, "")],
    ["no permission", errors(403, "1 error occurred:\n\t* permission denied\n\n")],
    ["a missing mount entry", errors(400, "No auth engine at x/")],
    // @covers jwt: Limits > rate limits
    ["a rate limit", errors(429, 'request path "x": rate limit quota exceeded')],
    ["a sealed server", errors(503, "Vault is sealed")],
    ["a failure without words", errors(500)],
    ["nothing in a list", answer(200, { data: { keys: [] } })],
    ["errors that are no texts", answer(404, { errors: [{ toString: 1 }] })],
  ])("not because of %s", (_, found) => {
    expect(vault.isAbsent(found)).toBe(false);
  });
});

describe("a route that Vault does not know", () => {
  const doubt = vault.doubt?.(role, noRoute);
  const mounts = (...paths: string[]) =>
    answer(200, { data: Object.fromEntries(paths.map((path) => [path, { type: "jwt" }])) });

  it("is settled by the list of mounts", () => {
    expect(doubt?.path).toBe("sys/auth");
    expect(vault.doubt?.({ method: "GET", path: "cloud/roles/a" }, noRoute)?.path).toBe("sys/mounts");
  });

  // @covers beyond: Endpoints > GET sys/mounts
  it.each([
    ["not in the list", mounts("token/", "jwt/"), true],
    ["in the list, and so something else is wrong", mounts("team/jwt/"), false],
    ["below another mount", mounts("team/"), false],
    ["of a similar name", mounts("team/jwt2/", "team/jw/"), true],
    ["behind a list that may not be read", errors(403, "permission denied"), false],
    ["behind a page of a proxy", answer(200, "<html>"), false],
    ["behind a list of another shape", answer(200, { data: null }), false],
    ["behind a list without mounts, which no server has", answer(200, { data: {} }), false],
    ["behind a list of something else", answer(200, { data: { blocked: true } }), false],
  ])("means that the record is gone when the mount is %s: %s", (_, list, isGone) => {
    expect(doubt?.isGone(list)).toBe(isGone);
  });

  it.each([
    ["a missing record", errors(404)],
    ["an unsupported path", errors(404, "unsupported path")],
    ["a failure that mentions it", errors(500, "no handler for route")],
  ])("is not %s", (_, found) => {
    expect(vault.doubt?.(role, found)).toBeUndefined();
  });
});

describe("Vault's words", () => {
  it.each([
    ["permission denied", "permission denied"],
    ["1 error occurred:\n\t* permission denied\n\n", "permission denied"],
    ["2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n", "permission denied; invalid token"],
    [
      "1 error occurred:\n\t* role rotation period out of range: must be greater than 60.00 seconds\n\n",
      "role rotation period out of range: must be greater than 60.00 seconds",
    ],
  ])("%j are said as %j", (text, said) => {
    expect(vault.details(errors(400, text))).toEqual([said]);
  });

  it("are the texts alone, whatever else is in the list", () => {
    expect(vault.details(answer(400, { errors: [{ toString: 1 }, null, "a", 5] }))).toEqual(["a"]);
  });

  it("are none in a page of a proxy", () => {
    expect(vault.details(answer(502, "<html>Bad Gateway</html>"))).toEqual([]);
  });
});

describe("what to do about Vault's answer", () => {
  it.each([
    [
      errors(403, "1 error occurred:\n\t* permission denied\n\n"),
      "POST",
      'The token needs "create and update" on auth/x',
    ],
    [errors(403, "permission denied"), "GET", 'The token needs "list" on auth/x'],
    [errors(403, "permission denied"), "DELETE", 'The token needs "delete" on auth/x'],
    [
      errors(403, "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n"),
      "GET",
      "unknown, expired or revoked",
    ],
    [errors(503, "Vault is sealed"), "GET", "Unseal the server"],
    [
      errors(400, "error checking jwks URL https://ci.example.com/jwks: dial tcp"),
      "POST",
      "The server itself, not this machine, must reach",
    ],
    [answer(400, "Client sent an HTTP request to an HTTPS server.\n"), "GET", "write https:// in the address"],
    [noRoute, "POST", "check the mount path and the namespace"],
    [errors(404, "unsupported path"), "GET", "The mount has no such path"],
    [errors(404, "namespace not found"), "GET", "Check the namespace"],
    [errors(429, "rate limit quota exceeded"), "GET", "rate limit quota"],
    [
      errors(400, "Cannot call config/rotate-root when either access_key or secret_key is empty"),
      "POST",
      "access key and secret key first",
    ],
    [
      answer(301, "", { location: "https://vault.example.com/v1/auth/x" }),
      "POST",
      "The server redirects to https://vault.example.com; set that as the address.",
    ],
    [answer(302, "", { location: "/ui/" }), "POST", "The server redirects to another path; set that as the address."],
  ])("%j to %s is said", (found, method, words) => {
    expect(adviceOn(vault, { method, path: "auth/x?list=true" }, found)).toContain(words);
  });

  it("says the line of a policy that grants it", () => {
    const grant = (method: string, path: string) =>
      adviceOn(vault, { method, path }, errors(403, "permission denied"))?.replace(/^.* grants it by: /, "");
    expect(grant("POST", "auth/jwt/role/ci")).toBe('path "auth/jwt/role/ci" { capabilities = ["create", "update"] }');
    expect(grant("GET", "auth/jwt/role?list=true")).toBe('path "auth/jwt/role" { capabilities = ["list"] }');
    expect(grant("POST", "sys/auth/ci")).toBe('path "sys/auth/ci" { capabilities = ["create", "update", "sudo"] }');
  });

  it("names the capability of a plain read", () => {
    const found = adviceOn(vault, { method: "GET", path: "auth/x/config" }, errors(403, "permission denied"));
    expect(found).toContain('The token needs "read" on auth/x/config');
  });

  it("is not invented", () => {
    expect(adviceOn(vault, role, errors(400, "invalid 'role_type': saml"))).toBeUndefined();
  });
});

describe("a request to Vault", () => {
  it.each([
    [
      { token: "t", namespace: "team/a" },
      { "x-vault-request": "true", "x-vault-token": "t", "x-vault-namespace": "team/a" },
    ],
    [{ token: undefined, namespace: undefined }, { "x-vault-request": "true" }],
  ])("with %j has the headers %j", (credentials, headers) => {
    expect(vault.headers(credentials)).toEqual(headers);
  });

  it.each([
    [{ data: { a: 1 }, warnings: ["w"] }, { a: 1 }],
    [{ data: null, warnings: ["w"] }, undefined],
    [undefined, undefined],
    [[], undefined],
  ])("answered with %j has the record %j", (json, record) => {
    expect(vault.record(json)).toEqual(record);
  });
});

describe("which server it is", () => {
  const at = (namespace?: string) => ({ host: "h", namespace });
  const health = { initialized: true, sealed: false, version: "1.21.4", cluster_id: "c-1", enterprise: false };

  it.each([
    [health, undefined, { product: "vault", version: "1.21.4", enterprise: false, identity: "vault:c-1" }],
    [health, "/team/a/", { product: "vault", version: "1.21.4", enterprise: false, identity: "vault:c-1/team/a" }],
    [
      { ...health, enterprise: true, version: "1.21.4+ent" },
      undefined,
      { product: "vault", version: "1.21.4+ent", enterprise: true, identity: "vault:c-1" },
    ],
    [
      { version: "1.12.0", cluster_id: "c-1" },
      undefined,
      { product: "vault", version: "1.12.0", enterprise: false, identity: "vault:c-1" },
    ],
    [
      { version: "2.6.2", cluster_id: "c-2" },
      undefined,
      { product: "openbao", version: "2.6.2", enterprise: false, identity: "openbao:c-2" },
    ],
    // The status of the seal, where the health is kept from us: it has no edition.
    [
      { version: "1.21.4", cluster_id: "c-1", build_date: "2026-01-01T00:00:00Z" },
      undefined,
      { product: "vault", version: "1.21.4", enterprise: false, identity: "vault:c-1" },
    ],
    [
      { version: "2.0.0+ent", cluster_id: "c-1", build_date: "2026-01-01T00:00:00Z" },
      undefined,
      { product: "vault", version: "2.0.0+ent", enterprise: true, identity: "vault:c-1" },
    ],
    [
      { version: "2.6.2", cluster_id: "c-2", commit_date: "" },
      undefined,
      { product: "openbao", version: "2.6.2", enterprise: false, identity: "openbao:c-2" },
    ],
  ])("%j, namespace %s", (body, namespace, server) => {
    expect(vault.server(answer(200, body), at(namespace))).toEqual(server);
  });

  // @covers beyond: Endpoints > GET sys/health
  it.each([
    ["a sealed server", answer(503, { version: "1.21.4", sealed: true, enterprise: false })],
    ["a page of a proxy", answer(200, "<html>")],
    ["something else", answer(200, { status: "ok" })],
    ["a version that is none", answer(200, { version: "next", cluster_id: "c-1" })],
    ["a version of another type", answer(200, { version: 1.2, cluster_id: "c-1" })],
    ["a cluster id of another type", answer(200, { ...health, cluster_id: 5 })],
    ["an empty cluster id", answer(200, { ...health, cluster_id: "" })],
  ])("is not known from %s", (_, found) => {
    expect(vault.server(found, at())).toBeUndefined();
  });
});
