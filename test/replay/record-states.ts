import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { plainOf } from "../../provider/hosts/terraform/value.ts";
import { environmentOf } from "../e2e/watched-servers.ts";
import { startEmbedded } from "../support/contract-servers-embedded.ts";
import { terraformTable } from "../support/terraform-client.ts";
import { configWith } from "../support/terraform-rules.ts";
import { createTerraformSandbox } from "../support/terraform-sandbox.ts";
import { fittedJson } from "../wire/fitted-json.mts";
import { prepareServers, type RecordedResource, recordedResources } from "./recorded-resources.ts";
import { type RecordedState, readRecordedStates, recordedStatesFile } from "./recorded-state.ts";
import { createTextScrubber } from "./scrub-text.mts";

/** Has the real CLI apply every resource, and writes what it keeps of those that are not recorded yet. */
export async function recordStates(): Promise<void> {
  const servers = await startEmbedded();
  try {
    const known = await prepareServers(servers);
    const cli = await createTerraformSandbox(environmentOf(servers));
    const { address } = servers.peer;
    cli.write(`provider "trustplane" {
      connections = { west = { service = "cluster", address = "${address}", token_env = "PARTNER_CONSUL_TOKEN" } }
    }`);
    const program = fill(recordedResources.map(blockOf), known);
    writeFileSync(join(cli.folder, "records.tf.json"), JSON.stringify({ resource: program }));
    for (const args of [
      ["apply", "-auto-approve"],
      ["plan", "-detailed-exitcode"],
    ]) {
      const { code, text } = await cli.run(...args);
      expect(code, text).toBe(0);
    }
    const { resources } = JSON.parse(cli.state()) as { readonly resources: readonly KeptResource[] };
    const scrubber = createTextScrubber({ ...known, "policy-address": new URL(servers.policy.address).host });
    const made = recordedResources.map((of, at) => stateOf(of, instanceOf(resources, nameOf(at)), scrubber));
    const before = existsSync(recordedStatesFile) ? readRecordedStates() : [];
    const states = made.map((state) => before.find((each) => isOfSame(each, state)) ?? state);
    writeFileSync(recordedStatesFile, fittedJson(states));
  } finally {
    await servers.close();
  }
}

/** A resource as the state's file has it. */
interface KeptResource {
  readonly name: string;
  readonly instances: readonly Instance[];
}

interface Instance {
  readonly schema_version: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** In base64. */
  readonly private: string;
}

/** Each is made after the one before it. */
function blockOf({ resource, args }: RecordedResource, at: number): object {
  const { typeName, inputs, config } = {
    ...terraformTable(resource),
    config: configWith(terraformTable(resource), args),
  };
  const values = inputs.map(({ name, type }) => [name, plainOf(type, config[name])] as const);
  const before = recordedResources[at - 1];
  const depends = before ? { depends_on: [`${terraformTable(before.resource).typeName}.${nameOf(at - 1)}`] } : {};
  return { [typeName]: { [nameOf(at)]: { ...Object.fromEntries(values), ...depends } } };
}

function fill<T>(value: T, known: Readonly<Record<string, string>>): T {
  const filled = (sum: string, [name, each]: [string, string]) => sum.replaceAll(`<${name}>`, each);
  return JSON.parse(Object.entries(known).reduce(filled, JSON.stringify(value))) as T;
}

function instanceOf(resources: readonly KeptResource[], name: string): Instance {
  const [found] = resources.find((each) => each.name === name)?.instances ?? [];
  if (found === undefined) throw new Error(`the state has no ${name}`);
  return found;
}

function stateOf(
  { resource, args }: RecordedResource,
  instance: Instance,
  { text, numbered }: ReturnType<typeof createTextScrubber>,
): RecordedState {
  const isSet = (_: string, value: unknown) => value ?? undefined;
  const scrubbed = (value: object) => JSON.parse(text(JSON.stringify(value)), isSet);
  const kept = JSON.parse(Buffer.from(instance.private, "base64").toString());
  const state = {
    type: terraformTable(resource).typeName,
    args,
    schemaVersion: instance.schema_version,
    attributes: scrubbed(instance.attributes),
    private: scrubbed(kept),
  };
  // The fingerprint of what is another one in every run is another one as well. Others must never change.
  if (kept.fingerprintKey === undefined || !JSON.stringify(args).includes('"<')) return state;
  const prints = Object.entries<string>(state.attributes.fingerprints).map(
    ([name, print]) => [name, numbered("fingerprint", print)] as const,
  );
  return {
    ...state,
    attributes: { ...state.attributes, fingerprints: Object.fromEntries(prints) },
    private: { ...state.private, fingerprintKey: numbered("fingerprint-key", kept.fingerprintKey) },
  };
}

function isOfSame(one: RecordedState, other: RecordedState): boolean {
  return one.type === other.type && isDeepStrictEqual(one.args, other.args);
}

function nameOf(at: number): string {
  return `record_${at}`;
}
