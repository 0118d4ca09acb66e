import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withinRateLimit } from "../../../provider/http/rate-limit";
import { send } from "../../../provider/http/send";
import type { HttpAnswer, HttpRequest, Transport } from "../../../provider/http/transport";
import { createPolicyService } from "../../../server/policy/policy-service";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

const policySet = "polset-abcdefghijklmnop";
const [token, origin] = [randomUUID(), "http://policy.example"];

/** The embedded policy service with this limit, asked without a socket, on the clock of the test. */
function policyService(requestsPerSecond: number) {
  const options = { token, policySet, requestsPerSecond, clock: () => new Date() };
  const service = createPolicyService(options);
  const seen = { refused: 0, created: 0 };
  const transport: Transport = async ({ method, url, headers, body }) => {
    const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = await service.fetch(request, { remoteAddress: "127.0.0.1" });
    if (answer.status === 429) seen.refused++;
    if (answer.status === 201) seen.created++;
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  };
  return { seen, transport };
}

const create = (key: string): HttpRequest => ({
  method: "POST",
  url: new URL(`/api/v2/policy-sets/${policySet}/parameters`, origin),
  headers: { authorization: `Bearer ${token}`, "content-type": "application/vnd.api+json" },
  body: JSON.stringify({ data: { type: "vars", attributes: { key, category: "policy-set" } } }),
});

/** Does the work for all items, so many at a time. */
async function atOnce<T>(width: number, items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

const keys = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}`);
const request: HttpRequest = { method: "GET", url: new URL("http://host/v1/x"), headers: {} };
const limited = (transport: Transport, log: string[] = []) =>
  withinRateLimit(transport, { atOnce: 32, log: (line) => log.push(line) });

describe("a server that announces its rate limit", () => {
  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it.each([
    [5, 80],
    [30, 300],
    [200, 300],
  ])("of %d requests a second loses none of %d creates, 64 at a time and without retries", async (limit, count) => {
    const { seen, transport } = policyService(limit);
    const log: string[] = [];
    const gated = limited(transport, log);
    const work = atOnce(64, keys(count), async (key) => {
      const answer = await send(gated, create(key), { retries: 0, mints: true });
      expect(answer.status).toBe(201);
    });
    await vi.runAllTimersAsync();
    await work;
    expect(seen.created).toBe(count);
    // The first requests go out together; from then on the limit is known.
    expect(seen.refused).toBeLessThan(64);
    expect(log).toEqual([
      expect.stringContaining(`the rate limit of ${limit} requests a second is used up; waiting as long as`),
    ]);
  });

  it("is not slowed down for, as long as it refuses nothing", async () => {
    let asked = 0;
    const gated = limited(async () => {
      asked++;
      const headers = { "x-ratelimit-limit": "30", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1.0" };
      return { status: 200, headers, text: "" };
    });
    await Promise.all(keys(100).map(() => gated(request)));
    expect(asked).toBe(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});

const refusal = (headers: Record<string, string> = {}): HttpAnswer => ({ status: 429, headers, text: "" });
const done: HttpAnswer = { status: 200, headers: {}, text: "" };

/** A server that refuses so many requests at first, and remembers how many it had at once before and after. */
function busy(refusals: number, headers: Record<string, string>) {
  const most = { before: 0, after: 0 };
  let [running, left] = [0, refusals];
  const transport: Transport = async () => {
    running++;
    const phase = left > 0 ? "before" : "after";
    most[phase] = Math.max(most[phase], running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
    return left-- > 0 ? refusal(headers) : done;
  };
  return { most, transport };
}

describe("a server that refuses", () => {
  it("and says when to come back is asked again then, by all of the connection, as half as many at a time", async () => {
    const { most, transport } = busy(32, { "retry-after": "2" });
    const gated = limited(transport);
    const start = Date.now();
    const answers = Promise.all(keys(100).map(() => gated(request)));
    await vi.runAllTimersAsync();
    expect((await answers).every(({ status }) => status === 200)).toBe(true);
    expect(most.before).toBe(32);
    // Half, and a few more as all goes well.
    expect(most.after).toBeGreaterThanOrEqual(16);
    expect(most.after).toBeLessThan(24);
    expect(Date.now() - start).toBeGreaterThanOrEqual(2000);
  });

  it("without saying for how long is asked again as often as `retries` allows", async () => {
    const { transport } = busy(1, {});
    const answer = limited(transport)(request);
    await vi.runAllTimersAsync();
    expect(await answer).toEqual(refusal());
  });

  it.each(["0", "0.001"])("and asks for no real pause (%s) is not hammered", async (after) => {
    let asked = 0;
    const gated = limited(async () => {
      asked++;
      return refusal({ "retry-after": after });
    });
    const outcome = expect(gated(request)).rejects.toThrow(/has left no room/);
    await vi.runAllTimersAsync();
    await outcome;
    expect(asked).toBeLessThan(200);
  });

  it("for longer than anybody waits ends the request, saying which limit and what to do", async () => {
    const gated = limited(async () => refusal({ "retry-after": "30", "x-ratelimit-limit": "7" }));
    const outcome = expect(gated(request)).rejects.toMatchObject({
      code: "ApiError",
      message:
        "the rate limit of 7 requests a second has left no room for it in 10 minutes (GET /v1/x). Run again later, or with a lower --parallel.",
    });
    await vi.runAllTimersAsync();
    await outcome;
  });

  it("and asks for more than a minute is believed at once", async () => {
    expect((await limited(async () => refusal({ "retry-after": "61" }))(request)).status).toBe(429);
  });

  it.each([
    { "retry-after": "soon", "x-ratelimit-reset": "NaN" },
    { "x-ratelimit-limit": "-1", "x-ratelimit-remaining": "1e99", "x-ratelimit-reset": "-5" },
    { "x-ratelimit-limit": "none", "x-ratelimit-remaining": "", "x-ratelimit-reset": "[]" },
  ])("in headers that say nothing (%j) is final, and stops nobody", async (headers) => {
    let asked = 0;
    const gated = limited(async () => (asked++ === 0 ? refusal(headers) : done));
    expect((await gated(request)).status).toBe(429);
    const next = gated(request);
    await vi.runAllTimersAsync();
    expect(await next).toEqual(done);
  });

  it("leaves who is cancelled meanwhile alone, and his place to others", async () => {
    const { transport } = busy(1, { "retry-after": "20" });
    const gated = withinRateLimit(transport, { atOnce: 1, log: () => {} });
    const cancelled = new AbortController();
    const first = expect(gated(request, cancelled.signal)).rejects.toBe("over");
    const second = gated(request);
    await vi.advanceTimersByTimeAsync(10);
    cancelled.abort("over");
    await first;
    await vi.runAllTimersAsync();
    expect(await second).toEqual(done);
  });

  it("makes room after a failure, too", async () => {
    const gated = withinRateLimit(async () => Promise.reject(new Error("cut")), { atOnce: 1, log: () => {} });
    const outcomes = await Promise.allSettled([gated(request), gated(request), gated(request)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });
});
