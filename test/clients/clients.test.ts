import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Definition } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { goProgram, needsGoProgram } from "../support/go-program.ts";
import { clientSteps, runClients, stepsByResource } from "./run-clients.ts";

it("the official clients do something with every resource", () => {
  // Pairs and sets have no records of their own, but those of other resources.
  const own = Object.values<Definition>(definitions).filter(({ parts, members }) => !parts && !members);
  const expected = own.map(({ token }) => token.replace(":", "."));
  const todo = "every resource has its steps in test/clients/<module>.go, named in run-clients.ts";
  expect(Object.values(clientSteps).flatMap(Object.keys).sort(), todo).toEqual(expected.sort());
});

describe("the official clients on the embedded server", needsGoProgram("clients"), () => {
  let program: string;
  let servers: ContractServers;
  beforeAll(async () => {
    program = await goProgram("clients");
    servers = await startEmbedded();
  }, 600_000);
  afterAll(() => servers?.close());

  it("create, read, list, update, delete and make a mistake with every resource", async () => {
    const services = ["secrets", "cluster", "policy"] as const;
    const { exitCode, steps } = await runClients(servers, { program, services });
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(stepsByResource(steps)).toEqual({ ...clientSteps.secrets, ...clientSteps.cluster, ...clientSteps.policy });
  });

  it("fail, and say with what, on a server that does not answer as it should", async () => {
    const fresh = await startEmbedded();
    try {
      const policy = { ...fresh.policy, policySet: "polset-nowhere00000000" };
      const { exitCode, steps } = await runClients({ ...fresh, policy }, { program, services: ["policy"] });
      expect(exitCode).toBe(1);
      expect(steps[0]).toEqual({
        resource: "policy.Parameter",
        step: "create",
        ok: false,
        detail: "resource not found",
      });
    } finally {
      await fresh.close();
    }
  });
});
