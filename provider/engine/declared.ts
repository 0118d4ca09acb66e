import { isEmpty } from "../core/canonical";
import type { Definition, Values } from "../core/definition";
import type { Failure } from "../core/errors";
import { recordsIn, withRecords } from "../core/members";
import { step } from "../core/property-path";
import { removalOf } from "../core/removal";
import { INCOMPLETE } from "../core/state-names";
import { hasUnknown, UNKNOWN } from "../core/unknowns";
import { digest } from "./digest";
import { observe } from "./look";
import { bothBind, bothDeclare } from "./natural-id";
import type { Operation, Sides } from "./operation";
import type { Declaration, Declarer, Run } from "./run";
import {
  areDeleted,
  boundKeys,
  hasKnownPlace,
  naturalKeys,
  noteHeld,
  noteUnplaced,
  noteWanted,
  recordKeys,
} from "./run-notes";

/** A record that a check is about, or a part of one that is bound to something else. */
interface Wanted extends Pick<Declaration, "had" | "of"> {
  readonly record: Sides[number];
  readonly keys: readonly string[];
}

/**
 * Takes note of what a resource of the program wants. Answers what is wrong where another one wants the same record: the two
 * would undo each other's work in every run. What the state has for both stays as it is.
 */
export async function noteDeclaration(
  run: Run,
  definition: Definition,
  sidesOf: (values: Values) => Sides,
  {
    olds,
    inputs,
    declarer,
  }: { readonly olds: Values; readonly inputs: Values; readonly declarer?: Declarer | undefined },
): Promise<readonly Failure[]> {
  const { members } = definition;
  const isAsked = !hasUnknown(inputs["connection"]);
  const isNameKnown = members === undefined || inputs[members.property] !== UNKNOWN;
  if (!isAsked || !isNameKnown) noteUnplaced(run, [[members?.of ?? definition, UNKNOWN]]);
  if (!isAsked) return [];
  const news = sidesOf(inputs);
  noteWanted(run, news);
  const had = isEmpty(olds) ? [] : sidesOf(olds);
  return declarer ? declaredTwice(run, definition, { olds: had, news, declarer }) : [];
}

async function declaredTwice(
  run: Run,
  definition: Definition,
  { olds, news, declarer }: { readonly olds: Sides; readonly news: Sides; readonly declarer: Declarer },
): Promise<readonly Failure[]> {
  const before = new Set(olds.flatMap((side) => [...naturalKeys(...side), ...boundKeys(...side)]));
  const records = news
    .filter(([{ definition: one }, values]) => hasKnownPlace(one, values))
    .flatMap((record): Wanted[] => {
      const hadOf = (keys: readonly string[]) =>
        keys.some((key) => before.has(key)) ? "this" : isEmpty(olds) ? "nothing" : "another";
      const [keys, bound] = [naturalKeys(...record), boundKeys(...record)];
      const [of] = keys;
      const own = { record, keys, had: hadOf(keys) } as const;
      return of === undefined || bound.length === 0 ? [own] : [own, { record, keys: bound, had: hadOf(bound), of }];
    });
  // Another process that says the same at this moment sees it, too.
  for (const [had, those] of Map.groupBy(records, (one) => one.had))
    run.journal.note(
      `declares:${had}:${digest(declarer.by ?? "")}`,
      those.flatMap(({ keys }) => keys),
    );
  const isTold =
    toldIn(
      run,
      records.flatMap(({ keys }) => keys),
      declarer,
    ).length > 0;
  const twice: Failure[] = [];
  for (const { record, keys, had, of } of records) {
    const own = { ...declarer, had, of };
    const known = keys.map((key) => run.declared.get(key)).find((each) => each !== undefined);
    if (known === undefined) for (const key of keys) run.declared.set(key, own);
    const other = known ?? (isTold ? toldIn(run, keys, declarer)[0] : undefined);
    if (other === undefined || (had === "this" && other.had === "this") || (await isSame(record, own, other))) continue;
    const [{ definition: one }, values] = record;
    const { members, label } = definition;
    const part = of === undefined ? undefined : one.attached?.property;
    const property = part ?? (members ? members.property + step(String(values[members.name])) : label);
    // Children of two components can have one name.
    const isUnclear = own.name !== undefined && own.name === other.name;
    const names = isUnclear ? [own.by, other.by] : [own.name, other.name];
    twice.push({ property, reason: (part === undefined ? bothDeclare : bothBind)(one, values, names) });
  }
  const [first] = twice;
  if (first === undefined) return [];
  const more = twice.length === 1 ? "" : ` (and ${twice.length - 1} more like it)`;
  return [{ ...first, reason: first.reason + more }];
}

