// @servers embedded vault
// @without-terraform: it asks the engine

import { expect, it } from "vitest";
import { testTraps } from "../../support/contract-trap.ts";
import { cloudRoleTraps } from "./cloud-role-traps.ts";
import { cloudTraps } from "./cloud-traps.ts";
import { jwtTraps } from "./jwt-traps.ts";
import { sysTraps } from "./sys-traps.ts";

const traps = [...jwtTraps, ...cloudTraps, ...cloudRoleTraps, ...sysTraps];

it("every trap of the secrets server has its row", () => {
  const numbers = Array.from({ length: 48 }, (_, at) => at + 1);
  expect(traps.map(({ number }) => number).sort((a, b) => a - b)).toEqual(numbers);
});

testTraps("secrets server", traps);
