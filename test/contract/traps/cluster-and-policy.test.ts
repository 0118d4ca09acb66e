// @servers embedded consul
// @without-terraform: it asks the engine

import { describe, expect, it } from "vitest";
import { servicesUnderTest } from "../../support/contract-servers.ts";
import { testTraps } from "../../support/contract-trap.ts";
import { clusterTraps } from "./cluster-traps.ts";
import { policyTraps } from "./policy-traps.ts";

const lists = [
  { list: "policy parameters", service: "policy", count: 14, traps: policyTraps },
  { list: "cluster peering", service: "cluster", count: 20, traps: clusterTraps },
] as const;

describe.each(lists.filter(({ service }) => servicesUnderTest.includes(service)))("$list", ({ list, count, traps }) => {
  it("every trap has its row", () => {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    expect(traps.map(({ number }) => number).sort((a, b) => a - b)).toEqual(numbers);
  });

  testTraps(list, traps);
});
