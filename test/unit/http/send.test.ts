import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { redactor } from "../../../provider/http/redact";
import { askedWaitMs, type SendOptions, send } from "../../../provider/http/send";
import type { HttpAnswer, HttpRequest, Transport } from "../../../provider/http/transport";
import { fc } from "../../support/fast-check.ts";

type Method = HttpRequest["method"];
type Step = number | HttpAnswer | Error;

const failed = (code: string) => Object.assign(new Error(code), { code });
const answer = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers,
  text: `body of ${status}`,
});
const request = (method: Method): HttpRequest => ({
  method,
  url: new URL("http://127.0.0.1:1/v1/x?token=query"),
  headers: {},
});

/** Sends over a transport that does these steps, the last one for ever, and waits without time. */
async function sent(method: Method, steps: readonly Step[], options: Partial<SendOptions> = {}) {
  const pauses: number[] = [];
  const log: string[] = [];
  let attempts = 0;
  const transport: Transport = async () => {
    const step = steps[Math.min(attempts++, steps.length - 1)] ?? 200;
    if (step instanceof Error) throw step;
    return typeof step === "number" ? answer(step) : step;
  };
  const wait = async (pauseMs: number) => pauses.push(pauseMs);
  const outcome = send(transport, request(method), { retries: 3, wait, log: (line) => log.push(line), ...options });
  const [result] = await Promise.allSettled([outcome]);
  const error = result.status === "rejected" ? (result.reason as Error & { code: string }) : undefined;
  return { answer: result.status === "fulfilled" ? result.value : undefined, error, attempts, pauses, log };
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describe("an answer that asks to come back later", () => {
  // @covers jwt: Limits > rate limits
  it.each([412, 429, 502, 503].flatMap((status) => METHODS.map((method) => [method, status] as const)))(
    "lets a %s after %d be tried again",
    async (method, status) => {
      const { answer: last, attempts } = await sent(method, [status, status, 200]);
      expect(last?.status).toBe(200);
      expect(attempts).toBe(3);
    },
  );

  it.each([412, 429, 502, 503])(
    "of %d never repeats a request that makes the server issue something",
    async (status) => {
      const { answer: last, attempts } = await sent("POST", [status, 200], { mints: true });
      expect(last).toEqual(answer(status));
      expect(attempts).toBe(1);
    },
  );

  it("comes through whole when it was the last one", async () => {
    const { answer: last, attempts } = await sent("GET", [503]);
    expect(last).toEqual(answer(503));
    expect(attempts).toBe(4);
  });

  it("is final where no retries are wanted", async () => {
    const { answer: last, attempts, log } = await sent("GET", [503], { retries: 0 });
    expect(last?.status).toBe(503);
    expect([attempts, log]).toEqual([1, []]);
  });
});

it.each([200, 201, 204, 307, 400, 401, 403, 404, 405, 409, 415, 422, 472, 500, 501, 504])(
  "the answer %d is final",
  async (status) => {
    const { answer: last, attempts, pauses } = await sent("GET", [status, 200]);
    expect(last).toEqual(answer(status));
    expect([attempts, pauses]).toEqual([1, []]);
  },
);

describe("a connection that was never established", () => {
  const codes = ["ECONNREFUSED", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

  it.each(
    codes.flatMap(
      (code) =>
        [
          [code, true],
          [code, false],
        ] as const,
    ),
  )("(%s) is tried again, minting: %s", async (code, mints) => {
    const { answer: last, attempts } = await sent("POST", [failed(code), 200], { mints });
    expect([last?.status, attempts]).toEqual([200, 2]);
  });

  it("is known also when several addresses of the host were tried, or the cause lies deeper", async () => {
    const several = new AggregateError([failed("ECONNREFUSED"), failed("ECONNREFUSED")]);
    const deeper = new Error("fetch failed", { cause: failed("ECONNREFUSED") });
    for (const error of [several, deeper]) expect((await sent("POST", [error, 200])).attempts).toBe(2);
  });
});

describe("a connection that was cut", () => {
  it("repeats no read that makes the server issue something", async () => {
    const { error, attempts } = await sent("GET", [failed("ECONNRESET"), 200], { mints: true });
    expect([error?.code, attempts]).toEqual(["NetworkError", 1]);
  });

  it.each(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])(
    "(%s) repeats a read, but no write: it may have been done",
    async (code) => {
      expect((await sent("GET", [failed(code), 200])).answer?.status).toBe(200);
      for (const method of METHODS.filter((each) => each !== "GET")) {
        const { error, attempts } = await sent(method, [failed(code), 200]);
        expect([error?.code, attempts]).toEqual(["NetworkError", 1]);
      }
    },
  );
});

it.each([
  ["ECONNREFUSED", /connection was refused. Is the server running/],
  ["ENOTFOUND", /host name is not known/],
  ["CERT_HAS_EXPIRED", /certificate has expired/],
  ["ERR_TLS_CERT_ALTNAME_INVALID", /for another host name/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /Give its CA/],
  ["EWHATEVER", /EWHATEVER/],
])("the failure %s is told in one line with what to do, and without the query", async (code, reason) => {
  const { error } = await sent("POST", [failed(code)], { retries: 0 });
  expect(error?.code).toBe("NetworkError");
  expect(error?.message).toMatch(/^no answer from http:\/\/127.0.0.1:1 \(POST \/v1\/x\): /);
  expect(error?.message).toMatch(reason);
  expect(error?.message).not.toMatch(/query|\n/);
});

it("a failure that repeats what was received shows no secret of it, and no terminal escapes", async () => {
  const token = randomUUID();
  const odd = Object.assign(new Error(`expected HTTP, got \u001b[31m${token}`), { code: `\u001b[2J` });
  const { error, log } = await sent("POST", [odd], { retries: 0, redact: redactor([token]) });
  expect(error?.message).toMatch(/: expected HTTP, got \[redacted\]$/);
  expect(log.join()).not.toContain(token);
});

describe("the pauses", () => {
  it("double up to a cap, each between half and whole", async () => {
    const { pauses } = await sent("GET", [503], { retries: 10 });
    const whole = Array.from({ length: 10 }, (_, attempt) => Math.min(10_000, 200 * 2 ** attempt));
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeLessThanOrEqual(whole[index] ?? 0);
      expect(pause).toBeGreaterThanOrEqual((whole[index] ?? 0) / 2);
    }
    expect(pauses).toHaveLength(10);
  });

  it("are jittered, so that many clients do not come back together", async () => {
    const { pauses } = await sent("GET", [503], { retries: 40 });
    expect(new Set(pauses.slice(6)).size).toBeGreaterThan(1);
  });

  // @covers jwt: Limits > rate limits
  // @covers policy: Authentication, errors, limits, versions > rate and size limits
  it.each([
    [429, { "retry-after": "2" }, 2000],
    [503, { "retry-after": "0" }, 0],
    [429, { "x-ratelimit-reset": "0.5" }, 500],
    [429, { "retry-after": "3", "x-ratelimit-reset": "0.5" }, 3000],
    [429, { "retry-after": new Date(0).toUTCString() }, 0],
  ])("after %d with %j are what the server asks for", async (status, headers, pauseMs) => {
    const { pauses, answer: last } = await sent("GET", [answer(status, headers), 200]);
    expect(last?.status).toBe(200);
    expect(pauses[0]).toBeGreaterThanOrEqual(pauseMs);
    expect(pauses[0]).toBeLessThanOrEqual(pauseMs + 100);
  });

  it("are not waited for when the server asks for more than a minute", async () => {
    const { answer: last, attempts } = await sent("GET", [answer(429, { "retry-after": "61" }), 200]);
    expect([last?.status, attempts]).toEqual([429, 1]);
  });
});

