import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it } from "vitest";
import { asSecret } from "../../../provider/core/secret-envelope";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { allSecrets, received, sent } from "../../../provider/hosts/plugin/property-values";

const of = (values: Record<string, unknown>) => received(Struct.fromJavaScript(values as never));
/** What the engine gets when the values are given back as they came. */
const back = (values: Record<string, unknown>) => {
  const found = of(values);
  return sent(found.values, [], found.secrets).toJavaScript();
};

describe("properties of the engine", () => {
  it("become plain values, without what is null and what the dynamic classes have left", () => {
    const values = {
      name: "ci",
      ttl: 60,
      list: ["a", 1, true],
      map: { a: { b: null } },
      gone: null,
      __provider: "code",
    };

    expect(of(values).values).toEqual({ name: "ci", ttl: 60, list: ["a", 1, true], map: { a: { b: null } } });
    expect(received(undefined).values).toEqual({});
  });

  it("are plain where they were secret, at any depth", () => {
    const nested = { a: [asSecret({ b: asSecret("inner") }), "open"] };

    expect(of({ whole: asSecret("s"), nested }).values).toEqual({
      whole: "s",
      nested: { a: [{ b: "inner" }, "open"] },
    });
  });

  it("stay unknown, also inside a secret", () => {
    expect(of({ token: asSecret(UNKNOWN), list: [UNKNOWN] }).values).toEqual({ token: UNKNOWN, list: [UNKNOWN] });
  });
});

describe("values for the engine", () => {
  it.each([
    ["a whole property", { a: asSecret("s"), b: "s" }],
    ["an item of a list", { list: ["open", asSecret("hidden")] }],
    ["a member of a map", { map: { open: 1, hidden: asSecret({ deep: ["x"] }) } }],
    ["an unknown value", { token: asSecret(UNKNOWN) }],
    ["an empty text", { text: asSecret("") }],
  ])("are secret again where they were: %s", (_, values) => {
    expect(back(values)).toEqual(values);
  });

  it("are in one envelope where one secret is in another", () => {
    const map = { inner: "x", other: "y" };
    expect(back({ map: asSecret({ ...map, inner: asSecret("x") }) })).toEqual({ map: asSecret(map) });
  });

  it("are secret wherever the secret has moved to inside its property", () => {
    const { secrets } = of({ set: [asSecret("b"), "a"] });

    expect(sent({ set: ["a", "b"] }, [], secrets).toJavaScript()).toEqual({ set: ["a", asSecret("b")] });
  });

  it("are secret as a whole where the secret is not found again", () => {
    const { secrets } = of({ claims: { team: asSecret("Ops"), ref: "main" } });

    const changed = { team: "ops", ref: "main" };
    expect(sent({ claims: changed }, [], secrets).toJavaScript()).toEqual({ claims: asSecret(changed) });
  });

  it("are secret as a whole where the definition says so, and what is undefined is not there", () => {
    expect(sent({ key: "k", list: undefined }, ["key", "other"]).toJavaScript()).toEqual({ key: asSecret("k") });
  });

  it("keep the secrets of all that they come from", () => {
    const secrets = allSecrets(of({ a: ["x", asSecret("y")] }), of({ a: [asSecret("x")], b: asSecret(1) }));

    expect(sent({ a: ["x", "y", "z"], b: 1 }, [], secrets).toJavaScript()).toEqual({
      a: [asSecret("x"), asSecret("y"), "z"],
      b: asSecret(1),
    });
  });
});
