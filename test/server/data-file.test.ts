import { statSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDataFile } from "../../server/data/data-file";
import { keptExchange } from "../../server/data/kept-exchange";
import { recordFromText, textFromRecord } from "../../server/data/record-text";
import type { Table, Tables } from "../../server/data/tables";
import { numberFromText } from "../../server/framework/wire-value";
import { fc } from "../support/fast-check.ts";
import { killedNow, newDataFile } from "./data-harness";

const name = fc.oneof(
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.constantFrom("$number", "$$number", "$", "__proto__", "\ud800", "a\0b", "", "1"),
);
const record = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("1.0", "1e400", "-0").map(numberFromText),
    fc.array(tie("value")),
    fc.array(fc.tuple(name, tie("value"))).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** What `JSON.stringify` says tells numbers that are text from others, and one order from another. */
const shown = (value: unknown) => JSON.stringify(value);

describe("a record", () => {
  it("is the same after it was text, whatever its names and values", () => {
    fc.assert(
      fc.property(record, (value) => {
        const again = recordFromText(textFromRecord(value));
        expect(shown(again)).toBe(shown(value));
        expect(textFromRecord(again)).toBe(textFromRecord(value));
      }),
    );
  });

  it("keeps a number of the wire apart from a plain one", () => {
    const [wire, plain] = [numberFromText("1"), 1];
    expect(textFromRecord({ wire, plain })).toBe('{"wire":{"$number":"1"},"plain":1}');
  });

  it("cannot be changed in place once it was read", () => {
    const again = recordFromText('{"a":{"b":[1]}}') as { a: { b: number[] } };
    expect(() => again.a.b.push(2)).toThrow(TypeError);
  });
});

type Step =
  | { readonly do: "set"; readonly table: string; readonly key: string; readonly value: unknown }
  | { readonly do: "delete" | "clear"; readonly table: string; readonly key: string };

const table = fc.constantFrom("a", "b");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("set" as const), table, key: name, value: record }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), table, key: name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const), table, key: name }) },
);

const setAt = (key: string, value: unknown): Step => ({ do: "set", table: "a", key, value });
const clearing: Step = { do: "clear", table: "a", key: "" };

function take(tables: ReadonlyMap<string, Table<unknown>>, taken: Step): void {
  const at = tables.get(taken.table);
  if (taken.do === "set") at?.set(taken.key, taken.value);
  else if (taken.do === "delete") at?.delete(taken.key);
  else at?.clear();
}

function opened(file: string): { tables: Tables; byName: ReadonlyMap<string, Table<unknown>> } {
  // These tables are nobody's: any record is right.
  const tables = openDataFile(file, () => undefined);
  return { tables, byName: new Map(["a", "b"].map((each) => [each, tables.open(each)])) };
}

const contents = (byName: ReadonlyMap<string, Table<unknown>>) =>
  Array.from(byName, ([each, records]) => [each, [...records.entries()].map(([key, value]) => [key, shown(value)])]);

const request = {
  method: "POST",
  path: "/v1/x",
  query: "",
  headers: {},
  body: Buffer.alloc(0),
  remoteAddress: "127.0.0.1",
  localAddress: "127.0.0.1:1",
  clientCertificates: undefined,
  clientGone: () => new AbortController().signal,
};

