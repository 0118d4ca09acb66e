import type { Definition, Values } from "../../../provider/core/definition";
import { fill, parse } from "../../../provider/core/template";
import { mountOf } from "../../../provider/engine/mount-type";
import { placeIn } from "../../stack/place";
import type { RecordedResource } from "../../stack/recorded-stack";
import type { ResourceReport } from "./report";

/** The resources of a stack as they are on the servers: what is in a mount went with one that another hand has moved. */
export type Follow = (resource: RecordedResource) => RecordedResource;

/** Follows the mounts that these reports say are at another path. */
export function followMoved(mounts: readonly RecordedResource[], reports: readonly ResourceReport[]): Follow {
  const places = new Map<string, string>();
  for (const mount of mounts) {
    const { definition, outputs } = mount;
    const moves = definition?.moves;
    const report = reports.find(({ urn }) => urn === mount.urn);
    const drift = report?.properties.find(({ property }) => property === moves?.property);
    if (!moves || drift?.actual === undefined) continue;
    places.set(keyOf(mount, fill(moves.within, outputs)), fill(moves.within, { [moves.property]: drift.actual }));
  }
  return (resource) => {
    const { definition, outputs } = resource;
    const place = definition && placeOf(definition, outputs);
    const now = place && places.get(keyOf(resource, place.path));
    if (!definition || !place || now === undefined) return resource;
    const values = parse(place.template, now);
    const moved = { ...outputs, ...values };
    const records = resource.records.map((record) => ({ ...record, outputs: { ...record.outputs, ...values } }));
    return { ...resource, id: fill(definition.id, moved), outputs: moved, records };
  };
}

/** The path of a mount, or of what a record is in. What is bound to one, as a group is, shows by itself where that is now. */
function placeOf(definition: Definition, outputs: Values) {
  const { moves, fields } = definition;
  if (moves) return { template: moves.within, path: fill(moves.within, outputs) };
  const mount = mountOf({ definition }, outputs);
  if (!mount || !(mount.mounted.property in fields)) return undefined;
  return { template: `${mount.mounted.within}{${mount.mounted.property}}`, path: mount.path };
}

/** A path, on the server of a resource. */
function keyOf({ provider, definition, outputs }: RecordedResource, path: string): string {
  const { connection = "" } = outputs;
  return JSON.stringify([provider, connection, definition && placeIn(definition, outputs), path]);
}
