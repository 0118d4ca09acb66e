import { canonicalText, isEmpty } from "./canonical";
import type { Values, WireRecord } from "./definition";
import { isRecord } from "./unknowns";

/** A member of a record inside a record. */
export interface NestedMember {
  /** Its name on the wire. */
  readonly wire: string;
  /** The members of the record, or of each record of the list, that it holds. */
  readonly of?: NestedShape;
  /** The order of its list does not matter. */
  readonly isSet?: true;
  /** The form in which two of its values are compared. */
  readonly compared?: (value: unknown) => unknown;
}

/** The members of a record inside a record by public name; a text is the name on the wire. */
export type NestedShape = Readonly<Record<string, string | NestedMember>>;

/** The record as the API takes it, without what is empty. */
export function nestedToWire(shape: NestedShape, record: Values): WireRecord {
  const members = membersOf(shape).map(([name, { wire, of }]) => {
    return [wire, of ? mapped(record[name], (inner) => nestedToWire(of, inner)) : record[name]] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => !isUnset(value)));
}

/** The public form of the record that the server answered: of members that the shape has, those that are not empty. */
export function nestedFromWire(shape: NestedShape, record: WireRecord): Values {
  const members = membersOf(shape).map(([name, { wire, of }]) => {
    return [name, of ? mapped(record[wire], (inner) => nestedFromWire(of, inner)) : record[wire]] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => !isUnset(value)));
}

/** The form in which two of these records are compared. */
export function comparedRecord(shape: NestedShape, record: Values): Values {
  const members = membersOf(shape).map(([name, member]) => [name, comparedMember(member, record[name])] as const);
  return Object.fromEntries(members.filter(([, value]) => !isUnset(value)));
}

/** The form in which two lists of these records are compared, where their order does not matter. */
export function comparedSet(shape: NestedShape, records: readonly Values[]): unknown {
  return inAnyOrder(records.map((record) => comparedRecord(shape, record)));
}

function comparedMember({ of, isSet, compared }: NestedMember, value: unknown): unknown {
  if (compared) return compared(value);
  const known = of ? mapped(value, (inner) => comparedRecord(of, inner)) : value;
  return isSet && Array.isArray(known) ? inAnyOrder(known) : known;
}

function inAnyOrder(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalText(value), value])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);
}

function membersOf(shape: NestedShape): [string, NestedMember][] {
  return Object.entries(shape).map(([name, member]) => [name, typeof member === "string" ? { wire: member } : member]);
}

/** The record, or each record of the list. */
function mapped(value: unknown, each: (record: Values) => Values): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => (isRecord(inner) ? each(inner) : inner));
  return isRecord(value) ? each(value) : value;
}

/** A flag that is not set is empty, too. */
function isUnset(value: unknown): boolean {
  return value === false || isEmpty(value);
}
