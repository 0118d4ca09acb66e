import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { onlyOn } from "../../../provider/core/field";
import { bodyOf, membersOf, stateOf } from "../../../provider/core/record";
import { policyParameter } from "../../../provider/resources/policy/parameter";
import { sample, server } from "./sample-resource";

const identity = { mount: "demo", name: "a" };
const DEFAULTS = {
  owner: "",
  kind: "plain",
  ttl: 0,
  max_ttl: 0,
  uses: -1,
  enabled: true,
  tags: [],
  labels: {},
  password: "",
  note: "",
  old: "",
};

describe("a full write", () => {
  it("sends every field, those that are not set with the value that resets them", () => {
    expect(bodyOf(sample, identity)).toEqual(DEFAULTS);
  });

  it("sends values in the server's own form", () => {
    const values = { ...identity, ttl: "1h", tags: [" a", "b"], password: "p", enabled: false };
    expect(bodyOf(sample, values)).toEqual({ ...DEFAULTS, ttl: 3600, tags: ["a", "b"], password: "p", enabled: false });
  });

  it.each([
    ["resets a field that the server has", server("1.20.0"), {}, { ...DEFAULTS, newest: "" }],
    ["leaves out a field that the server lacks", server("1.19.0"), { newest: "x" }, DEFAULTS],
    ["leaves out an unset field that not every server has, while the server is unknown", undefined, {}, DEFAULTS],
    ["sends a set one all the same", undefined, { newest: "x" }, { ...DEFAULTS, newest: "x" }],
  ])("%s", (_, there, values, body) => {
    expect(bodyOf(sample, { ...identity, ...values }, { server: there })).toEqual(body);
  });
});

it("a full write to an unknown server resets what the state has and the program has not, and nothing else", () => {
  const olds = { ...identity, newest: "x" };
  expect(bodyOf(sample, identity, { live: olds })).toEqual({ ...DEFAULTS, newest: "" });
  expect(bodyOf(sample, { ...identity, newest: "y" }, { live: olds })).toEqual({ ...DEFAULTS, newest: "y" });
  expect(bodyOf(sample, identity, { live: { ...identity, newest: "" } })).toEqual(DEFAULTS);
  expect(bodyOf(sample, identity, { server: server("1.19.0"), live: olds })).toEqual(DEFAULTS);
});

it("a full write resets what only Enterprise can use where a community server has stored it, and names it nowhere else", () => {
  const newest = onlyOn({ vaultEnterprise: "1.20.0" }, sample.fields.newest);
  const definition = { ...sample, fields: { ...sample.fields, newest } };
  const live = { ...identity, newest: "x" };
  expect(bodyOf(definition, identity, { server: server("1.20.0"), live })).toEqual({ ...DEFAULTS, newest: "" });
  expect(bodyOf(definition, identity, { server: server("1.20.0") })).toEqual(DEFAULTS);
  expect(bodyOf(definition, { ...identity, newest: "x" }, { server: server("1.20.0") })).toEqual(DEFAULTS);
});

describe("a write of changes", () => {
  it("sends these properties only, and of them only members of the body", () => {
    const values = { ...identity, ttl: "1h", note: "n" };
    expect(membersOf(sample, values, ["ttl", "tags", "name", "connection"])).toEqual({ ttl: 3600, tags: [] });
  });
});

describe("the state after a read", () => {
  const record = { ...DEFAULTS, owner: "o", ttl: 3600, tags: ["a", "b"], note: "none", serial: "7" };

  it("has the program's spelling of what means the same", () => {
    const current = { ...identity, owner: "o", ttl: "60m", tags: ["b", "a"], password: "p", labels: {} };
    expect(stateOf(sample, record, current)).toEqual({ ...current, serial: "7" });
  });

  it("has the server's value where it differs", () => {
    const current = { ...identity, owner: "x", ttl: "2h", tags: ["a"], enabled: false };
    expect(stateOf(sample, record, current)).toEqual({
      ...identity,
      owner: "o",
      ttl: "1h",
      tags: ["a", "b"],
      serial: "7",
    });
  });

  it("has of a record that is new to us what differs from the server's defaults", () => {
    expect(stateOf(sample, record, identity)).toEqual({
      ...identity,
      owner: "o",
      ttl: "1h",
      tags: ["a", "b"],
      serial: "7",
    });
  });

  it("keeps what the server never answers, whatever the record says", () => {
    const password = randomUUID();
    expect(stateOf(sample, { ...record, password: "" }, { ...identity, password })).toMatchObject({ password });
  });

  it.each([
    [null, null, {}],
    [null, {}, []],
    [[], [], null],
  ])("takes null, empty and absent for the same: %j %j", (tags, labels, note) => {
    const answer = { ...record, tags, labels, note };
    expect(stateOf(sample, answer, identity)).toEqual({ ...identity, owner: "o", ttl: "1h", serial: "7" });
  });

  it("ignores members that it does not know", () => {
    expect(stateOf(sample, { ...record, alias_metadata: { a: 1 } }, identity)).not.toHaveProperty("alias_metadata");
  });

  it("keeps an output that this answer does not carry, and drops one that is gone", () => {
    const current = { ...identity, serial: "7" };
    expect(stateOf(sample, DEFAULTS, current)).toMatchObject({ serial: "7" });
    expect(stateOf(sample, { ...DEFAULTS, serial: null }, current)).not.toHaveProperty("serial");
  });
});

describe("a sensitive value that reads as null", () => {
  it("is kept, as nothing was learnt about it", () => {
    const current = { policySetId: "x", key: "k", value: randomUUID(), sensitive: true };
    expect(stateOf(policyParameter, { id: "v", key: "k", value: null, sensitive: true }, current)).toMatchObject(
      current,
    );
  });

  it("is a difference when it was not sensitive", () => {
    const current = { policySetId: "x", key: "k", value: "v" };
    expect(stateOf(policyParameter, { id: "v", key: "k", value: null, sensitive: true }, current)).toEqual({
      policySetId: "x",
      key: "k",
      sensitive: true,
      parameterId: "v",
    });
  });
});
