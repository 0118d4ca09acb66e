import { beforeAll, describe, expect, test } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { isRecord } from "../../provider/core/unknowns.ts";
import { definitions } from "../../provider/resources/index.ts";
import { inventoryOf } from "../e2e/inventory.ts";
import { openTerraformHost } from "../support/contract-host-terraform.ts";
import { rawApi } from "../support/contract-raw.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { createTerraformStack, type StateInFile } from "../support/contract-stack-terraform.ts";
import type { ResourceName } from "../support/host-under-test.ts";
import type { ContractServers, ServiceAddress } from "../support/servers-under-test.ts";
import { terraformTables } from "../support/terraform-client.ts";
import { type Bindings, createBindings } from "./bindings.ts";
import { recordStates } from "./record-states.ts";
import { prepareServers } from "./recorded-resources.ts";
import { type RecordedState, readRecordedStates } from "./recorded-state.ts";

/** What the real Terraform CLI has kept of every resource. Each test goes on where the one before it ended. */
describe("recorded states of Terraform", { timeout: 60_000, shuffle: false }, () => {
  let servers: ContractServers;
  let bindings: Bindings;
  let untouched: readonly string[];
  const hostOf = (type: string) => openTerraformHost({ resource: resourceOf(type), config: configOf(servers) });
  const stackOf = ({ type, schemaVersion, attributes, private: beside }: RecordedState) => {
    const json = (value: object) => Buffer.from(JSON.stringify(value));
    return createTerraformStack(hostOf(type), {
      version: schemaVersion,
      json: json(attributes),
      private: json(beside),
    });
  };
  const inventory = () => inventoryOf((service) => rawApi(service, servers[service]));

  beforeAll(async () => {
    servers = await startEmbedded();
    bindings = createBindings(await prepareServers(servers));
    untouched = await inventory();
    return () => servers.close();
  });

  test("are about every resource there is", async () => {
    if (process.env["TRUSTPLANE_RECORD_TERRAFORM"] === "1") await recordStates();
    const types = new Set(readRecordedStates().map(({ type }) => type));

    const todo =
      "a new resource has its line in test/replay/recorded-resources.ts: then record as test/replay/README.md says";
    expect([...types].sort(), todo).toEqual([...terraformTables().resources.keys()].sort());
  });

  test("are read without a difference, and the program that made them has nothing to change", async () => {
    for (const recorded of readRecordedStates()) {
      const { type, args, attributes } = recorded;
      const made = createTerraformStack(hostOf(type));
      await made.up(bindings.filled(args));
      // What the servers have made up this time.
      bindings.expected(recorded, inPlain(made.inFile()));

      const stack = stackOf(bindings.filled(recorded));
      expect(await stack.preview(bindings.filled(args)), type).toEqual({ step: "same", replaces: [] });
      expect(await stack.refresh(), type).toBe(true);
      const read = inPlain(stack.inFile());
      expect(read, type).toMatchObject(bindings.filled({ attributes, private: recorded.private }));
      expect(await stack.up(bindings.filled(args)), type).toBe("same");
      expect(inPlain(stack.inFile()), type).toEqual(read);
    }
  });

  test("show what has changed beside a secret, which no attribute has", async () => {
    const withSecrets = readRecordedStates().filter((recorded) => isRecord(recorded.private["shown"]));
    expect(withSecrets.map(({ type }) => type)).toEqual(["trustplane_jwt_config"]);
    for (const recorded of withSecrets) {
      const shown = { providerConfig: { provider: "gsuite", fetch_groups: false } };
      expect(recorded.private["shown"]).not.toEqual(shown);
      const stack = stackOf(bindings.filled({ ...recorded, private: { ...recorded.private, shown } }));
      expect(await stack.refresh()).toBe(true);
      expect(await stack.preview(bindings.filled(recorded.args))).toEqual({ step: "update", replaces: [] });
    }
  });

  test("belong to their server: on another one nothing is declared gone", async () => {
    for (const recorded of readRecordedStates()) {
      const elsewhere = { ...bindings.filled(recorded), private: { ...recorded.private, server: "another-server" } };
      const stack = stackOf(elsewhere);

      await expect(stack.refresh(), recorded.type).rejects.toThrow("the state was written to another server");
    }
  });

  test("are enough to delete every record", async () => {
    expect((await inventory()).length).toBeGreaterThan(untouched.length);
    for (const recorded of [...readRecordedStates()].reverse()) {
      const { attributes, ...filled } = bindings.filled(recorded);
      // Each destroy is a run of its own: what another run has forgotten holds a mount back.
      const forced = recorded.type.endsWith("_mount") ? { force: true } : {};
      await stackOf({ ...filled, attributes: { ...attributes, ...forced } }).destroy();
    }

    expect(await inventory()).toEqual(untouched);
  });
});

function resourceOf(type: string): ResourceName {
  const definition = terraformTables().resources.get(type)?.definition;
  const found = Object.entries(definitions).find(([, each]) => each === definition);
  if (found === undefined) throw new Error(`Terraform has no resource ${type} any more`);
  // The names of the table.
  return found[0] as ResourceName;
}

/** The provider's block: the recorded program speaks of the partner as `west`. */
function configOf({ secrets, cluster, policy, peer }: ContractServers): Record<string, string> {
  const own = ({ address, token }: ServiceAddress) => ({ address, token });
  const connections = { west: { service: "cluster", ...own(peer) } };
  const entries = { secrets: own(secrets), cluster: own(cluster), policy: own(policy), connections };
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, JSON.stringify(entry)]));
}

function inPlain(state: StateInFile | undefined): Values {
  const read = (bytes: Uint8Array | undefined) => JSON.parse(Buffer.from(bytes ?? []).toString());
  return { attributes: read(state?.json), private: read(state?.private) };
}
