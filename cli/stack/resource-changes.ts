import { canonicalText, isEmpty } from "../../provider/core/canonical";
import type { Definition, Members, Values } from "../../provider/core/definition";
import { type Field, same } from "../../provider/core/field";
import { hiddenProperties } from "../../provider/core/fingerprint";
import { DEFAULTS } from "../../provider/core/members";
import {
  FINGERPRINT_KEY,
  FINGERPRINTS,
  IGNORED_CHANGES,
  INCOMPLETE,
  SECRET_INPUTS,
} from "../../provider/core/state-names";
import { hasUnknown, isRecord, UNKNOWN } from "../../provider/core/unknowns";
import { own } from "../text/own-member";
import { propertyChanges, type ShownChange } from "./property-changes";
import { setChanges } from "./set-changes";
import { HIDDEN, holdsSecret, isHidden } from "./shown-records";

/** Properties that no user wrote: hosts and provider keep them with a resource. */
const BOOKKEEPING = new Set<string>([
  FINGERPRINTS,
  FINGERPRINT_KEY,
  INCOMPLETE,
  SECRET_INPUTS,
  IGNORED_CHANGES,
  "__provider",
  "__defaults",
]);

/** True for the properties that hosts and provider keep with a resource for themselves. */
export function isBookkeeping(property: string): boolean {
  return BOOKKEEPING.has(property);
}

/**
 * What differs between two records of a resource, property by property, secrets masked. Without a definition (a resource
 * of another provider) every property is compared as it is. Undefined is a record that is not there.
 */
export function resourceChanges(
  definition: Definition | undefined,
  before: Values | undefined,
  after: Values | undefined,
): readonly ShownChange[] {
  const [olds, news] = [before ?? {}, after ?? {}];
  const secret = new Set(definition === undefined ? [] : hidden(definition, olds, news));
  const members = comparedMembers(definition, [olds, news]);
  const isInRecords = (name: string) => members !== undefined && (name === members.property || name === DEFAULTS);
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])]
    .filter((name) => !isBookkeeping(name) && !isInRecords(name))
    .sort();
  const inRecords =
    definition && members ? setChanges(definition, members, { olds, news, compare: resourceChanges }) : [];
  const found = names.flatMap((name): readonly ShownChange[] => {
    const [left, right] = [own(olds, name), own(news, name)];
    if (secret.has(name) || holdsSecret(left) || holdsSecret(right)) return secretChange(name, olds, news);
    const field = own(definition?.fields, name);
    if (field === undefined) return propertyChanges(name, left, right);
    if (same(field, left, right)) return [];
    const [was, is] = [readContent(field, left), readContent(field, right)];
    // The row has put what has no order into one.
    if (was !== undefined && is !== undefined) return propertyChanges(name, was, is, { isOrdered: false });
    return isWithoutOrder(field, left, right)
      ? propertyChanges(name, ordered(left), ordered(right), { isOrdered: false })
      : propertyChanges(name, left, right);
  });
  return [...found, ...inRecords];
}

/** Of a set whose records are secret as a whole, none is compared. */
function comparedMembers(definition: Definition | undefined, all: readonly Values[]): Members | undefined {
  const members = definition?.members;
  return members && all.some((values) => isHidden(own(values, members.property))) ? undefined : members;
}

/** The values that the rules of the review see. A secret is replaced by "unknown", so that no rule looks at it or quotes it. */
export function evaluatedValues(definition: Definition, values: Values): { values: Values; secretByProgram: string[] } {
  const secret = new Set(hiddenProperties(definition, values));
  const isHidden = ([name, value]: readonly [string, unknown]) => secret.has(name) || holdsSecret(value);
  const shown = Object.entries(values).filter(([name]) => !isBookkeeping(name));
  return {
    values: Object.fromEntries(
      shown.map(([name, value]) => [name, isHidden([name, value]) && !isEmpty(value) ? UNKNOWN : value]),
    ),
    secretByProgram: shown.filter((entry) => isHidden(entry) && !secret.has(entry[0])).map(([name]) => name),
  };
}

/** A property that is secret on one side is not shown on the other: it may be the same value. */
function hidden(definition: Definition, olds: Values, news: Values): readonly string[] {
  return [...hiddenProperties(definition, olds), ...hiddenProperties(definition, news)];
}

function secretChange(name: string, olds: Values, news: Values): readonly ShownChange[] {
  const [left, right] = [masked(name, olds), masked(name, news)];
  if (left === right && (left !== HIDDEN || canonicalText(own(olds, name)) === canonicalText(own(news, name))))
    return [];
  return [
    {
      path: name,
      isSecret: true,
      ...(left === undefined ? {} : { before: left }),
      ...(right === undefined ? {} : { after: right }),
    },
  ];
}

function masked(name: string, values: Values): string | undefined {
  if (isEmpty(own(values, name))) return undefined;
  const taken = values[FINGERPRINTS];
  const fingerprint = isRecord(taken) ? own(taken, name) : undefined;
  return typeof fingerprint === "string" ? `[secret, fingerprint ${fingerprint}]` : HIDDEN;
}

/** What a text says, where its row compares texts by that, such as the rules of a policy. */
function readContent(field: Field, value: unknown): Values | undefined {
  // A value that is not known yet is a text too, also of a row of lists.
  const isText = typeof value === "string" && !hasUnknown(value) && field.schema.safeParse(value).success;
  const content = isText ? field.canonical(value) : undefined;
  return isRecord(content) ? content : undefined;
}

/** True where the row's own comparison says that the order of lists does not matter, also of those inside a map. */
function isWithoutOrder(field: Field, left: unknown, right: unknown): boolean {
  const tried = joined(left, right);
  return canonicalText(tried) !== canonicalText(reversed(tried)) && same(field, tried, reversed(tried));
}

/** Of each list the elements of both sides, once, and one more where that is not enough to have an order. */
function joined(left: unknown, right: unknown): unknown {
  if (Array.isArray(left) || Array.isArray(right)) {
    const all = [left, right].flat().filter((element) => element !== undefined);
    // What is not known yet has its place in a list all the same.
    const known = all.map((element) => (hasUnknown(element) ? "unknown" : element));
    const unlike = [...new Map(known.map((element) => [canonicalText(element), element])).values()];
    return unlike.length > 1 ? unlike : [...unlike, "one more"];
  }
  if (!isRecord(left) && !isRecord(right)) return left ?? right;
  const [olds, news] = [left, right].map((side) => (isRecord(side) ? side : undefined));
  const names = [...new Set([...Object.keys(olds ?? {}), ...Object.keys(news ?? {})])];
  return Object.fromEntries(names.map((name) => [name, joined(own(olds, name), own(news, name))]));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reversed(member)]));
}

function ordered(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const withTexts = value.map((element: unknown) => [canonicalText(element), element] as const);
  return withTexts.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, element]) => element);
}
