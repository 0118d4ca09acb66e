import { picked } from "../../core/canonical";
import { checkResource } from "../../core/check-set";
import type { Definition, Values } from "../../core/definition";
import type { Failure } from "../../core/errors";
import { secretProperties } from "../../core/fingerprint";
import { FINGERPRINT_KEY, FINGERPRINTS, INCOMPLETE, MOUNT_MARK, SERVER } from "../../core/state-names";
import { hasUnknown, isRecord } from "../../core/unknowns";
import type { Kept } from "./kept";
import { attributeName } from "./names";
import {
  type GivenApart,
  misplacedInRecords,
  secretSettings,
  withGiven,
  withOldRecordSecrets,
  withPlaceholders,
} from "./record-secrets";
import { renamed } from "./shape";
import { type Attribute, FINGERPRINTS_ATTRIBUTE, INCOMPLETE_ATTRIBUTE, type ResourceTable } from "./table";
import { hasUnknownRaw, isNullRaw, plainOf, type RawRecord } from "./value";

/** The value of an attribute by the names of the tables. */
export function propertyValue({ name, type, shape }: Attribute, raw: RawRecord): unknown {
  return renamed(shape, plainOf(type, raw[name]), "property");
}

/** What the program says, or a state repeats of it. */
export function valuesIn(table: ResourceTable, raw: RawRecord): Values {
  return withGiven(table.definition, plainValuesIn(table, raw), givenApart(table, raw));
}

function plainValuesIn({ inputs }: ResourceTable, raw: RawRecord): Values {
  const values = inputs
    .filter(({ setting }) => setting === undefined)
    .map((each) => [each.property, propertyValue(each, raw)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function givenApart({ inputs }: ResourceTable, raw: RawRecord): GivenApart[] {
  const apart = inputs.filter(({ setting }) => setting !== undefined);
  return apart.map((attribute) => ({ attribute, value: propertyValue(attribute, raw) }));
}

/** The attributes without those that are not kept. */
export function withoutSecrets({ inputs }: ResourceTable, raw: RawRecord): RawRecord {
  const secret = inputs.filter(({ isWriteOnly }) => isWriteOnly).map(({ name }) => [name, null]);
  return { ...raw, ...Object.fromEntries(secret) };
}

/** The values in the form that the engine records. */
export function normalised({ definition }: ResourceTable, values: Values): Values {
  const { inputs } = checkResource(definition, values);
  return picked(inputs, Object.keys(definition.fields));
}

/** A state of Terraform as the engine has recorded it, but for the secrets: only an older CLI has kept them. */
export function recordedIn(table: ResourceTable, raw: RawRecord, kept: Kept): Values {
  const outputs = table.outputs.map((each) => [each.property, propertyValue(each, raw)] as const);
  const prints = printsIn(table, raw);
  const beside = {
    // Nothing else of a record is kept there.
    ...picked(kept.shown ?? {}, Object.keys(table.definition.secrets)),
    [SERVER]: kept.server,
    [MOUNT_MARK]: kept.mountMark,
    [FINGERPRINT_KEY]: kept.fingerprintKey,
    [FINGERPRINTS]: Object.keys(prints).length > 0 ? prints : undefined,
    [INCOMPLETE]: raw[INCOMPLETE_ATTRIBUTE] === true ? (kept.incomplete ?? true) || undefined : undefined,
  };
  const all = {
    ...normalised(table, valuesIn(table, withoutSecrets(table, raw))),
    ...Object.fromEntries(outputs),
    ...picked(kept.madeAnew ?? {}, table.definition.stable),
    ...beside,
  };
  const known = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return withPlaceholders(table.definition, known, prints);
}

/**
 * The recorded values with the secrets as far as the program tells them: one whose fingerprint is the same is the same.
 * Another one was something else, whatever it was.
 */
export function withOldSecrets({ definition }: ResourceTable, olds: Values, inputs: Values): Values {
  const [before, now] = [olds, inputs].map((values) => {
    const prints = values[FINGERPRINTS];
    return isRecord(prints) ? prints : {};
  });
  const secrets = Object.keys(definition.secrets)
    .filter((name) => before?.[name] !== undefined)
    .map((name) => [name, before?.[name] === now?.[name] ? inputs[name] : forgotten(definition, name, olds)]);
  return withOldRecordSecrets(definition, { ...olds, ...Object.fromEntries(secrets) }, inputs);
}

/** What is wrong with where the program gives its secrets: the state must not have them, and others must be shown. */
export function misplaced(table: ResourceTable, raw: RawRecord, values: Values): Failure[] {
  const { definition, inputs } = table;
  const secret = secretProperties(definition, values);
  const own = inputs.flatMap((each): Failure[] => {
    const rule = definition.secrets[each.property];
    if (typeof rule !== "object" || isNullRaw(raw[each.name])) return [];
    const [plain, writeOnly] = [attributeName(each.property), `${attributeName(each.property)}_wo`];
    // What is not known yet may be null.
    if (each.isWriteOnly && !isNullRaw(raw[plain]) && ![raw[plain], raw[each.name]].some(hasUnknownRaw)) {
      return [{ property: writeOnly, reason: `cannot be set beside ${plain}` }];
    }
    // What decides may not be known yet.
    const decides = "flag" in rule ? [values[rule.flag], values[each.property]] : [values[each.property]];
    if (hasUnknown(decides)) return [];
    const isSecret = secret.includes(each.property);
    if (isSecret && !each.isWriteOnly)
      return [{ property: plain, reason: `is secret, and would be kept in the state: give it in ${writeOnly}` }];
    if (!isSecret && each.isWriteOnly) return [{ property: writeOnly, reason: `is not secret: give it in ${plain}` }];
    return [];
  });
  return [...own, ...misplacedInRecords(definition, plainValuesIn(table, raw), givenApart(table, raw))];
}

/** The fingerprints of a state, by property; those of a set's records as they are named there. */
export function printsIn({ definition, inputs }: ResourceTable, raw: RawRecord): Values {
  const prints = raw[FINGERPRINTS_ATTRIBUTE];
  const found = isRecord(prints) ? prints : {};
  if (secretSettings(definition).length > 0)
    return Object.fromEntries(Object.entries(found).filter(([, print]) => typeof print === "string"));
  const known = inputs.filter(({ name }) => typeof found[name] === "string");
  return Object.fromEntries(known.map(({ name, property }) => [property, found[name]]));
}

/** Fingerprints by the names that a state has. */
export function shownPrints(definition: Definition, prints: Values): Values {
  return Object.fromEntries(Object.entries(prints).map(([name, print]) => [shownName(definition, name), print]));
}

/** The name that a state has for the fingerprint of a property. That of a set's record has it already. */
export function shownName({ members }: Definition, name: string): string {
  return members ? name : attributeName(name);
}

function forgotten({ secrets }: Definition, name: string, olds: Values): unknown {
  const rule = secrets[name];
  if (typeof rule !== "object" || !("members" in rule)) return NOT_KEPT;
  const shown = olds[name];
  return { ...(isRecord(shown) ? shown : {}), [rule.members[0] ?? ""]: NOT_KEPT };
}

/** Stands for the value of a secret that has changed. It is compared, and never sent. */
const NOT_KEPT = "(not kept)";
