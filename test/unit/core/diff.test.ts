import { describe, expect, it } from "vitest";
import { check } from "../../../provider/core/check";
import { diff } from "../../../provider/core/diff";
import { INCOMPLETE } from "../../../provider/core/state-names";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { sample } from "./sample-resource";

const inputs = (more: Record<string, unknown> = {}) => check(sample, { name: "a", owner: "o", ...more }).inputs;
const between = (olds: Record<string, unknown>, news: Record<string, unknown>) =>
  diff(sample, inputs(olds), inputs(news));
const NOTHING = { changed: [], replaces: [] };

describe("what the server does not tell apart", () => {
  it.each([
    [{ ttl: "1h" }, { ttl: 3600 }],
    [{ ttl: "1h" }, { ttl: "60m" }],
    [{ ttl: 0 }, {}],
    [{ uses: -1 }, {}],
    [{ enabled: true }, {}],
    [{ kind: "plain" }, {}],
    [{ note: "none" }, {}],
    [{ note: "" }, {}],
    [{ tags: ["a", "b"] }, { tags: ["b", " a", "a"] }],
    [{ tags: [] }, {}],
    [{ labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }],
    [{ labels: {} }, {}],
    [{ name: "A" }, { name: "a" }],
    [{ mount: "/demo/" }, {}],
    [{ connection: "" }, {}],
  ])("%j and %j are no difference", (olds, news) => {
    expect(between(olds, news)).toEqual(NOTHING);
    expect(between(news, olds)).toEqual(NOTHING);
  });
});

describe("a difference", () => {
  it.each([
    [{}, { ttl: 1 }, ["ttl"]],
    [{ ttl: 1 }, {}, ["ttl"]],
    [{}, { uses: 0 }, ["uses"]],
    [{}, { enabled: false }, ["enabled"]],
    [{ tags: ["a"] }, { tags: ["b"] }, ["tags"]],
    [{ labels: { a: "1" } }, { labels: { a: "2" } }, ["labels"]],
    [{ password: "a" }, { password: "b" }, ["password"]],
    [{ password: "a" }, {}, ["password"]],
  ])("between %j and %j is updated in place", (olds, news, changed) => {
    expect(between(olds, news)).toEqual({ changed, replaces: [] });
  });

  it.each([
    [{}, { name: "b" }, "name"],
    [{}, { mount: "other" }, "mount"],
    [{}, { connection: "east" }, "connection"],
    [{}, { kind: "odd" }, "kind"],
  ])("between %j and %j replaces the record", (olds, news, property) => {
    expect(between(olds, news)).toEqual({ changed: [property], replaces: [property] });
  });

  it("replaces under its condition only", () => {
    expect(between({}, { owner: "p" }).replaces).toEqual([]);
    expect(between({}, { owner: "p", enabled: false }).replaces).toEqual(["owner"]);
    expect(between({ enabled: false }, { enabled: false })).toEqual(NOTHING);
  });

  it("is what is not known yet, also where it identifies the record", () => {
    expect(between({}, { ttl: UNKNOWN, labels: { a: UNKNOWN } })).toEqual({ changed: ["ttl", "labels"], replaces: [] });
    expect(between({}, { name: UNKNOWN })).toEqual({ changed: ["name"], replaces: ["name"] });
  });
});

describe("without a change of the program", () => {
  it("a state that asks for a repair is a difference", () => {
    expect(diff(sample, { ...inputs(), serial: "lost" }, inputs())).toEqual({ changed: ["serial"], replaces: [] });
  });

  it("a write that failed half-way is a difference", () => {
    expect(diff(sample, { ...inputs(), [INCOMPLETE]: true }, inputs())).toEqual({
      changed: [INCOMPLETE],
      replaces: [],
    });
  });

  it("what only the server knows is none", () => {
    expect(diff(sample, { ...inputs(), serial: "1", server: "x" }, inputs())).toEqual(NOTHING);
  });
});
