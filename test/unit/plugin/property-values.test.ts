import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it } from "vitest";
import { asSecret } from "../../../provider/core/secret-envelope";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { received, structOf } from "../../../provider/hosts/plugin/property-values";

const of = (values: Record<string, unknown>) => received(Struct.fromJavaScript(values as never));

describe("properties of the engine", () => {
  it("become plain values, without what is null and what the dynamic classes have left", () => {
    const values = {
      name: "ci",
      ttl: 60,
      list: ["a", 1, true],
      map: { a: { b: null } },
      gone: null,
      __provider: "code",
      secretInputs: [["list", 0]],
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

  it("may be none at all", () => {
    expect(received(Struct.deserializeBinary(new Struct().serializeBinary())).values).toEqual({});
  });

  it("keep members of any name, also those that objects have by themselves", () => {
    const claims = JSON.parse('{"__proto__":["a"],"constructor":"b","toString":{"__proto__":"c"}}');
    const sent = Struct.deserializeBinary(structOf({ claims }).serializeBinary());

    expect(JSON.stringify(received(sent).values["claims"])).toBe(JSON.stringify(claims));
  });
});
