import { describe, expect, it } from "vitest";
import { errorOf, rawExchange, serving, wrapped } from "./frame-harness";

const { server, ask } = serving();

const noRoute = (path: string) => `no handler for route "${path}". route entry not found.`;

describe("paths", () => {
  it.each([
    ["GET nope/x", 404, noRoute("nope/x")],
    ["GET auth", 404, noRoute("auth")],
    ["GET team/a/auth/jwt/role/x", 404, noRoute("team/a/auth/jwt/role/x")],
    ["GET sys/nope", 404, wrapped("unsupported path")],
    ["GET auth/jwt", 404, wrapped("unsupported path")],
    ["GET auth/jwt/role/x/", 404, wrapped("unsupported path")],
    ["GET auth/jwt/role/a%20b", 404, wrapped("unsupported path")],
    ["GET auth/jwt/role/a%2Fb", 404, wrapped("unsupported path")],
    ["GET auth/jwt/login", 405, "unsupported operation"],
    ["GET auth/jwt/rol%65/a", 404, ""],
    ["POST auth/jwt/role/", 400, "cannot write to a path ending in '/'"],
    ["POST nope/", 400, "cannot write to a path ending in '/'"],
    ["GET auth/jwt/role", 405, wrapped("unsupported operation")],
    ["POST auth/jwt/role", 405, wrapped("unsupported operation")],
    ["DELETE auth/jwt/config", 405, wrapped("unsupported operation")],
    ["GET auth/jwt/config?list=true", 404, wrapped("unsupported path")],
    ["GET auth/jwt/role/a..b", 400, wrapped("relative paths not supported")],
    ["POST cloud/roles/a..b", 400, wrapped("relative paths not supported")],
    ["POST auth/jwt/role/a..b", 400, "relative paths not supported"],
  ])("%s is %i %j", async (request, status, text) => {
    const body = request.startsWith("POST") ? { credential_type: "iam_user" } : undefined;
    expect(errorOf(await ask(request, body))).toEqual([status, text]);
  });

  it.each([
    ["/v1/sys//health", "/v1/sys/health"],
    ["//v1/sys/health", "/v1/sys/health"],
    ["/v1/auth/jwt/../x", "/v1/auth/x"],
    ["/v1/sys", "/v1/sys/"],
    ["/v1", "/v1/"],
  ])("%s is redirected to %s", async (path, location) => {
    const answer = await rawExchange(server().secrets.address, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 307 /);
    expect(answer).toContain(`location: ${location}\r\n`);
    expect(answer).toContain(`<a href="${location}">Temporary Redirect</a>.`);
  });

  it("outside of /v1/ nothing is found, in plain text", async () => {
    const response = await fetch(`${server().secrets.address}/ui/`);
    expect([response.status, await response.text()]).toEqual([404, "404 page not found\n"]);
  });

  it("a broken escape is 400 in plain text", async () => {
    const response = await fetch(`${server().secrets.address}/v1/auth/jwt/role/a%zz`);
    expect([response.status, await response.text()]).toEqual([400, "400 Bad Request"]);
  });
});

describe("the list parameter", () => {
  it.each(["1", "t", "T", "true", "TRUE", "True"])("list=%s lists", async (value) => {
    expect(errorOf(await ask(`GET auth/jwt/role?list=${value}`))).toEqual([404, ""]);
  });

  it.each(["0", "f", "false", ""])("list=%s reads", async (value) => {
    expect((await ask(`GET auth/jwt/role?list=${value}`)).status).toBe(405);
  });

  it.each(["yes", "tRue", "2"])("list=%s is 400 without a text", async (value) => {
    expect(errorOf(await ask(`GET auth/jwt/role?list=${value}`))).toEqual([400, ""]);
  });
});

describe("PATCH", () => {
  it.each([
    ["application/json", 415, "PATCH requires Content-Type of application/merge-patch+json, provided application/json"],
    ["text/plain; charset=x", 415, "PATCH requires Content-Type of application/merge-patch+json, provided text/plain"],
    ["application/merge-patch+json", 405, wrapped("unsupported operation")],
  ])("of type %s is %i", async (type, status, text) => {
    const answer = await ask("PATCH auth/jwt/config", {}, { headers: { "content-type": type } });
    expect(errorOf(answer)).toEqual([status, text]);
  });

  it("without a type is 400", async () => {
    expect(errorOf(await ask("PATCH auth/jwt/config"))).toEqual([400, "mime: no media type"]);
  });
});

describe("headers", () => {
  it("come with every answer", async () => {
    for (const request of ["GET sys/mounts", "GET nope/x", "DELETE auth/jwt/role/none"]) {
      const { headers } = await ask(request);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    }
  });

  it("echo the namespace that was sent, also on errors", async () => {
    for (const request of ["GET sys/mounts", "GET nope/x"]) {
      const { headers } = await ask(request, undefined, { headers: { "x-vault-namespace": "team/a" } });
      expect(headers.get("x-vault-namespace")).toBe("team/a");
    }
    expect((await ask("GET sys/mounts")).headers.has("x-vault-namespace")).toBe(false);
  });

  it("what is not imitated is refused, not ignored", async () => {
    expect((await ask("GET sys/mounts?help=1")).status).toBe(501);
  });
});

describe("the token", () => {
  const invalid = "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n";

  it.each([
    ["none", {}, 403, "permission denied"],
    ["an unknown one", { "x-vault-token": "zz" }, 403, invalid],
    ["an unknown bearer", { authorization: "Bearer zz" }, 403, invalid],
    ["a bearer in lower case, which is none", { authorization: "bearer zz" }, 403, "permission denied"],
  ])("%s: %j is %i", async (_name, headers, status, text) => {
    const answer = await ask("GET sys/mounts", undefined, { token: null, headers });
    expect(errorOf(answer)).toEqual([status, text]);
  });

  it("travels as a bearer too, with any number of blanks", async () => {
    for (const authorization of [`Bearer ${server().secrets.token}`, `Bearer   ${server().secrets.token}`]) {
      expect((await ask("GET sys/mounts", undefined, { token: null, headers: { authorization } })).status).toBe(200);
    }
  });

  it("is asked for before anything is found missing", async () => {
    for (const request of ["GET nope/x", "POST auth/jwt/role/x", "GET auth/jwt/nope"]) {
      expect(errorOf(await ask(request, undefined, { token: null }))).toEqual([403, "permission denied"]);
    }
  });
});
