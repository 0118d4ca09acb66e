import { recordsUnlike } from "./checks.ts";
import type { Entry } from "./entry.ts";
import { kinds } from "./kinds.ts";
import type { Life } from "./life.ts";
import { placesIn, placesOf } from "./owners.ts";
import { type Declaration, nameIn, typeIn } from "./program.ts";
import type { RunFailed } from "./pulumi.ts";

// What a program finds in the place of its records, and what its user says to it.

/** Records that are as the program does not say, and that the state does not have by a name of the program's; of a rebuilt server, all. */
export function othersOf(life: Life, { step }: RunFailed): readonly string[] {
  const { program, records, strangers, stack, world } = life;
  // The deletion of a replacement is refused under the name that the state has.
  const one = program.declarations.find((each) => program.urnsOf(each).includes(step.urn));
  if (one === undefined) return [];
  const own = ownEntry(life, one);
  const elsewhere = stack.entries.filter((entry) => entry !== own).flatMap((entry) => placesOf(entry, records));
  const isOthers = (place: string) =>
    strangers.has(place) || elsewhere.includes(place) || isRemade(life, place) || world.isAcknowledged;
  return recordsUnlike(program, one, records).filter(isOthers);
}

/** Where the server has what the program wants, and the state not, under the name that the program says. */
export function newPlaces(life: Life, { step }: RunFailed): readonly string[] {
  const { program, records } = life;
  const one = program.declarations.find((each) => program.urnsOf(each).includes(step.urn));
  const own = one && ownEntry(life, one);
  const had = own ? placesOf(own, records) : [];
  return one ? placesIn(kinds[one.kind], program.argsOf(one), records).filter((place) => !had.includes(place)) : [];
}

/** What Pulumi takes for the state of a resource. */
function ownEntry({ program, stack }: Life, one: Declaration): Entry | undefined {
  return program.urnsOf(one).flatMap((urn) => stack.entry(urn) ?? [])[0];
}

/** What the state has of a new resource's record under a name that the program does not say, and could. */
export function entryElsewhere(life: Life, { step }: RunFailed): Entry | undefined {
  const { program, records, stack } = life;
  const one = program.declarations.find((each) => program.urnOf(each) === step.urn);
  // An alias of what the state has under the new name, too, is not looked at.
  if (one === undefined || ownEntry(life, one) !== undefined) return undefined;
  const places = placesIn(kinds[one.kind], program.argsOf(one), records);
  return stack.entries.find(
    (entry) =>
      typeIn(entry.urn) === typeIn(step.urn) && placesOf(entry, records).some((place) => places.includes(place)),
  );
}

export function sayName(life: Life, failure: RunFailed): void {
  const { program } = life;
  const entry = entryElsewhere(life, failure);
  const one = program.declarations.find((each) => program.urnOf(each) === failure.step.urn);
  if (entry && one) program.change(one.number, { aliases: [...one.aliases, nameIn(entry.urn)] });
}

/** A name that the stack has is said; what is nobody's the user has seen, and wants as he says. */
export function takeOver(life: Life, failure: RunFailed): void {
  const { world } = life;
  if (entryElsewhere(life, failure)) sayName(life, failure);
  else world.variables = { ...world.variables, TRUSTPLANE_TAKE_OVER: "always" };
}

/** The program's key is dead where the server has rotated it; another one is of whoever had the mount before. */
export function sayWhoseKey({ program, dead }: Life, { message }: RunFailed): void {
  const [, mount] = /(?:cloud\.RootConfig|trustplane_cloud_root_config) "([^"]+)"/.exec(message) ?? [];
  for (const one of program.declarations) {
    if (one.kind !== "rootConfig" || program.argsOf(one)["mount"] !== mount) continue;
    const rotatedByServer = dead.has(String(program.argsOf(one)["accessKey"]));
    program.change(one.number, { values: { ...one.values, rotatedByServer } });
  }
}

/** Another hand has made it anew, which a refresh tells a preview, and no state yet. */
function isRemade({ remade, drifted }: Life, place: string): boolean {
  return remade.has(place) && drifted.has(place);
}

/** Of what is to be made, and is there as somebody else's: on a rebuilt server that is everything. */
export function inTheWay(life: Life, { step }: RunFailed): Declaration | undefined {
  const { program, records, world } = life;
  const isOthers = (place: string) => isRemade(life, place) || world.isAcknowledged;
  return program.declarations.find(
    (one) =>
      program.urnsOf(one).includes(step.urn) &&
      placesIn(kinds[one.kind], program.argsOf(one), records).some(
        (place) => records[place] !== undefined && isOthers(place),
      ),
  );
}
