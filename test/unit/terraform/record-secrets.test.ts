import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { misplaced, valuesIn } from "../../../provider/hosts/terraform/recorded";
import { type RawRecord, rawOf, UNKNOWN_RAW } from "../../../provider/hosts/terraform/value";
import { definitions } from "../../../provider/resources";
import { terraformTable } from "../../support/terraform-client";

const table = terraformTable("policyParameterSet");

/** A program's set, of whose secrets this is known. */
function program(secrets: unknown): RawRecord {
  const values: Record<string, unknown> = {
    policySetId: "polset-1",
    defaults: { value: "none" },
    parameters: { token: { sensitive: true }, region: {} },
  };
  const given = table.inputs.map(({ name, property, type, setting }) => [
    name,
    setting === undefined ? rawOf(type, values[property]) : secrets,
  ]);
  return Object.fromEntries(given);
}

function wrongIn(raw: RawRecord) {
  return misplaced(table, raw, valuesIn(table, raw));
}

describe("the secrets of a set whose defaults have a value, too", () => {
  it("may be known later, as an ephemeral variable is when a program is validated", () => {
    const raw = program(UNKNOWN_RAW);
    expect(wrongIn(raw)).toEqual([]);
    const { parameters } = valuesIn(table, raw);
    expect(parameters).toEqual({ token: { sensitive: true, value: UNKNOWN }, region: {} });
  });

  it("are missed once they are known, and no other is given", () => {
    expect(wrongIn(program({ token: "s3cret" }))).toEqual([]);
    const { property } = definitions.policyParameterSet.members ?? { property: "" };
    expect(wrongIn(program({})).map((failure) => failure.property)).toEqual(["defaults.value"]);
    expect(wrongIn(program({ other: "s3cret" })).map((failure) => failure.reason)).toContain(
      `is of no record in ${property}`,
    );
  });
});
