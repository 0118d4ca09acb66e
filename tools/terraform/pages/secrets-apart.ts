import type { Definition, Values } from "../../../provider/core/definition";
import { secretProperties } from "../../../provider/core/fingerprint";
import { DEFAULTS } from "../../../provider/core/members";
import { isRecord } from "../../../provider/core/unknowns";
import { secretSettings } from "../../../provider/hosts/terraform/record-secrets";

/** A set's values as Terraform takes them. */
export interface Apart {
  readonly values: Values;
  /** The secrets of the records: by setting, then by the name of the record. */
  readonly secrets: Readonly<Record<string, Values>>;
}

/** Takes the secrets out of the records of a set, also those that they have of its defaults. */
export function secretsApart(definition: Definition, values: Values): Apart {
  const { members } = definition;
  const records = members && values[members.property];
  if (!members || !isRecord(records) || secretSettings(definition).length === 0) return { values, secrets: {} };
  const defaults = isRecord(values[DEFAULTS]) ? values[DEFAULTS] : {};
  const secrets: Record<string, Values> = {};
  const inDefaults = new Set(secretProperties(members.of, defaults));
  const plain = Object.entries(records).map(([name, own]) => {
    const all = { ...defaults, ...(isRecord(own) ? own : {}) };
    const hidden = secretProperties(members.of, all).filter((setting) => all[setting] !== undefined);
    for (const setting of hidden) secrets[setting] = { ...secrets[setting], [name]: all[setting] };
    for (const setting of hidden) if (!isRecord(own) || own[setting] === undefined) inDefaults.add(setting);
    return [name, without(own, hidden)] as const;
  });
  const rest = values[DEFAULTS] === undefined ? {} : { [DEFAULTS]: without(values[DEFAULTS], [...inDefaults]) };
  return { values: { ...values, ...rest, [members.property]: Object.fromEntries(plain) }, secrets };
}

function without(settings: unknown, names: readonly string[]): unknown {
  if (!isRecord(settings)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));
}
