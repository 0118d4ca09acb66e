import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientsRun, clientSteps, runClients, stepsByResource } from "../clients/run-clients.ts";
import type { ContractServers } from "../support/contract-servers.ts";
import { startWithConsul, startWithVault } from "../support/contract-servers-live.ts";
import { goProgram } from "../support/go-program.ts";
import { vaultReleases } from "../support/vault-releases.ts";

interface RealServer {
  readonly title: string;
  readonly service: "secrets" | "cluster";
  start(): Promise<ContractServers>;
  /** Steps that this release has no route for. */
  readonly lacks?: Readonly<Record<string, string>>;
}

/** The policy API has no server that could be started. */
const realServers: readonly RealServer[] = [
  ...vaultReleases.map((version) => ({
    title: `Vault ${version}`,
    service: "secrets" as const,
    start: () => startWithVault(version),
    lacks: version === "1.19" ? { "cloud.StaticRole": "list" } : {},
  })),
  { title: "two Consul clusters", service: "cluster", start: startWithConsul },
];

describe.each(realServers)("the official clients on $title", ({ service, start, lacks = {} }) => {
  let servers: ContractServers;
  let run: ClientsRun;
  beforeAll(async () => {
    const program = await goProgram("clients");
    servers = await start();
    run = await runClients(servers, { program, services: [service] });
  }, 600_000);
  afterAll(() => servers?.close());

  it("meet what the embedded server imitates", () => {
    expect(run.steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(run.exitCode).toBe(0);
  });

  it("do with every resource what its API has", () => {
    const expected = Object.entries(clientSteps[service]).map(([resource, steps]) => [
      resource,
      steps.filter((step) => lacks[resource] !== step),
    ]);
    expect(stepsByResource(run.steps)).toEqual(Object.fromEntries(expected));
  });
});
