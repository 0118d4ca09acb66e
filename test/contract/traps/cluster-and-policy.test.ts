import { describe, expect, it } from "vitest";
import { testTraps } from "../../support/contract-trap.ts";
import { clusterTraps } from "./cluster-traps.ts";
import { policyTraps } from "./policy-traps.ts";

const lists = [
  { list: "policy parameters", count: 14, traps: policyTraps },
  { list: "cluster peering", count: 20, traps: clusterTraps },
];

describe.each(lists)("$list", ({ list, count, traps }) => {
  it("every trap has its row", () => {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    expect(traps.map(({ number }) => number).sort((a, b) => a - b)).toEqual(numbers);
  });

  testTraps(list, traps);
});