describe("tables in a file", () => {
  it("hold the same records in the same order after a restart, whatever was written", async () => {
    const transactions = fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(transactions, fc.boolean(), async (all, isKilled) => {
        const file = newDataFile();
        const { tables, byName } = opened(file);
        for (const steps of all) await tables.transaction(() => steps.forEach((each) => void take(byName, each)));
        const before = contents(byName);
        const left = isKilled ? killedNow(file) : file;
        tables.close();
        const again = opened(left);
        expect(contents(again.byName)).toEqual(before);
        again.tables.close();
      }),
      {
        numRuns: 50,
        examples: [
          [
            [
              [setAt("x", 1), setAt("y", 1)],
              [clearing, setAt("y", 2), setAt("x", 2)],
            ],
            false,
          ],
        ],
      },
    );
  });

  it("are written with all of a transaction or nothing of it, also beside others that wait", async () => {
    const file = newDataFile();
    const { tables, byName } = opened(file);
    onTestFinished(() => tables.close());
    const records = byName.get("a");
    const gate = Promise.withResolvers<void>();
    const slow = tables.transaction(async () => {
      records?.set("slow-1", 1);
      await gate.promise;
      records?.set("slow-2", 2);
    });
    await tables.transaction(() => void records?.set("quick", 3));
    const during = opened(killedNow(file));
    expect([...(during.byName.get("a")?.keys() ?? [])]).toEqual(["quick"]);
    during.tables.close();
    gate.resolve();
    await slow;
    const after = opened(killedNow(file));
    expect([...(after.byName.get("a")?.keys() ?? [])].sort()).toEqual(["quick", "slow-1", "slow-2"]);
    after.tables.close();
  });

  it("are written when a transaction fails, as what it did in memory stays too", async () => {
    const file = newDataFile();
    const { tables, byName } = opened(file);
    onTestFinished(() => tables.close());
    const failing = async () =>
      tables.transaction(() => {
        byName.get("a")?.set("left", true);
        throw new Error("half-way");
      });
    await expect(failing()).rejects.toThrow("half-way");
    const again = opened(killedNow(file));
    expect(again.byName.get("a")?.get("left")).toBe(true);
    again.tables.close();
  });

  it("take what is written after the transaction that began it, and outside of any", async () => {
    const file = newDataFile();
    const { tables, byName } = opened(file);
    onTestFinished(() => tables.close());
    const written = Promise.withResolvers<void>();
    await tables.transaction(() => {
      setImmediate(() => {
        byName.get("a")?.set("later", 1);
        written.resolve();
      });
    });
    await written.promise;
    byName.get("b")?.set("outside", 2);
    const again = opened(killedNow(file));
    expect([again.byName.get("a")?.get("later"), again.byName.get("b")?.get("outside")]).toEqual([1, 2]);
    again.tables.close();
  });

  it("are written with the next change when they could not be, and whoever asked is told", async () => {
    const file = newDataFile();
    const { tables, byName } = opened(file);
    onTestFinished(() => tables.close());
    const unwritable = async () => {
      byName.get("a")?.set("good", 1);
      // Not JSON; a full disk would do the same.
      byName.get("a")?.set("bad", 1n);
      return { status: 204, headers: {}, body: "" };
    };
    const answer = await keptExchange(unwritable, { service: "secrets", tables })(request);
    expect(answer.status).toBe(500);
    expect(JSON.parse(String(answer.body)).errors).toEqual([
      expect.stringMatching(/^cannot write the data file .*: .*; this change is lost unless/),
    ]);
    const during = opened(killedNow(file));
    expect([...(during.byName.get("a")?.keys() ?? [])]).toEqual([]);
    during.tables.close();
    byName.get("a")?.set("bad", 2);
    const after = opened(killedNow(file));
    expect([...(after.byName.get("a")?.entries() ?? [])].sort()).toEqual([
      ["bad", 2],
      ["good", 1],
    ]);
    after.tables.close();
  });

  it("tell of what cannot be written behind an answer on stderr, in one line", () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const file = newDataFile();
    const { tables, byName } = opened(file);
    onTestFinished(() => tables.close());
    byName.get("a")?.set("bad", 1n);
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^trustplane: cannot write the data file [^\n]*$/)]]);
    byName.get("a")?.delete("bad");
  });

  it("are readable for their owner only, beside it too", () => {
    const file = newDataFile();
    const { tables } = opened(file);
    onTestFinished(() => tables.close());
    for (const each of [file, `${file}-wal`]) expect(statSync(each).mode & 0o777).toBe(0o600);
  });

  it("are taken as a file name, whatever SQLite could mean by it", () => {
    const folder = newDataFile();
    const file = folder.replace(/data\.db$/, ":memory:");
    opened(file).tables.close();
    expect(statSync(file).size).toBeGreaterThan(0);
  });
});
