import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { describe, expect, it } from "vitest";
import { asSecret } from "../../../provider/core/secret-envelope";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { structOf, withPlainStructs } from "../../../provider/hosts/plugin/plain-structs";
import { received } from "../../../provider/hosts/plugin/property-values";
import { fc } from "../../support/fast-check.ts";

const read = (bytes: Uint8Array) => received(withPlainStructs(() => Struct.deserializeBinary(bytes)));
/** As the engine sends them: with the library's own messages. */
const of = (values: Record<string, unknown>) => read(Struct.fromJavaScript(values as never).serializeBinary());
/** As an answer has them. */
const bytesOf = (values: Record<string, unknown>) => withPlainStructs(() => structOf(values).serializeBinary());

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
    expect(read(new Struct().serializeBinary()).values).toEqual({});
  });

  it("keep members of any name, also those that objects have by themselves", () => {
    const claims = JSON.parse('{"__proto__":["a"],"constructor":"b","toString":{"__proto__":"c"}}');

    expect(JSON.stringify(read(bytesOf({ claims })).values["claims"])).toBe(JSON.stringify(claims));
  });

  it("are written as the library reads them, and read as it writes them", () => {
    // The one name that the library loses.
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(json, (value) => {
        const values = JSON.parse(JSON.stringify({ whole: { value } }));
        expect(Struct.deserializeBinary(bytesOf(values)).toJavaScript()).toEqual(values);
        expect(of(values).values).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  it("have their members in one order, in whichever the engine sends them", () => {
    const sent = { document: { Statement: [{ Effect: "Allow", Action: "s3:Get*" }], Id: "x" } };
    expect(JSON.stringify(read(bytesOf(sent)).values)).toBe(
      '{"document":{"Id":"x","Statement":[{"Action":"s3:Get*","Effect":"Allow"}]}}',
    );
  });

  it("leave out what is undefined, as JSON does", () => {
    expect(read(bytesOf({ map: { gone: undefined, zero: 0, no: false, empty: "" } })).values).toEqual({
      map: { zero: 0, no: false, empty: "" },
    });
  });

  it("are never taken for none where they were read otherwise", () => {
    expect(() => received(Struct.fromJavaScript({ a: "b" }))).toThrow(/not read with plain properties/);
  });

  it("stay the library's messages outside of the plugin's calls", () => {
    const values = { a: ["b"] };
    expect(Struct.deserializeBinary(Struct.fromJavaScript(values).serializeBinary()).toJavaScript()).toEqual(values);
  });
});
