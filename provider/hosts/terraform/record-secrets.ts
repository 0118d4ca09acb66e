import type { Definition, Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { fingerprint, fingerprintKey, hiddenParts, secretProperties } from "../../core/fingerprint";
import { DEFAULTS } from "../../core/members";
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

/** A secret of a record, and the name of its fingerprint: `parameters.token.value`. */
interface RecordSecret {
  readonly record: string;
  readonly setting: string;
  readonly name: string;
  readonly value: unknown;
}

function secretsIn(definition: Definition, values: Values): readonly RecordSecret[] {
  const property = definition.members?.property;
  return hiddenParts(definition, values).flatMap(({ path: [at, record = "", setting = ""], value }) =>
    at === property ? [{ record, setting, name: printName(at, record, setting), value }] : [],
  );
}

function printName(property: string, record: string, setting: string): string {
  return `${attributeName(property)}${step(record)}.${attributeName(setting)}`;
}

/** The values with other settings in some records; undefined takes a setting out. */
function withSettings({ members }: Definition, values: Values, change: (record: string) => Values): Values {
  const records = members && values[members.property];
  if (!members || !isRecord(records)) return values;
  const changed = Object.entries(records).map(([name, settings]) => {
    const others = isRecord(settings) ? change(name) : {};
    return [name, Object.keys(others).length === 0 ? settings : { ...Object(settings), ...others }] as const;
  });
  return { ...values, [members.property]: Object.fromEntries(changed) };
}

/** The values with every secret of a record replaced. */
export function withRecordSecrets(
  definition: Definition,
  values: Values,
  replaced: (secret: RecordSecret) => unknown,
): Values {
  if (secretSettings(definition).length === 0) return values;
  const byRecord = Map.groupBy(secretsIn(definition, values), ({ record }) => record);
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
  return given.reduce((all, { attribute: { setting = "" }, value }) => {
    if (value === undefined) return all;
    return withSettings(definition, all, (record) => {
      if (isRecord(value)) return Object.hasOwn(value, record) ? { [setting]: value[record] } : {};
      return isMissing(definition, all, { record, setting }) ? { [setting]: UNKNOWN } : {};
    });
  }, values);
}

/** True for a setting that a record keeps secret, and does not have. */
function isMissing({ members }: Definition, values: Values, at: Pick<RecordSecret, "record" | "setting">): boolean {
  const records = members && values[members.property];
  if (!members || !isRecord(records)) return false;
  const settings = effective(values, records[at.record]);
  return settings[at.setting] === undefined && secretProperties(members.of, settings).includes(at.setting);
}

function effective({ [DEFAULTS]: defaults }: Values, settings: unknown): Values {
  return { ...(isRecord(defaults) ? defaults : {}), ...(isRecord(settings) ? settings : {}) };
}

/** What is wrong with where the program gives the secrets of records. `plain` is what it gives in the records themselves. */
export function misplacedInRecords(
  { members }: Definition,
  plain: Values,
  given: readonly GivenApart[],
): readonly Failure[] {
  const records = members && plain[members.property];
  if (!members || !isRecord(records)) return [];
  const { of, property } = members;
  return given.flatMap(({ attribute: { name, setting = "" }, value }): Failure[] => {
    const rule = of.secrets[setting];
    const apart = isRecord(value) ? value : {};
    const kept = `is secret, and would be kept in the state: give it in ${name}, by the name of its record`;
    const isSecretIn = (settings: Values) => secretProperties(of, settings).includes(setting);
    const inRecords = Object.entries(records).flatMap(([record, settings]): Failure[] => {
      const [at, own] = [`${property}${step(record)}.${setting}`, isRecord(settings) ? settings[setting] : undefined];
      const isApart = Object.hasOwn(apart, record);
      if (isApart && own !== undefined)
        return [{ property: name + step(record), reason: `cannot be set beside ${setting} of the record` }];
      const all = effective(plain, settings);
      // What decides may not be known yet.
      if (settings === UNKNOWN || (typeof rule === "object" && "flag" in rule && hasUnknown(all[rule.flag]))) return [];
      if (isApart) {
        const reason = `is not secret: give it in ${property}`;
        return isSecretIn({ ...all, [setting]: apart[record] }) ? [] : [{ property: name + step(record), reason }];
      }
      return all[setting] !== undefined && isSecretIn(all) ? [{ property: at, reason: kept }] : [];
    });
    const strangers = Object.keys(apart)
      .filter((record) => !Object.hasOwn(records, record))
      .map((record) => ({ property: name + step(record), reason: `is of no record in ${property}` }));
    const defaults = effective(plain, {});
    const isInDefaults = defaults[setting] !== undefined && !hasUnknown(defaults) && isSecretIn(defaults);
    return [
      ...inRecords,
      ...strangers,
      ...(isInDefaults ? [{ property: `${DEFAULTS}.${setting}`, reason: kept }] : []),
    ];
  });
}

/** The checked values with the fingerprint of each secret of a record. */
export function withRecordPrints(definition: Definition, inputs: Values, olds: Values = {}): Values {
  const known = secretsIn(definition, inputs).filter(({ value }) => value !== "" && !hasUnknown(value));
  if (known.length === 0) return inputs;
  const key = fingerprintKey(olds[FINGERPRINT_KEY]);
  const prints = known.map(({ name, value }) => [name, fingerprint(key, value)] as const);
  return { ...inputs, [FINGERPRINTS]: Object.fromEntries(prints), [FINGERPRINT_KEY]: key };
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
    return Object.fromEntries(
      found.flatMap(([setting, print]) => (typeof print === "string" ? [[setting, placeholder(print)]] : [])),
    );
  });
}

/** The recorded records with the secrets that the program tells: one whose fingerprint is the same is the same. */
export function withOldRecordSecrets(definition: Definition, olds: Values, inputs: Values): Values {
  if (secretSettings(definition).length === 0) return olds;
  const told = new Map(secretsIn(definition, inputs).map(({ name, value }) => [name, value]));
  const prints = inputs[FINGERPRINTS];
  return withRecordSecrets(definition, olds, ({ name, value }) => {
    const isSame = isRecord(prints) && prints[name] === printOf(value);
    return isSame ? told.get(name) : value;
  });
}

/** Stands for a secret of which the fingerprint is known. It is compared, and never sent. */
function placeholder(print: string): string {
  return `(not kept: ${print})`;
}

/** The fingerprint of which a value is the placeholder. */
export function printOf(value: unknown): string | undefined {
  return typeof value === "string" ? /^\(not kept: ([0-9a-f]{8})\)$/.exec(value)?.[1] : undefined;
}
