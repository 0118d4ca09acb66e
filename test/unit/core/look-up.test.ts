import { describe, expect, it } from "vitest";
import type { Definition } from "../../../provider/core/definition";
import { addressIn, assertAddress, lookUpProperties, valuesFromId } from "../../../provider/core/look-up";
import { outputsOf } from "../../../provider/core/record";
import { placeholders } from "../../../provider/core/template";
import { placeProperties } from "../../../provider/core/tenant";
import { definitions } from "../../../provider/resources";
import { sample } from "./sample-resource";

describe("a look-up", () => {
  const usual = Object.entries(definitions).filter(([, definition]) => !("parts" in definition));

  it.each(usual)("of %s takes its id and the place that the id does not hold", (_, definition: Definition) => {
    const inId = placeholders(definition.id);
    const place = placeProperties(definition.dialect).filter((name) => !inId.includes(name));
    expect(lookUpProperties(definition)).toEqual(place);
  });

  it("of a pair takes what its id does not hold of both sides", () => {
    const { identity } = definitions.clusterPeeredClusters;
    const inId = ["acceptorPeerName", "dialerPeerName"];
    expect(lookUpProperties(definitions.clusterPeeredClusters)).toEqual(
      identity.filter((name) => !inId.includes(name)),
    );
  });
});

describe("an id that a person wrote", () => {
  it("may be followed by what it does not hold", () => {
    const pair = "a/b?dialerConnection=partner&acceptorPartition=ops";
    expect(addressIn(definitions.jwtRole, "auth/jwt/role/ci?connection=east%2F1")).toEqual({
      id: "auth/jwt/role/ci",
      values: { connection: "east/1" },
    });
    expect(addressIn(definitions.clusterPeeredClusters, pair)).toEqual({
      id: "a/b",
      values: { dialerConnection: "partner", acceptorPartition: "ops" },
    });
  });

  it.each([
    ["auth/jwt/role/CI", "auth/jwt/role/ci"],
    ["auth//jwt//role/CI?connection=East", "auth/jwt/role/ci"],
    // Wrong as it is: whoever reads it says so.
    ["auth/jwt/role/a b", "auth/jwt/role/a b"],
    ["role/CI", "role/CI"],
  ])("has the values of %s as they are recorded", (text, id) => {
    expect(addressIn(definitions.jwtRole, text).id).toBe(id);
  });

  it.each(["auth/jwt/role/ci?", "auth/jwt/role/ci?connection"])("is not another one where it is %s", (id) => {
    const address = addressIn(definitions.jwtRole, id);
    expect(address).toEqual(
      id.endsWith("?") ? { id, values: {} } : { id: "auth/jwt/role/ci", values: { connection: "" } },
    );
  });

  it.each(["auth/jwt/role/ci", "auth/jwt/role/what?", "auth/jwt/role/a?b=c", "auth/jwt/role/a?connection=x&name=y"])(
    "is %s as it is",
    (id) => {
      expect(addressIn(definitions.jwtRole, id).values).toEqual({});
    },
  );
});

it("what only the server knows is taken out of a state", () => {
  expect(outputsOf(sample, { name: "a", serial: "7", server: "x" })).toEqual({ serial: "7" });
  expect(outputsOf(sample, { name: "a", serial: undefined })).toEqual({});
});

describe("an address", () => {
  const requests = ["read", "write"] as const;
  /** What stands for every record: its id, and values that fit. */
  const fitting = Object.entries(definitions).map(([name, definition]: [string, Definition]) => {
    const values: Record<string, string> = { policySetId: "polset-demo000000000001", parameterId: "var-1" };
    const id = definition.id
      .replace(/\{(\w+)(?:\|\w+)?\}/g, (_, property: string) => values[property] ?? "a")
      .replace(/[[\]]/g, "");
    return { name, definition, id };
  });

  it.each(fitting)("of $name is taken from its id alone", ({ definition, id }) => {
    const values = valuesFromId(definition, id, {});
    for (const request of requests) assertAddress(definition, id, values, request);
    expect(Object.keys(values).sort()).toEqual(placeholders(definition.id).sort());
  });

  const escapes = [
    "..",
    ".",
    "a/../../sys/policies/acl",
    "a/./b",
    "a\0",
    "a\u001bb",
    "a\u202eb",
    "\ud800",
    7,
    { a: 1 },
  ];
  const tampered = fitting.flatMap((of) => placeholders(of.definition.id).map((property) => ({ ...of, property })));

  it.each(tampered)("of $name is refused for its $property where a state was tampered with", (of) => {
    for (const value of escapes) {
      const values = valuesFromId(of.definition, of.id, { [of.property]: value });
      expect(() => assertAddress(of.definition, of.id, values, "write"), String(value)).toThrow(
        expect.objectContaining({ code: "InputError", message: expect.stringContaining(`: ${of.property} must `) }),
      );
    }
  });

  it.each(fitting)("of $name is refused where the id is of another form", ({ definition }) => {
    const isMissing = expect.objectContaining({ code: "InputError", message: expect.stringContaining(" is missing") });
    for (const id of ["", "/", "elsewhere//"]) {
      if (Object.keys(valuesFromId(definition, id, {})).length > 0) continue;
      expect(() => assertAddress(definition, id, valuesFromId(definition, id, {}), "write")).toThrow(isMissing);
    }
  });

  it("of an id that leads elsewhere is refused with the id, the property and what to do", () => {
    const id = "auth/jwt/../../sys/policies/acl/role/x";
    const values = valuesFromId(definitions.jwtRole, id, {});
    for (const request of requests)
      expect(() => assertAddress(definitions.jwtRole, id, values, request)).toThrow(
        'the id "auth/jwt/../../sys/policies/acl/role/x", with what the state records, leads to no such record: mount must not have `.` or `..` as a segment. The form of the id is auth/{mount}/role/{name}; correct the id or the state.',
      );
  });

  it("of a parameter may have its key in place of its id, to read it and for nothing else", () => {
    const id = "polset-demo000000000001/a key";
    const values = valuesFromId(definitions.policyParameter, id, {});
    assertAddress(definitions.policyParameter, id, values, "read");
    expect(() => assertAddress(definitions.policyParameter, id, values, "write")).toThrow("parameterId must be `var-`");
  });

  it("takes what the state records before what the id says", () => {
    const values = valuesFromId(definitions.jwtRole, "auth/jwt/role/a", { mount: "team/jwt", name: "b" });
    expect(values).toEqual({ mount: "team/jwt", name: "b" });
  });
});
