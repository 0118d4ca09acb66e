import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { removalOf } from "../core/removal";
import { fill } from "../core/template";
import { type Operation, titleOf } from "./operation";
import { recordKey } from "./run";

/** What a plan does with a record, for a resource that has it in the state. */
type Fate = "stays" | "goes";

/** By record. Those that are only forgotten are not here: another resource loses nothing. */
export type Fates = Map<string, Fate>;

/** A record of a state, with its connection. */
type Side = readonly [Operation, Values];

/**
 * Refuses a plan that deletes a record for one resource while another one keeps it. A state has a record twice after a
 * run that was killed within a rename, or after a second import; the deletion comes in a process that knows of one alone.
 */
export function noteFates(fates: Fates, before: readonly Side[], after: readonly Side[]): void {
  const left = new Set(after.map(([operation, values]) => recordKey(operation, values)));
  for (const [operation, values] of before) {
    const key = recordKey(operation, values);
    if (key === undefined) continue;
    const fate = left.has(key) ? "stays" : "goes";
    if (fate === "goes" && removalOf(operation.definition, values) === undefined) continue;
    if ((fates.get(key) ?? fate) !== fate) throw refusal(operation, values);
    fates.set(key, fate);
  }
}

function refusal({ definition }: Operation, values: Values): ProviderError {
  const what = `the state has ${titleOf(definition, values)} (${fill(definition.id, values)}) under two addresses`;
  const why = "this plan keeps it for one of them, and would delete it for the other";
  const todo = "Take the address that the program does not need out of the state first, with `terraform state rm`";
  const otherwise = "or with a `removed` block that says `destroy = false`";
  return new ProviderError("InputError", `${what}: ${why}. ${todo}, ${otherwise}.`);
}
