import { beforeEach, describe, expect, it } from "vitest";
import { faultScript } from "../../server/faults/fault-script";
import { startServers } from "../../server/serve";
import { askSecrets, errorOf, serving } from "./frame-harness";

const role = { role_type: "jwt", user_claim: "sub", bound_subject: "x" };

const { server, ask } = serving();
beforeEach(() => {
  server().faults.clear();
  server().log.clear();
});

const fail = (spec: string) => server().faults.add(faultScript.parse(spec));

describe("a fault", () => {
  it("strikes N times and is gone", async () => {
    fail("POST auth/jwt/role/* 503 x2");
    const statuses = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await ask("POST auth/jwt/role/a", role)).status);
    expect(statuses).toEqual([503, 503, 204]);
    expect(server().faults.all()).toEqual([]);
  });

  it("without a count strikes until it is removed", async () => {
    const { id } = fail("* sys/mounts 500");
    for (let round = 0; round < 3; round += 1) expect((await ask("GET sys/mounts")).status).toBe(500);
    expect([server().faults.remove(id), server().faults.remove(id)]).toEqual([true, false]);
    expect((await ask("GET sys/mounts")).status).toBe(200);
  });

  it("is performed instead of the operation, unless it says after", async () => {
    fail("POST auth/jwt/role/before 503 x1");
    fail("POST auth/jwt/role/after 503 after x1");
    for (const name of ["before", "after"]) expect((await ask(`POST auth/jwt/role/${name}`, role)).status).toBe(503);
    expect((await ask("GET auth/jwt/role/before")).status).toBe(404);
    expect((await ask("GET auth/jwt/role/after")).status).toBe(200);
  });

  it("can cut the connection, also after the operation", async () => {
    fail("POST auth/jwt/role/cut cut x1");
    fail("POST auth/jwt/role/cut-after cut after x1");
    for (const name of ["cut", "cut-after"]) {
      await expect(ask(`POST auth/jwt/role/${name}`, role)).rejects.toThrow();
    }
    expect((await ask("GET auth/jwt/role/cut")).status).toBe(404);
    expect((await ask("GET auth/jwt/role/cut-after")).status).toBe(200);
    expect(server().log.all().slice(0, 2)).toMatchObject([{ status: 0 }, { status: 0, fault: expect.any(String) }]);
  });

  it("can hold back half of the body", async () => {
    fail("GET sys/mounts slow:20 x1");
    const started = performance.now();
    const answer = await ask("GET sys/mounts");
    // Timers may fire a little early; the answer is whole all the same.
    expect(performance.now() - started).toBeGreaterThan(15);
    expect(answer.data).toHaveProperty("sys/");
  });

  it("can pretend that the server is sealed", async () => {
    fail("* * sealed x1");
    expect(errorOf(await ask("GET sys/mounts"))).toEqual([503, "Vault is sealed"]);
  });

  // @covers jwt: Limits > rate limits
  it("can say when to come again", async () => {
    fail("GET sys/mounts 429 retry-after=3 x1");
    const { status, headers } = await ask("GET sys/mounts");
    expect([status, headers.get("retry-after")]).toEqual([429, "3"]);
  });

  it("counts GET with list=true as LIST, not as GET", async () => {
    fail("LIST auth/jwt/role 500");
    expect((await ask("GET auth/jwt/role?list=true")).status).toBe(500);
    expect((await ask("GET auth/jwt/role")).status).toBe(405);
  });

  it("matches whole paths, with or without the prefix of the API", async () => {
    fail("GET /v1/sys/mounts 500");
    expect((await ask("GET sys/mounts")).status).toBe(500);
    expect((await ask("GET sys/mounts/cloud")).status).toBe(200);
  });

  it("is taken in the order in which it came", async () => {
    fail("GET sys/* 500 x1");
    fail("GET sys/mounts 502 x1");
    expect([(await ask("GET sys/mounts")).status, (await ask("GET sys/mounts")).status]).toEqual([500, 502]);
  });

  it.each([
    ["cluster", "v1/peerings", "text/plain; charset=utf-8", "service unavailable"],
    [
      "policy",
      "api/v2/ping",
      "application/vnd.api+json; charset=utf-8",
      '{"errors":[{"status":"503","title":"service unavailable"}]}',
    ],
    ["secrets", "v1/sys/mounts", "application/json", '{"errors":["service unavailable"]}\n'],
  ] as const)("speaks the language of the %s service, and of that one only", async (service, path, type, text) => {
    fail(`GET * 503 service=${service}`);
    const response = await fetch(`${server()[service].address}/${path}`);
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([503, type, text]);
    for (const other of (["cluster", "policy", "secrets"] as const).filter((name) => name !== service)) {
      expect((await fetch(`${server()[other].address}/v1/x`)).status).not.toBe(503);
    }
  });

  it("never touches the admin interface", async () => {
    fail("* * cut");
    const headers = { authorization: `Bearer ${server().admin.token}` };
    expect((await fetch(`${server().admin.address}/faults`, { headers })).status).toBe(200);
  });
});

describe("a fault script", () => {
  it.each([
    ["", '"" is not a method; write it in capitals, or *'],
    ["get x 500", '"get" is not a method; write it in capitals, or *'],
    ["GET", "a path is missing; write one such as auth/jwt/role/*, or *"],
    ["GET x", '"" is not an action; use a status from 400 to 599, cut, slow:<ms> or sealed'],
    ["GET x 200", '"200" is not an action; use a status from 400 to 599, cut, slow:<ms> or sealed'],
    ["GET x 500 x0", '"x0" is not an option; use after, retry-after=<s>, service=<name> or xN'],
    ["GET x 500 service=zz", '"zz" is not one of secrets, cluster, policy, admin, issuer'],
  ])("%j is refused: %s", (text, reason) => {
    const issues = faultScript.safeParse(text).error?.issues.map(({ message }) => message);
    expect(issues).toEqual([`fault "${text}": ${reason}`]);
  });

  it("may come with the start of the server", async () => {
    const own = await startServers({ faults: [faultScript.parse("GET sys/auth 500 x1")] });
    const askOwn = askSecrets(own);
    expect([(await askOwn("GET sys/auth")).status, (await askOwn("GET sys/auth")).status]).toEqual([500, 200]);
    await own.close();
  });
});
