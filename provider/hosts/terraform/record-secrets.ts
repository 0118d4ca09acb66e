import type { Definition, Members, Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { fingerprint, fingerprintKey, secretProperties } from "../../core/fingerprint";
import { DEFAULTS, recordsIn } from "../../core/members";
import { step } from "../../core/property-path";
import { FINGERPRINT_KEY, FINGERPRINTS } from "../../core/state-names";
import { hasUnknown, isRecord, UNKNOWN } from "../../core/unknowns";
import type { Attribute } from "./attribute";
import { attributeName } from "./names";

// Terraform cannot leave a part of a map out of its state. So the secrets of a set's records stand in attributes of their
// own, one for each setting that can be secret, and each a map by the names of the records.

/** The settings of a set's records that can be secret. */
export function secretSettings({ members }: Definition): readonly string[] {
  return Object.keys(members?.of.secrets ?? {});
}

/** A secret of a record. */
interface RecordSecret {
  readonly record: string;
  readonly setting: string;
  /** The name of its fingerprint: `parameters.token.value`. */
  readonly name: string;
  readonly value: unknown;
  /** False while the value, or whether it is secret at all, is only known later. */
  readonly isKnown: boolean;
}

/** The secrets that records have, as their own or of the defaults. */
function secretsIn(definition: Definition, values: Values): readonly RecordSecret[] {
  const { members } = definition;
  if (!members || secretSettings(definition).length === 0) return [];
  return [...recordsIn(definition, members, values)].flatMap(([record, settings]) =>
    secretProperties(members.of, settings)
      .filter((setting) => settings[setting] !== undefined)
      .map((setting) => {
        const name = printName(members.property, record, setting);
        const isKnown = !hasUnknown([settings[setting], flagOf(definition, setting, settings)]);
        return { record, setting, name, value: settings[setting], isKnown };
      }),
  );
}

function printName(property: string, record: string, setting: string): string {
  return `${attributeName(property)}${step(record)}.${attributeName(setting)}`;
}

/** What decides whether a setting is secret. */
function flagOf({ members }: Definition, setting: string, settings: Values): unknown {
  const rule = members?.of.secrets[setting];
  return typeof rule === "object" && "flag" in rule ? settings[rule.flag] : undefined;
}

/** The values with other settings in some records. */
function withSettings({ members }: Definition, values: Values, change: (record: string) => Values): Values {
  const records = members && values[members.property];
  if (!members || !isRecord(records)) return values;
  const changed = Object.entries(records).map(
    ([name, settings]) => [name, isRecord(settings) ? { ...settings, ...change(name) } : settings] as const,
  );
  return { ...values, [members.property]: Object.fromEntries(changed) };
}

/** The values with every secret of a record replaced; undefined takes it out. */
export function withRecordSecrets(
  definition: Definition,
  values: Values,
  replaced: (secret: RecordSecret) => unknown,
): Values {
  const byRecord = Map.groupBy(secretsIn(definition, values), ({ record }) => record);
  if (byRecord.size === 0) return values;
  return withSettings(definition, values, (record) =>
    Object.fromEntries((byRecord.get(record) ?? []).map((secret) => [secret.setting, replaced(secret)])),
  );
}

/** What the program gives in the attribute of a setting, by record. */
export interface GivenApart {
  readonly attribute: Attribute;
  readonly value: unknown;
}

/** The program's values with what it gives apart in its records. */
export function withGiven(definition: Definition, values: Values, given: readonly GivenApart[]): Values {
  const { members } = definition;
  if (!members) return values;
  return given.reduce((all, { attribute: { setting = "" }, value }) => {
    const records = recordsIn(definition, members, all);
    return withSettings(definition, all, (record): Values => {
      if (isRecord(value)) return Object.hasOwn(value, record) ? { [setting]: value[record] } : {};
      const isAwaited = ownSetting(members, all, { record, setting }) === undefined;
      const isSecret = secretProperties(members.of, records.get(record) ?? {}).includes(setting);
      return value === UNKNOWN && isAwaited && isSecret ? { [setting]: UNKNOWN } : {};
    });
  }, values);
}

/** What the program gives in the record itself. */
function ownSetting(
  { property }: Members,
  values: Values,
  { record, setting }: { readonly record: string; readonly setting: string },
): unknown {
  const written = Object(values[property])[record];
  return isRecord(written) ? written[setting] : undefined;
}

/** What is wrong with where the program gives the secrets of records. `plain` is what it gives in the records themselves. */
export function misplacedInRecords(definition: Definition, plain: Values, given: readonly GivenApart[]): Failure[] {
  const { members } = definition;
  const written = members && plain[members.property];
  if (!members || !isRecord(written)) return [];
  const { of, property } = members;
  const failures = given.flatMap(({ attribute: { name, setting = "" }, value }) => {
    const apart = isRecord(value) ? value : {};
    const kept = `is secret, and would be kept in the state: give it in ${name}, by the name of its record`;
    const inRecords = [...recordsIn(definition, members, plain)].flatMap(([record, settings]): Failure[] => {
      const [here, isApart] = [name + step(record), Object.hasOwn(apart, record)];
      const own = ownSetting(members, plain, { record, setting });
      if (isApart && own !== undefined)
        return [{ property: here, reason: `cannot be set beside ${setting} of the record` }];
      // What decides may not be known yet, or whether the record has its own beside that of the defaults.
      if (value === UNKNOWN && own === undefined) return [];
      if (hasUnknown(flagOf(definition, setting, settings))) return [];
      const isSecret = secretProperties(of, settings).includes(setting);
      if (isApart) return isSecret ? [] : [{ property: here, reason: `is not secret: give it in ${property}` }];
      const at = own === undefined ? DEFAULTS : property + step(record);
      return isSecret && settings[setting] !== undefined ? [{ property: `${at}.${setting}`, reason: kept }] : [];
    });
    const common = isRecord(plain[DEFAULTS]) ? plain[DEFAULTS] : {};
    const isInDefaults = common[setting] !== undefined && flagOf(definition, setting, common) === true;
    const strangers = Object.keys(apart).filter((record) => !Object.hasOwn(written, record));
    return [
      ...inRecords,
      ...(isInDefaults ? [{ property: `${DEFAULTS}.${setting}`, reason: kept }] : []),
      ...strangers.map((record) => ({ property: name + step(record), reason: `is of no record in ${property}` })),
    ];
  });
  // What stands in the defaults is the same for all records.
  return [...new Map(failures.map((failure) => [failure.property, failure])).values()];
}

/** The checked values with the fingerprint of each secret of a record. */
export function withRecordPrints(definition: Definition, inputs: Values, olds: Values = {}): Values {
  const known = secretsIn(definition, inputs).filter(({ value, isKnown }) => isKnown && value !== "");
  if (known.length === 0) return inputs;
  const key = fingerprintKey(olds[FINGERPRINT_KEY]);
  const prints = known.map(({ name, value }) => [name, fingerprint(key, value)] as const);
  return { ...inputs, [FINGERPRINTS]: Object.fromEntries(prints), [FINGERPRINT_KEY]: key };
}

/** True while not all fingerprints of records can be told. */
export function hasUnknownRecordSecret(definition: Definition, inputs: Values): boolean {
  const isOpen = secretSettings(definition).length > 0 && inputs[definition.members?.property ?? ""] === UNKNOWN;
  return isOpen || secretsIn(definition, inputs).some(({ isKnown }) => !isKnown);
}

/** The fingerprints of the secrets that are recorded now. After a failure some are those of before. */
export function recordPrints(definition: Definition, state: Values): Values {
  const key = state[FINGERPRINT_KEY];
  const prints = secretsIn(definition, state).map(({ name, value }) => {
    const print = typeof key === "string" && value !== "" ? fingerprint(key, value) : undefined;
    return [name, printOf(value) ?? print] as const;
  });
  return Object.fromEntries(prints.filter(([, print]) => print !== undefined));
}

/** Records of a state with something in the place of each secret, which nobody has kept. */
export function withPlaceholders(definition: Definition, values: Values, prints: Values): Values {
  const settings = secretSettings(definition);
  const property = definition.members?.property ?? "";
  if (settings.length === 0) return values;
  return withSettings(definition, values, (record) => {
    const found = settings.map((setting) => [setting, prints[printName(property, record, setting)]] as const);
    const known = found.filter(([, print]) => typeof print === "string");
    return Object.fromEntries(known.map(([setting, print]) => [setting, `(not kept: ${print})`]));
  });
}

/** The recorded records with the secrets that the program tells: one whose fingerprint is the same is the same. */
export function withOldRecordSecrets(definition: Definition, olds: Values, inputs: Values): Values {
  const told = new Map(secretsIn(definition, inputs).map(({ name, value }) => [name, value]));
  const prints = isRecord(inputs[FINGERPRINTS]) ? inputs[FINGERPRINTS] : {};
  return withRecordSecrets(definition, olds, ({ name, value }) => {
    const print = printOf(value);
    return print !== undefined && prints[name] === print ? told.get(name) : value;
  });
}

/** The fingerprint in what stands for a secret. Such a text is compared, and never sent. */
function printOf(value: unknown): string | undefined {
  return typeof value === "string" ? /^\(not kept: ([0-9a-f]{8})\)$/.exec(value)?.[1] : undefined;
}
