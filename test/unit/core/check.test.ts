import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { sample, server } from "./sample-resource";

const valid = { name: "a", owner: "o" };
const failuresOf = (inputs: Record<string, unknown>) => check(sample, { ...valid, ...inputs }).failures;

describe("checked inputs", () => {
  it("hold what the program wrote and the defaults that identify the record", () => {
    expect(check(sample, valid)).toEqual({ inputs: { mount: "demo", ...valid }, failures: [], warnings: [] });
  });

  it("take null for not written", () => {
    expect(check(sample, { ...valid, ttl: null, mount: null }).inputs).toEqual({ mount: "demo", ...valid });
  });

  it("have names in the form that the server keeps", () => {
    expect(check(sample, { ...valid, name: "CI", mount: "/team/demo/" }).inputs).toMatchObject({
      name: "ci",
      mount: "team/demo",
    });
  });

  it("keep the program's own spelling of everything else", () => {
    const spelled = { ttl: "60m", tags: ["b", "a", "a"] };
    expect(check(sample, { ...valid, ...spelled }).inputs).toMatchObject(spelled);
  });

  it("keep the key of the last run's fingerprints", () => {
    const password = randomUUID();
    const first = check(sample, { ...valid, password }).inputs;
    expect(check(sample, { ...valid, password }, first).inputs).toEqual(first);
  });
});

describe("a failure", () => {
  it.each([
    [{ owner: undefined }, "owner", "is required"],
    [{ owner: "" }, "owner", "is required and must not be empty"],
    [{ owner: 5 }, "owner", "must be a string"],
    [{ name: "a b" }, "name", "must be letters and digits"],
    [{ mount: "a b" }, "mount", "must be a path such as `jwt` or `team/jwt`"],
    [{ mount: "../sys" }, "mount", "must not have `.` or `..` as a segment"],
    [{ mount: "a/./b" }, "mount", "must not have `.` or `..` as a segment"],
    [{ kind: "other" }, "kind", 'must be one of "plain", "odd"'],
    [{ ttl: true }, "ttl", "must be a number of seconds or a duration such as 1h"],
    [{ ttl: -1 }, "ttl", "must not be negative"],
    [{ uses: 1.5 }, "uses", "must be a whole number"],
    [{ uses: -2 }, "uses", "must be at least -1"],
    [{ enabled: "true" }, "enabled", "must be true or false"],
    [{ tags: "a" }, "tags", "must be a list of strings"],
    [{ tags: ["a", 5] }, "tags[1]", "must be a string"],
    [{ tags: ["a", " "] }, "tags[1]", "must not be empty"],
    [{ labels: ["a"] }, "labels", "must be a map of strings"],
    [{ labels: { "a b": 5 } }, 'labels["a b"]', "must be a string"],
    [{ labels: { a: null } }, "labels.a", "must be a string"],
    [{ ttl: 10, maxTtl: 5 }, "ttl", "must not be longer than maxTtl"],
    [{ mount: "a\ud800" }, "mount", "is no Unicode text: it holds half of a character"],
    [{ tags: ["a", "\udfff"] }, "tags[1]", "is no Unicode text: it holds half of a character"],
    [{ labels: { a: "\ud83d" } }, "labels.a", "is no Unicode text: it holds half of a character"],
    [{ labels: { "\ud800": "a" } }, "labels", "has a name that is no Unicode text: it holds half of a character"],
  ])("of %j is at %s", (inputs, property, reason) => {
    expect(failuresOf(inputs)).toEqual([{ property, reason }]);
  });

  it("comes with all others at once, each at its place", () => {
    const inputs = { name: "a b", owner: 5, tags: [1, 2], uses: 0, enabled: false, colour: "red" };
    expect(check(sample, inputs).failures.map((failure) => failure.property)).toEqual([
      "colour",
      "name",
      "owner",
      "tags[0]",
      "tags[1]",
      "uses",
    ]);
  });

  it("of one property silences the rules that look at it, and no others", () => {
    expect(failuresOf({ ttl: "soon", maxTtl: 5, uses: 0, enabled: false }).map(({ property }) => property)).toEqual([
      "ttl",
      "uses",
    ]);
  });

  it.each([
    ["ownr", "; did you mean owner?"],
    ["max_ttl", "; did you mean maxTtl?"],
    ["tag", "; did you mean tags?"],
    ["Enabled", "; did you mean enabled?"],
    ["colour", ""],
  ])("names the property that %s was meant to be", (name, hint) => {
    expect(failuresOf({ [name]: "x" })).toEqual([{ property: name, reason: `is not a property of demo.Thing${hint}` }]);
  });

  it.each([["password"], ["owner"], ["note"], ["newest"]])("does not show the refused value of %s", (name) => {
    const value = randomUUID();
    for (const wrong of [{ value }, [value], { [value]: 1 }]) {
      const { failures } = check(sample, { ...valid, [name]: wrong });
      expect(failures).toHaveLength(1);
      expect(JSON.stringify(failures)).not.toContain(value);
    }
  });
});

describe("a value that is not known yet", () => {
  it.each(Object.keys(sample.fields))("is accepted as %s and kept", (name) => {
    const { failures, inputs } = check(sample, { ...valid, [name]: UNKNOWN });
    expect(failures).toEqual([]);
    expect(inputs[name]).toBe(UNKNOWN);
  });

  it("inside a list or map postpones nothing but itself", () => {
    expect(failuresOf({ tags: [UNKNOWN, "a"], labels: { a: UNKNOWN } })).toEqual([]);
    expect(failuresOf({ tags: [UNKNOWN, 5], labels: { a: UNKNOWN, b: 5 } }).map(({ property }) => property)).toEqual([
      "tags[1]",
      "labels.b",
    ]);
  });

  it("postpones the rules that look at it", () => {
    expect(failuresOf({ ttl: UNKNOWN, maxTtl: 5 })).toEqual([]);
    expect(failuresOf({ ttl: 10, maxTtl: UNKNOWN })).toEqual([]);
  });
});

describe("a warning", () => {
  it("is given for advice and for what is on its way out, and refuses nothing", () => {
    const { failures, warnings } = check(sample, { ...valid, note: "todo", old: "x" });
    expect(failures).toEqual([]);
    expect(warnings).toEqual([
      { property: "old", reason: "is deprecated: use tags" },
      { property: "note", reason: "is no note" },
    ]);
  });

  it("names the letters in which the server keeps a name, while that is new", () => {
    const warned = (name: string, olds = {}) => check(sample, { ...valid, name }, olds).warnings;
    expect(warned("CI")).toEqual([{ property: "name", reason: 'is "CI"; the server stores it as "ci"' }]);
    expect(warned("CI", { name: "other" })).toHaveLength(1);
    for (const name of ["ci", "CI"]) expect(warned("CI", { name })).toEqual([]);
    expect(warned("ci")).toEqual([]);
  });
});

describe("a field that the connected server lacks", () => {
  it("is refused with what has it", () => {
    const { failures } = check(sample, { ...valid, newest: "x" }, {}, server("1.19.0"));
    expect(failures).toEqual([
      { property: "newest", reason: "needs Vault 1.20.0 or newer; the server is Vault (community edition) 1.19.0" },
    ]);
  });

  it.each([
    ["set to the server's default", { newest: "" }, server("1.19.0")],
    ["on a server that has it", { newest: "x" }, server("1.20.0")],
    ["while the server is not known", { newest: "x" }, undefined],
  ])("is accepted %s", (_, inputs, there) => {
    expect(check(sample, { ...valid, ...inputs }, {}, there).failures).toEqual([]);
  });
});
