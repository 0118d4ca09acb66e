import { describe, expect, it } from "vitest";
import { checkResource } from "../../../provider/core/check-set";
import type { Definition, Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { secretProperties } from "../../../provider/core/fingerprint";
import { bodyOf, stateOf } from "../../../provider/core/record";
import { withLiveKey } from "../../../provider/core/rotation";
import { textsIn } from "../../../provider/core/seal";
import { isRecord } from "../../../provider/core/unknowns";
import type { Engine } from "../../../provider/engine/engine";
import { applyResourceChange } from "../../../provider/hosts/terraform/apply";
import type { Host } from "../../../provider/hosts/terraform/call";
import { planResourceChange } from "../../../provider/hosts/terraform/plan";
import type { Request } from "../../../provider/hosts/terraform/protocol";
import { readResource, upgradeResourceState } from "../../../provider/hosts/terraform/read";
import type { ResourceTable } from "../../../provider/hosts/terraform/table";
import { isEqual, messageOf, type RawRecord, recordIn } from "../../../provider/hosts/terraform/value";
import { definitions } from "../../../provider/resources";
import { arbitraryInputs } from "../../support/arbitrary-inputs";
import { fc } from "../../support/fast-check";
import { hostWith, terraformTables as tables } from "../../support/terraform-host";
import { configWith, wrongInApply, wrongInPlan } from "../../support/terraform-rules";
import { recordInFile, stateFileOf } from "../../support/terraform-values";
import { testExtent } from "../../support/test-extent.mts";
import type { DefinitionName } from "../../support/valid-inputs";

/** An engine whose server keeps what it is sent, and shows nothing that is write-only or secret. */
function engineWithoutServer(): Engine {
  const shownOf = (definition: Definition, state: Values): Values => {
    const hidden = secretProperties(definition, state).filter((name) => membersOf(definition, name) === undefined);
    const wires = [...hidden, ...definition.writeOnly].map((name) => definition.fields[name]?.wire);
    const shown = { ...state };
    for (const name of Object.keys(definition.secrets)) {
      const [secret, value] = [membersOf(definition, name), state[name]];
      if (secret && isRecord(value)) {
        shown[name] = Object.fromEntries(Object.entries(value).filter(([member]) => !secret.includes(member)));
      }
    }
    const members = Object.entries(bodyOf(definition, shown)).filter(([wire]) => !wires.includes(wire));
    return JSON.parse(JSON.stringify(Object.fromEntries(members))) as Values;
  };
  const written = new Map<string, { definition: Definition; state: Values }>();
  const write = (definition: Definition, state: Values) => {
    written.set("it", { definition, state });
    return Promise.resolve({ id: "it", state: { ...state, server: "s" } });
  };
  const engine: Partial<Engine> = {
    check: async (definition, news, olds) => checkResource(definition, news, olds),
    diff: async (definition, olds, news) => diff(definition, olds, withLiveKey(definition.rotation, news, olds)),
    create: (definition, inputs) => write(definition, inputs),
    update: (definition, _id, olds, news) => write(definition, { ...news, server: olds["server"] }),
    read: async (definition, id, state) => {
      const kept = written.get(id)?.state ?? {};
      const isPlain = !definition.members && !definition.parts && !definition.attached;
      return { id, state: isPlain ? stateOf(definition, shownOf(definition, kept), state) : state };
    },
  };
  // The calls under test use nothing else of it.
  return engine as Engine;
}

interface Kept {
  readonly record: RawRecord;
  readonly private: Uint8Array;
}

/** Plans and applies; answers the state. Every rule of Terraform is asserted on the way. */
async function applied(host: Host, table: ResourceTable, config: RawRecord, before?: Kept): Promise<Kept | "replaced"> {
  const request = {
    typeName: table.typeName,
    config: messageOf(config),
    priorState: messageOf(before?.record),
    priorPrivate: before?.private ?? new Uint8Array(),
  };
  const plan = await planResourceChange(host, request as Request);
  expect(plan.diagnostics ?? []).toEqual([]);
  const {
    plannedState,
    plannedPrivate,
    requiresReplace = [],
  } = plan.answer as Record<string, never> & {
    plannedState: { msgpack: Uint8Array };
    plannedPrivate: Uint8Array;
    requiresReplace?: readonly unknown[];
  };
  const planned = recordIn(plannedState.msgpack) ?? {};
  const seen = host.session.keepsSecrets ? withoutWriteOnly(table) : table;
  expect(wrongInPlan(seen, before?.record, config, planned)).toEqual([]);
  if (requiresReplace.length > 0) return "replaced";
  const said = await applyResourceChange(host, { ...request, plannedState, plannedPrivate } as unknown as Request);
  expect(said.diagnostics ?? []).toEqual([]);
  const answer = said.answer as { newState: { msgpack: Uint8Array }; private: Uint8Array };
  const record = recordIn(answer.newState.msgpack) ?? {};
  expect(wrongInApply(table, planned, record)).toEqual([]);
  return { record, private: answer.private };
}

async function isQuiet(host: Host, table: ResourceTable, config: RawRecord, { record, private: kept }: Kept) {
  const read = await readResource(host, {
    typeName: table.typeName,
    currentState: messageOf(record),
    private: kept,
  } as unknown as Request);
  const answer = read.answer as { newState: { msgpack: Uint8Array }; private: Uint8Array };
  expect(recordIn(answer.newState.msgpack)).toEqual(record);
  const plan = await planResourceChange(host, {
    typeName: table.typeName,
    config: messageOf(config),
    priorState: answer.newState,
    priorPrivate: answer.private,
  } as Request);
  const { plannedState } = plan.answer as { plannedState: { msgpack: Uint8Array } };
  expect(isEqual(recordIn(plannedState.msgpack) ?? {}, record) || recordIn(plannedState.msgpack)).toEqual(true);
}

const names = (Object.keys(definitions) as DefinitionName[]).filter((name) =>
  [...tables.resources.values()].some(({ definition }) => definition === definitions[name]),
);

const numRuns = { quick: 3, usual: 10, whole: 50 }[testExtent];

describe.each(names)("the life of %s in Terraform", (name) => {
  const table = tableNamed(name);

  it("breaks no rule of Terraform, differs from nothing, and keeps no secret", async () => {
    const pairs = fc.tuple(arbitraryInputs(name), arbitraryInputs(name));
    await fc.assert(
      fc.asyncProperty(pairs, async ([first, second]) => {
        const host = hostWith(engineWithoutServer());
        let kept: Kept | undefined;
        for (const values of [first, second]) {
          const config = configWith(table, values);
          const state = await applied(host, table, config, kept);
          if (state === "replaced") return;
          await isQuiet(host, table, config, state);
          const own = secretProperties(table.definition, values).flatMap((each) => secretTexts(table, each, values));
          const secrets = [...own, ...recordSecretTexts(table, config)];
          const texts = `${JSON.stringify(state.record)}${Buffer.from(state.private)}`;
          expect(secrets.filter((text) => texts.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
          kept = state;
        }
      }),
      { numRuns },
    );
  });
});

const withSecrets = names.filter((name) => Object.keys(definitions[name].secrets).length > 0);

describe.each(withSecrets)("the life of %s with a CLI that has no write-only attributes", (name) => {
  const table = tableNamed(name);

  it("breaks no rule of Terraform, differs from nothing, and goes on with one that has them", async () => {
    const pairs = fc.tuple(arbitraryInputs(name), arbitraryInputs(name));
    await fc.assert(
      fc.asyncProperty(pairs, async ([first, second]) => {
        const engine = engineWithoutServer();
        const older = hostWith(engine, { keepsSecrets: true });
        let kept: Kept | undefined;
        for (const values of [first, second]) {
          const config = configWith(table, values);
          const state = await applied(older, table, config, kept);
          if (state === "replaced") return;
          await isQuiet(older, table, config, state);
          const given = table.inputs.filter((each) => each.isWriteOnly).map((each) => config[each.name] ?? null);
          expect(table.inputs.filter((each) => each.isWriteOnly).map((each) => state.record[each.name])).toEqual(given);
          kept = state;
        }
        const config = configWith(table, second);
        const newer = hostWith(engine);
        const json = stateFileOf(table, kept?.record ?? {});
        const upgrade = { typeName: table.typeName, version: 0, rawState: { json } };
        const { answer } = await upgradeResourceState(newer, upgrade as Request);
        const { upgradedState } = answer as { readonly upgradedState: { readonly json: Uint8Array } };
        const record = recordInFile(table, upgradedState.json);
        expect(table.inputs.filter((each) => each.isWriteOnly && record[each.name] !== null)).toEqual([]);
        await isQuiet(newer, table, config, { record, private: kept?.private ?? new Uint8Array() });
      }),
      { numRuns },
    );
  });
});

/** As a CLI sees it that does not know what write-only is. */
function withoutWriteOnly(table: ResourceTable): ResourceTable {
  return { ...table, inputs: table.inputs.map((each) => ({ ...each, isWriteOnly: false })) };
}

function tableNamed(name: DefinitionName): ResourceTable {
  const table = [...tables.resources.values()].find(({ definition }) => definition === definitions[name]);
  if (!table) throw new Error(`there is no resource of ${name}`);
  return table;
}

function membersOf({ secrets }: Definition, name: string): readonly string[] | undefined {
  const rule = secrets[name];
  return typeof rule === "object" && "members" in rule ? rule.members : undefined;
}

/** The texts of a secret that stand nowhere else. */
function secretTexts({ definition }: ResourceTable, name: string, values: Values): string[] {
  const { [name]: value, ...others } = values;
  const secret = membersOf(definition, name)?.map((member) => Reflect.get(Object(value), member)) ?? value;
  const elsewhere = JSON.stringify(others);
  return textsIn(secret).filter((text) => text.length > 5 && !elsewhere.includes(JSON.stringify(text).slice(1, -1)));
}

/** The texts that a program gives apart from the records of a set, and nowhere else. */
function recordSecretTexts({ inputs }: ResourceTable, config: RawRecord): string[] {
  const apart = inputs.filter(({ setting }) => setting !== undefined).map(({ name }) => name);
  const elsewhere = JSON.stringify(Object.entries(config).filter(([name]) => !apart.includes(name)));
  const texts = textsIn(apart.map((name) => config[name]));
  return texts.filter((text) => text.length > 5 && !elsewhere.includes(JSON.stringify(text).slice(1, -1)));
}
