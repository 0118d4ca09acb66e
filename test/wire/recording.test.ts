import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.mts";
import { changesBetween, withChanges } from "./exchange-changes.mts";
import { fittedJson } from "./fitted-json.mts";
import { readRecording, recordingFile, recordingTexts } from "./recording.mts";
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
    const [first, ...others] = readRecording(scenario, "vault-1.21");
    const now = others.map((exchange) => ({ ...exchange, status: 299 }));
    const texts = recordingTexts(scenario, "vault-1.21", now);
    for (const server of ["vault-1.19", "openbao"] as const) {
      const before = readRecording(scenario, server);
      const entries = JSON.parse(texts.get(recordingFile(scenario, server)) ?? "[]");
      expect(entries).toHaveLength(before.length);
      expect(entries).toContainEqual(before.find(({ title }) => title === first?.title));
      for (const { title, status } of before.filter((each) => each.title !== first?.title)) {
        expect(entries).toContainEqual(
          expect.objectContaining({ title, set: expect.objectContaining({ "/status": status }) }),
        );
      }
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
