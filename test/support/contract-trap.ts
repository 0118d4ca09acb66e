import { expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { cases } from "../contract/cases/index.ts";
import { patched, type ResourceCase } from "./contract-case.ts";
import type { ResourceName } from "./contract-host.ts";
import { closeServersAfterwards } from "./contract-servers.ts";
import { openSubject, type Subject } from "./contract-subject.ts";

/** A trap of the reference, by its number there, and a test that we do not step into it. */
export interface Trap {
  readonly number: number;
  readonly title: string;
  readonly test: () => Promise<void> | void;
}

export function trap(number: number, title: string, test: Trap["test"]): Trap {
  return { number, title, test };
}

/** Runs the tests of the traps, one by its number and title. */
export function testTraps(list: string, traps: readonly Trap[]): void {
  closeServersAfterwards();
  for (const { number, title, test } of traps) it(`${list}, trap ${number}: ${title}`, test);
}

/** A subject through the engine. A trap for which it matters what a host keeps is a test of the suite, too. */
export function subjectOf(resource: ResourceName): Promise<Subject> {
  // The names of both tables agree, which the type of `cases` checks; here any of them is meant.
  const of = cases[resource] as unknown as ResourceCase;
  return openSubject({ resource, host: "engine", of });
}

/** Writes `one` and finds that `other` is no change, before and after a refresh. */
export async function expectSame(
  resource: ResourceName,
  one: Values,
  other: Values,
  base: "full" | "minimal" = "full",
) {
  const subject = await subjectOf(resource);
  const { stack, ground } = subject;
  const [first, second] = [patched(ground[base], one), patched(ground[base], other)];
  await stack.up(first);
  expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.preview(first)).toEqual({ step: "same", replaces: [] });
  expect(await stack.preview(second)).toEqual({ step: "same", replaces: [] });
  return subject;
}

/** What the server has after these arguments were written, one after the other. */
export async function storedAfter(
  resource: ResourceName,
  ...runs: readonly [Values, ...Values[]]
): Promise<{ readonly subject: Subject; readonly stored: Values }> {
  const subject = await subjectOf(resource);
  for (const patch of runs) await subject.stack.up(patched(subject.ground.full, patch));
  return { subject, stored: await recordOf(subject) };
}

export async function recordOf(subject: Subject): Promise<Values> {
  const [record] = (await subject.stored()) as readonly Values[];
  if (record === undefined) throw new Error("there is no record");
  return record;
}

/** The reasons with which arguments are refused, by property. */
export async function refusalOf(resource: ResourceName, patch: Values): Promise<Readonly<Record<string, string>>> {
  const { stack, ground, world } = await subjectOf(resource);
  const error = await stack.up(patched(ground.full, patch)).catch((reason: unknown) => reason);
  expect(world.traffic.seen().filter(({ method }) => method !== "GET")).toEqual([]);
  const failures = error instanceof Error && "failures" in error ? (error.failures as readonly Failure[]) : [];
  return Object.fromEntries(failures.map(({ property, reason }) => [property, reason]));
}

interface Failure {
  readonly property: string;
  readonly reason: string;
}
