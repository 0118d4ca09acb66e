import { step, stepsOf } from "../../../provider/core/property-path";
import { type Alike, alike, firstOf } from "../../text/lists";
import type { PropertyDrift, ResourceReport } from "./report";

/** A property that differs, in several records of a set. The path is that of the first one. */
export interface FoldedDrift extends PropertyDrift {
  readonly records?: readonly string[];
}

/** Resources that differ in the same way, together. Each that is missing or could not be read is alone. */
export function alikeResources(resources: readonly ResourceReport[]): readonly Alike<ResourceReport>[] {
  return alike(resources, ({ urn, status, type, properties, writeOnly, ignored }) =>
    status === "missing" || status === "unknown" || ignored ? urn : [type, status, properties, writeOnly],
  );
}

/** The names of resources that differ in the same way: the first ones, and how many more there are. */
export function firstNames(resources: Alike<ResourceReport>): string {
  return firstOf(resources.map(({ name }) => name));
}

/** The properties of a resource that differ. What several records of a set have in common is there once. */
export function foldedDrifts(properties: readonly PropertyDrift[]): readonly FoldedDrift[] {
  const relative = (drift: PropertyDrift) => {
    const [root = "", name = "", ...inside] = stepsOf(drift.property);
    // Only a set has paths here, and a whole record is named for itself.
    if (inside.length === 0) return drift;
    const start = root + step(name);
    const changes = drift.changes.map((change) => ({ ...change, path: change.path.slice(start.length) }));
    return { ...drift, property: [root, inside], changes };
  };
  return alike(properties, relative).map(([first, ...others]): FoldedDrift => {
    if (others.length === 0) return first;
    return { ...first, records: [first, ...others].map(({ property }) => stepsOf(property)[1] ?? "") };
  });
}
