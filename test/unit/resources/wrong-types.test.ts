import { describe, expect, it } from "vitest";
import type { Definition, Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { isProviderError } from "../../../provider/core/errors";
import { stateOf } from "../../../provider/core/record";
import { definitions } from "../../../provider/resources";

const odd: readonly unknown[] = [1, "x", true, {}, [], [1], [null], [{}], { a: 1 }, [["a"]], [{ jwks_url: 1 }], NaN];
const all = Object.values(definitions).map((definition: Definition) => [definition.token, definition] as const);

describe.each(all)("values of wrong types of %s", (_, definition) => {
  it("are the server's error when it answers them", () => {
    const rows = Object.values({ ...definition.fields, ...definition.outputs });
    const failures = rows.flatMap(({ wire }) => odd.flatMap((value) => failureOf(definition, { [wire]: value })));
    expect(failures.filter((error) => !isProviderError(error) || error.code !== "ResponseError")).toEqual([]);
  });

  it("can be compared where a state or a plan holds them", () => {
    for (const name of Object.keys(definition.fields)) {
      for (const value of odd) {
        diff(definition, {}, { [name]: value });
        diff(definition, { [name]: value }, {});
      }
    }
  });
});

function failureOf(definition: Definition, record: Values): unknown[] {
  try {
    stateOf(definition, record, {});
    return [];
  } catch (error) {
    return [error];
  }
}