/**
 * Takes note of a resource of the program and the records of its state, of which `isChanged` says whether this run will write or
 * replace it. One that it does not want any more stays another's that has it: a run before this one has failed between the two.
 */
export function noteDeclared(olds: Sides, news: Sides, isChanged: (state: Values) => boolean): void {
  const own = new Set(news.flatMap((side) => naturalKeys(...side)));
  const [run, unchanged] = [olds[0]?.[0].run, [] as string[]];
  for (const [operation, state] of olds) {
    const { records, said } = operation.run;
    const keys = recordKeys(operation, state).filter((key) => records.get(key)?.by === undefined);
    if (!isChanged(state)) {
      for (const key of keys) records.set(key, { isUnchanged: true, state });
      unchanged.push(...keys);
      continue;
    }
    const names = naturalKeys(operation, state);
    const isAnothers = !names.some((name) => own.has(name)) && said.has("wants", names);
    for (const key of keys) {
      if (!isAnothers) records.delete(key);
      // This run comes to the other one later.
      else if (said.hadBefore("stays", [key])) records.set(key, { isUnchanged: true });
    }
    noteHeld(operation, state);
  }
  if (unchanged.length === 0) return;
  run?.journal.note("has", unchanged);
  run?.said.note("stays", unchanged);
}

/**
 * A state, in which a record is marked that this run has deleted before it came to the resource: in a run without a preview, for
 * another resource that had it, too.
 */
export function withDeleted(operation: Operation, olds: Values): Values {
  const { definition } = operation;
  const { members, parts } = definition;
  if (!members) return !parts && areDeleted([[operation, olds]]) ? { ...olds, [INCOMPLETE]: true } : olds;
  const one = { ...operation, definition: members.of };
  const records = [...recordsIn(definition, members, olds)];
  if (!areDeleted(records.map(([, record]) => [one, record]))) return olds;
  const marked = ([name, record]: [string, Values]): [string, Values] =>
    areDeleted([[one, record]]) ? [name, { ...record, [INCOMPLETE]: true }] : [name, record];
  return withRecords(definition, members, olds, new Map(records.map(marked)));
}

/** Takes note of a resource of the program that was compared with the state. */
export function noteCompared(run: Run, sides: Sides, compared: "same" | "differs"): void {
  for (const key of sides.flatMap((side) => naturalKeys(...side))) {
    const known = run.declared.get(key);
    if (known) known.compared ??= compared;
  }
}

/**
 * A resource that is made anew is checked twice, the second time as one that is new. Where the host is not told which it is,
 * it may be that one: also one that is as the state has it, which a run before this one has deleted and not made again.
 */
async function isSame([operation, values]: Sides[number], own: Declaration, other: Declaration): Promise<boolean> {
  // Of a record with two resources is said that, and nothing of its part.
  if (own.of !== undefined && other.of !== undefined) return own.of === other.of;
  if (own.by !== undefined || other.by !== undefined) return own.by === other.by;
  if (own.had !== "nothing" || (other.had === "nothing" && !other.compared)) return false;
  if (other.had === "nothing" || other.compared !== "same" || !removalOf(operation.definition, values)) return true;
  return observe(operation, values).then(
    (record) => record === undefined,
    () => true,
  );
}

/** What other processes of the run have said of these records. */
function toldIn({ journal }: Run, keys: readonly string[], { by = "" }: Declarer): readonly Declaration[] {
  const told = [...journal.told(keys)].map((entry) => entry.split(":"));
  return told
    .filter(([entry, , whose]) => entry === "declares" && whose !== digest(by))
    .map(([, had, whose]) => ({ had: had as Declaration["had"], by: whose }));
}
