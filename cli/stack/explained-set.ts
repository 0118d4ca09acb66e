import type { Definition, Members, Values } from "../../provider/core/definition";
import { DEFAULTS } from "../../provider/core/members";
import { step, stepsOf } from "../../provider/core/property-path";
import type { ShownChange } from "./property-changes";
import { rootOf } from "./property-paths";
import { isBookkeeping, resourceChanges } from "./resource-changes";
import { shownRecords } from "./shown-records";

/** What a preview changes, and what it reports without showing it. */
export interface Explained {
  readonly changes: readonly ShownChange[];
  readonly unexplained: readonly string[];
}

/** A step of a preview that changes a set. */
interface SetStep {
  readonly old?: { readonly inputs?: Values | undefined; readonly outputs?: Values | undefined } | undefined;
  readonly new?: { readonly inputs?: Values | undefined } | undefined;
  /** Properties that differ, and their paths where the provider says them. */
  readonly differing: readonly string[];
  readonly paths: readonly string[];
  /** The changes that the inputs show. */
  readonly found: readonly ShownChange[];
}

/** Adds what another hand changed: that is in the outputs, and a record that only the server has in neither. */
export function explainedSet(definition: Definition, members: Members, given: SetStep): Explained {
  const { found, differing, paths } = given;
  const isInside = (path: string) => [members.property, DEFAULTS].includes(rootOf(path));
  const said = paths.filter((path) => isInside(path) && stepsOf(path).length > 1);
  const isShown = (name: string) =>
    found.some(({ path }) => rootOf(path) === name || (isInside(path) && isInside(name)));
  const reported = said.length > 0 ? said : differing.filter((name) => isInside(name) && !isShown(name));
  const open = lacking(members, reported, found);
  const openPlaces = new Set(open.map((path) => placeOf(members, path)));
  const onServer = (open.length > 0 ? serverChanges(definition, members, given) : []).filter(
    (change) => said.length === 0 || placesOf(members, change).some((place) => openPlaces.has(place)),
  );
  const left = said.length === 0 && onServer.length > 0 ? [] : lacking(members, open, onServer);
  const known = [given.old?.outputs, given.old?.inputs, given.new?.inputs].map((values) =>
    shownRecords(definition, members, values ?? {}),
  );
  const isUnmanaged = (path: string) => {
    const [root, name = "", ...rest] = stepsOf(path);
    return root === members.property && name !== "" && rest.length === 0 && !known.some((all) => all.has(name));
  };
  const unmanaged = left.filter(isUnmanaged).map((path): ShownChange => ({ path, isRemoved: true }));
  const others = differing.filter((name) => !isInside(name) && !isBookkeeping(name) && !isShown(name));
  return {
    changes: [...found, ...onServer, ...unmanaged],
    unexplained: [...others, ...left.filter((path) => !isUnmanaged(path))],
  };
}

/** What is recorded of the set, compared with what the program says. */
function serverChanges(definition: Definition, members: Members, { old, new: next }: SetStep): readonly ShownChange[] {
  const [outputs, inputs] = [old?.outputs ?? {}, next?.inputs ?? {}].map((values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(definition.fields, name))),
  );
  return resourceChanges(definition, outputs, inputs).filter(({ path }) =>
    [members.property, DEFAULTS].includes(rootOf(path)),
  );
}

/** Those of the paths that no change is at. */
function lacking(members: Members, paths: readonly string[], changes: readonly ShownChange[]): string[] {
  const shown = new Set(changes.flatMap((change) => placesOf(members, change)));
  return paths.filter((path) => !shown.has(placeOf(members, path)));
}

/** The property of a record, or of the defaults, that a path leads into. */
function placeOf({ property }: Members, path: string): string {
  const steps = stepsOf(path);
  return JSON.stringify(steps.slice(0, steps[0] === property ? 3 : 2));
}

function placesOf(members: Members, { path, records = [] }: ShownChange): string[] {
  const own = stepsOf(path).at(rootOf(path) === DEFAULTS ? 1 : 2);
  const ofRecords = records.map((name) => `${members.property}${step(name)}${own === undefined ? "" : step(own)}`);
  return [path, ...ofRecords].map((each) => placeOf(members, each));
}
