import { kinds } from "./kinds.ts";
import type { Life } from "./life.ts";
import { placesIn, placesOf } from "./owners.ts";
import type { Declaration } from "./program.ts";
import type { RunFailed } from "./pulumi.ts";

/** What is to be made where the state has another of its mounts, under a name that is an alias in vain. */
export function pathTaken({ program, stack, records }: Life, { step }: RunFailed): Declaration | undefined {
  const one = program.declarations.find((each) => program.urnOf(each) === step.urn);
  const places = one ? placesIn(kinds[one.kind], program.argsOf(one), records) : [];
  const isTaken = stack.entries.some(
    (entry) => entry.urn !== step.urn && placesOf(entry, records).some((place) => places.includes(place)),
  );
  return isTaken && stack.entry(step.urn) ? one : undefined;
}
