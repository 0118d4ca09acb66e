import { describe, expect, it } from "vitest";
import { definePair, defineResource, upsert } from "../../../provider/core/definition";
import { string } from "../../../provider/core/rows";
import { clusterPeeredClusters } from "../../../provider/resources/cluster/peered-clusters";
import { sample } from "./sample-resource";

const NAMES = ["server", "incomplete", "fingerprints", "fingerprintKey", "secretInputs", "ignoredChanges"];

describe.each(NAMES)("a table with a property %s, which the state has for itself,", (name) => {
  const own = { [name]: string("x") };
  const refusal = `demo:Thing has a property ${name}, which is a name of the state's own`;
  const table = { ...sample, ...upsert("{mount}/x"), fields: {}, outputs: {}, label: "", identity: [] };

  it("is refused among the inputs and among the outputs", () => {
    expect(() => defineResource({ ...table, fields: own } as never)).toThrow(refusal);
    expect(() => defineResource({ ...table, outputs: own } as never)).toThrow(refusal);
    expect(() => defineResource(table as never)).not.toThrow();
  });

  it("is refused as a pair, too", () => {
    const { parts } = clusterPeeredClusters;
    expect(() => definePair({ ...table, fields: own, parts } as never)).toThrow(refusal);
  });
});
