import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.mts";
import { changesBetween, withChanges } from "./exchange-changes.mts";
import { fittedJson } from "./fitted-json.mts";
import { exchangeLike, shortestEntry } from "./like-earlier.mts";
import { exchangesOf, readRecording, recordingFile, recordingTexts } from "./recording.mts";
import { nameOf } from "./scenario.mts";
import { scenarios } from "./scenarios/index.mts";

const recordings = scenarios.flatMap((scenario) =>
  scenario.servers.map((server) => ({ scenario, server, name: nameOf(scenario) })),
);

describe("a recording", () => {
  it.each(recordings)("$name of $server is written as it was read", ({ scenario, server }) => {
    // After a change by hand: `npm run record -- --format`.
    for (const [file, text] of recordingTexts(scenario, server, readRecording(scenario, server))) {
      expect(text).toBe(readFileSync(file, "utf8"));
    }
  });

  it("that others build on leaves their answers as they are", () => {
    const scenario = scenarios.find((each) => nameOf(each) === "secrets-sys-quota");
    if (scenario === undefined) throw new Error("there is no such scenario any more: take another one of all servers");
    const [, ...others] = readRecording(scenario, "vault-1.21");
    const now = others.map((exchange) => ({ ...exchange, status: 299 }));
    const texts = recordingTexts(scenario, "vault-1.21", now);
    for (const server of ["vault-1.19", "openbao"] as const) {
      const entries = JSON.parse(texts.get(recordingFile(scenario, server)) ?? "[]");
      expect(exchangesOf(scenario, entries, now)).toEqual(readRecording(scenario, server));
    }
  });

  // Few names, so that two bodies share some, and those that a JSON pointer escapes.
  const name = fc.constantFrom("a", "b", "c", "cloud/", "~", "~1", "", "0");
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, "", "x", 0, true),
      fc.array(tie("body"), { maxLength: 2 }),
      fc.dictionary(name, tie("body"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const exchange = fc.record({ status: fc.constantFrom(200, 400), body }).map(
    (answer): Exchange => ({
      title: "a step",
      request: { method: "GET", path: "/v1/a" },
      headers: {},
      ...answer,
    }),
  );

  it("comes back from its changes to another server's", () => {
    fc.assert(
      fc.property(exchange, exchange, (base, other) => {
        const changes = changesBetween(base, other);
        expect(changes === undefined ? base : withChanges(base, changes)).toEqual(other);
      }),
    );
  });

  it("comes back from an entry that says how it is unlike an earlier one", () => {
    fc.assert(
      fc.property(exchange, exchange, (first, second) => {
        const earlier = { ...first, title: "an earlier step" };
        const entry = shortestEntry(second, [earlier]);
        const read = "like" in entry ? exchangeLike(entry, new Map([[earlier.title, earlier]])) : entry;
        expect(read).toEqual(second);
      }),
    );
  });

  it("that repeats an earlier one says no more than that", () => {
    const once: Exchange = {
      title: "once",
      request: { method: "GET", path: "/v1/a" },
      status: 200,
      headers: {},
      body: {},
    };
    expect(shortestEntry({ ...once, title: "again" }, [once])).toEqual({ title: "again", like: "once" });
    expect(() => exchangeLike({ title: "again", like: "once" }, new Map())).toThrow(
      '"again" is like nothing before it',
    );
  });

  it("has no changes to itself", () => {
    fc.assert(
      fc.property(exchange, (one) => {
        expect(changesBetween(one, structuredClone(one))).toBeUndefined();
      }),
    );
  });

  it("is JSON, whatever fits on its lines", () => {
    fc.assert(
      fc.property(body, (value) => {
        expect(JSON.parse(fittedJson(value))).toEqual(value);
      }),
    );
  });
});
