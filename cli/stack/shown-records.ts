import type { Definition, Members, Values } from "../../provider/core/definition";
import { DEFAULTS, type Records, recordsIn, settingRows } from "../../provider/core/members";
import { step } from "../../provider/core/property-path";
import { isSealed } from "../../provider/core/secret-envelope";
import { isRecord } from "../../provider/core/unknowns";
import { own } from "../text/own-member";

/** Replaces a secret without a fingerprint, here and in what Pulumi prints. */
export const HIDDEN = "[secret]";

/** The records of a set as a preview or a state shows them. Where all settings of one are secret, each of them is. */
export function shownRecords(definition: Definition, members: Members, values: Values): Records {
  const names = settingRows(definition, members).map(([name]) => name);
  const settings = (value: unknown) =>
    isHidden(value) ? Object.fromEntries(names.map((name) => [name, HIDDEN])) : value;
  const records = Object.entries(membersIn(values[members.property]));
  return recordsIn(definition, members, {
    ...values,
    [DEFAULTS]: settings(values[DEFAULTS]),
    [members.property]: Object.fromEntries(records.map(([name, each]) => [name, settings(each)])),
  });
}

/** True where a record of a set has no setting of its own, and the defaults have one. */
export function isFromDefaults({ property }: Members, values: Values, [name, setting]: readonly [string, string]) {
  const settings = membersIn(own(membersIn(values[property]), name));
  return !Object.hasOwn(settings, setting) && Object.hasOwn(membersIn(values[DEFAULTS]), setting);
}

/** The parts of a set of which this is true: all records, all settings of one, or one of them. */
export function partsWhere({ property }: Members, values: Values, is: (value: unknown) => boolean): string[] {
  // What is no object any more is hidden as a whole.
  const isWhole = (value: unknown) => !isRecord(value) || isSealed(value);
  const inside = (settings: unknown, at: string): string[] => {
    if (isWhole(settings)) return is(settings) ? [at] : [];
    const found = Object.entries(membersIn(settings)).filter(([, value]) => is(value));
    return found.map(([name]) => at + step(name));
  };
  const records = values[property];
  if (isWhole(records)) return is(records) ? [property] : [];
  const each = Object.entries(membersIn(records));
  return [
    ...inside(values[DEFAULTS], DEFAULTS),
    ...each.flatMap(([name, settings]) => inside(settings, property + step(name))),
  ];
}

/** True for a secret, and for what a secret is in. */
export function holdsSecret(value: unknown): boolean {
  if (isHidden(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isRecord(value) && Object.values(value).some(holdsSecret);
}

/** True for what Pulumi shows of a secret, and for an envelope. */
export function isHidden(value: unknown): boolean {
  return value === HIDDEN || isSealed(value);
}

/** An envelope has none: it is a secret. */
function membersIn(value: unknown): Values {
  return isRecord(value) && !isSealed(value) ? value : {};
}