describe("how long the server asks to wait", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");

  it.each([
    [503, { "retry-after": "1.5" }, 1500],
    [503, { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [503, { "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" }, 0],
    [503, { "retry-after": "soon" }, undefined],
    [503, { "retry-after": "-1" }, undefined],
    [503, { "x-ratelimit-reset": "1" }, undefined],
    [429, { "x-ratelimit-reset": "0.25" }, 250],
    [429, { "x-ratelimit-reset": "later" }, undefined],
    [429, { "x-ratelimit-reset": "Thu, 01 Jan 2026 00:00:02 GMT" }, 2000],
    [429, { "retry-after": "" }, undefined],
    [429, { "retry-after": "NaN" }, undefined],
    [429, {}, undefined],
  ])("in an answer %d with %j is %s ms", (status, headers, waitMs) => {
    expect(askedWaitMs(answer(status, headers), now)).toBe(waitMs);
  });

  it("is never negative, whatever the header says", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
        const waitMs = askedWaitMs(answer(503, { "retry-after": text }), now);
        expect(waitMs === undefined || waitMs >= 0).toBe(true);
      }),
    );
  });
});

describe("the log", () => {
  it("says once what is tried again and why, without the query and without a token", async () => {
    const token = randomUUID();
    const { log } = await sent("GET", [failed(`ECONNREFUSED`), answer(503, { "x-echo": token })]);
    expect(log).toEqual(["GET /v1/x: ECONNREFUSED; trying up to 3 more times"]);
  });
});

describe("a cancelled request", () => {
  it("is not tried again", async () => {
    const { error, attempts } = await sent("GET", [failed("ECONNREFUSED")], { signal: AbortSignal.abort() });
    expect([error?.code, attempts]).toEqual(["NetworkError", 1]);
    expect(error?.message).toMatch(/the operation was cancelled$/);
  });

  it("ends in the middle of a pause, as no defect", async () => {
    const cancelled = new AbortController();
    const transport: Transport = async () => {
      queueMicrotask(() => setImmediate(() => cancelled.abort(new Error("Ctrl-C"))));
      return answer(503, { "retry-after": "50" });
    };
    const outcome = send(transport, request("GET"), { retries: 3, signal: cancelled.signal });
    await expect(outcome).rejects.toMatchObject({
      code: "NetworkError",
      message: expect.stringMatching(/the operation was cancelled$/),
    });
  });
});
