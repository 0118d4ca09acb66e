import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createScrubber } from "./scrub.mts";

const one = "0b8f7f9c-5f0a-4b0f-9d5e-3f1f8a6c1a11";
const two = "1b8f7f9c-5f0a-4b0f-9d5e-3f1f8a6c1a12";

/** The body of an answer, scrubbed. */
function scrubbed(scrub: ReturnType<typeof createScrubber>, body: unknown): unknown {
  const request = { method: "GET", path: "/v1/a" };
  const answer = {
    status: 200,
    headers: { date: "now", "content-type": "application/json" },
    text: JSON.stringify(body),
  };
  const exchange = scrub.exchange({ title: "a", request, answer });
  expect(exchange.headers).toEqual({ "content-type": "application/json" });
  return exchange.body;
}

describe("scrubbing", () => {
  it("gives the same value the same placeholder in all exchanges of a scenario, and another value another one", () => {
    const scrub = createScrubber();
    expect(scrubbed(scrub, { a: one, b: `is ${two}`, c: [one] })).toEqual({
      a: "<uuid-1>",
      b: "is <uuid-2>",
      c: ["<uuid-1>"],
    });
    expect(scrubbed(scrub, { d: two })).toEqual({ d: "<uuid-2>" });
  });

  it("names what the run knows, the longest first", () => {
    const scrub = createScrubber();
    scrub.know({ host: "http://127.0.0.1:1", cloud: "http://127.0.0.1:1/cloud" });
    expect(scrubbed(scrub, { "http://127.0.0.1:1": "http://127.0.0.1:1/cloud" })).toEqual({ "<host>": "<cloud>" });
  });

  it("hides secrets by their member, keeps empty ones, and keeps the type of numbers that move", () => {
    const body = { secret_key: "a", session_token: null, security_token: "", creation_time: 1_700_000_000, ttl: 3599 };
    expect(scrubbed(createScrubber(), body)).toEqual({
      secret_key: "<secret-key-1>",
      session_token: null,
      security_token: "",
      creation_time: 0,
      ttl: 3600,
    });
  });

  it("counts a limit that is some seconds old to the minute, as the time that is left", () => {
    const warning = (limit: string) => `TTL of "3h" exceeded the effective max_ttl of "${limit}"; TTL value is capped`;
    const texts = ["2h", "1h59m59s", "1h10m", "1h9m58s", "10m", "9m59s", "59m59s"].map(warning);
    expect(scrubbed(createScrubber(), texts)).toEqual(["2h", "2h", "1h10m", "1h10m", "10m", "10m", "1h"].map(warning));
  });

  it("forgets the warning that a second between two requests makes, and no other", () => {
    const warning = (ttl: string, limit: string) =>
      `TTL of "${ttl}" exceeded the effective max_ttl of "${limit}"; capped`;
    const body = {
      warnings: [warning("768h", "767h59m59s")],
      others: [warning("1h", "59m59s"), warning("900h", "768h")],
    };
    expect(scrubbed(createScrubber(), body)).toEqual({ warnings: null, others: [warning("900h", "768h")] });
  });

  it("takes the examples that moto answers with for new values in every answer", () => {
    const scrub = createScrubber();
    const body = { access_key: "AKIAIOSFODNN7EXAMPLE", security_token: "AQoEXAMPLEH4", session_token: "AQoEXAMPLEH4" };
    const numbered = (count: number) => ({
      access_key: `<access-key-${count}>`,
      security_token: `<session-token-${count}>`,
      session_token: `<session-token-${count}>`,
    });
    expect([scrubbed(scrub, body), scrubbed(scrub, body)]).toEqual([numbered(1), numbered(2)]);
  });

  it("sorts members, whose order is random on some paths", () => {
    expect(JSON.stringify(scrubbed(createScrubber(), { b: one, a: two }))).toBe('{"a":"<uuid-1>","b":"<uuid-2>"}');
  });
});

const recordings = join(__dirname, "../fixtures/wire");
const files = readdirSync(recordings, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

it.each(files)("%s holds no token, key, address or time of the run that recorded it", (file) => {
  const text = readFileSync(join(recordings, file), "utf8");
  const left = [
    /\bhv[sb]\.\w{10,}/,
    /\b(AKIA|ASIA|LSIA|AIDA)(?!EXAMPLE)[A-Z0-9]{12,}/,
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/,
    /\b127\.0\.0\.1:\d{2,}/,
    /BEGIN [A-Z ]+KEY/,
    /\beyJ[\w-]{20,}/,
    /\b20\d\d-\d\d-\d\dT/,
  ].flatMap((pattern) => pattern.exec(text)?.[0] ?? []);
  expect(left).toEqual([]);
});
