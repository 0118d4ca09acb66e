import { describe, expect, it } from "vitest";
import { createEngine } from "../../provider/engine/engine";
import { policyParameter } from "../../provider/resources/policy/parameter";
import { heldSockets, untilReleased } from "./abuse-harness";
import { startForTests } from "./frame-harness";
import { param, parameters, setUp, unauthorized, vars } from "./policy-harness";

describe("a limit of thirty requests a second", () => {
  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it("lets thirty of a thousand requests through that come at the same time, and creates no more", async () => {
    const { call, service } = setUp({ clock: () => new Date(0), requestsPerSecond: 30 });
    const all = Array.from({ length: 1000 }, (_, index) =>
      call(`POST ${parameters}`, { body: vars(param({ key: `k${index}` })) }),
    );
    const answers = await Promise.all(all);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    expect(refused).toHaveLength(970);
    expect(Object.keys(service.records())).toHaveLength(30);
    for (const { headers, body } of refused) {
      expect(headers.get("content-type")).toBe("application/vnd.api+json");
      expect(headers.get("x-ratelimit-remaining")).toBe("0");
      // A Go client ends its process over anything else.
      expect(headers.get("x-ratelimit-reset")).toMatch(/^\d\.\d{3}$/);
      expect(body.errors[0].status).toBe(429);
    }
  });

  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it("is the address's for who has no token or a wrong one, so that they use nobody's up", async () => {
    const { call } = setUp({ clock: () => new Date(0), requestsPerSecond: 2 });
    for (const authorization of ["Bearer one", "Bearer two"]) {
      expect(await call(`GET ${parameters}`, { headers: { authorization } })).toMatchObject({ body: unauthorized });
    }
    expect((await call(`GET ${parameters}`, { headers: { authorization: "Bearer three" } })).status).toBe(429);
    expect((await call("GET /api/v2/ping", { headers: { authorization: null } })).status).toBe(429);
    expect((await call(`GET ${parameters}`)).status).toBe(200);
  });

  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it("is waited for by the provider, and every parameter is there in the end", async () => {
    const before = heldSockets();
    const server = await startForTests({ policyRequestsPerSecond: 10 });
    const { address, token, policySet } = server.policy;
    const log: string[] = [];
    const engine = createEngine({
      config: () => undefined,
      env: { TFE_ADDRESS: address, TFE_TOKEN: token },
      log: (_level, message) => log.push(message),
    });
    const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
    const waiting = [...keys];
    // As many at a time as the Pulumi CLI runs on a small machine.
    const workers = Array.from({ length: 16 }, async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        await engine.create(policyParameter, { policySetId: policySet, key, value: `of ${key}`, sensitive: false });
      }
    });
    await Promise.all(workers);
    const stored = Object.values(server.records().policy).map((record) => (record as { key: string }).key);
    expect(stored.sort()).toEqual(keys.sort());
    expect(server.log.all().filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(log.join("\n")).toContain("the rate limit of 10 requests a second is used up");
    expect(log.join("\n")).not.toContain(token);
    await server.close();
    await untilReleased(before);
  });
});
