import type { Definition, Values } from "../../../provider/core/definition";
import { fill, parse } from "../../../provider/core/template";
import { mountOf } from "../../../provider/engine/mount-type";
import { placeIn } from "../../stack/place";
import type { StateStep } from "../../stack/state";
import type { ResourceReport } from "./report";

/** The resources of a stack as they are on the servers: what is in a mount went with one that another hand has moved. */
export type Follow = (step: StateStep) => StateStep;

/** Follows the mounts that these reports say are at another path. */
export function followMoved(mounts: readonly StateStep[], reports: readonly ResourceReport[]): Follow {
  const places = new Map<string, string>();
  for (const mount of mounts) {
    const { definition } = mount;
    const moves = definition?.moves;
    const report = reports.find(({ urn }) => urn === mount.urn);
    const drift = report?.properties.find(({ property }) => property === moves?.property);
    if (!moves || drift?.actual === undefined) continue;
    const { recorded } = mount.values();
    places.set(
      keyOf(mount, recorded, fill(moves.within, recorded)),
      fill(moves.within, { [moves.property]: drift.actual }),
    );
  }
  return (step) => {
    const { definition } = step;
    if (!definition || places.size === 0) return step;
    const values = step.values();
    const place = placeOf(definition, values.recorded);
    const now = place && places.get(keyOf(step, values.recorded, place.path));
    if (!place || now === undefined) return step;
    const there = parse(place.template, now);
    const recorded = { ...values.recorded, ...there };
    const records = values.records.map((record) => ({ ...record, recorded: { ...record.recorded, ...there } }));
    return { ...step, id: fill(definition.id, recorded), values: () => ({ ...values, recorded, records }) };
  };
}

/** The path of a mount, or of what a record is in. What is bound to one, as a group is, shows by itself where that is now. */
function placeOf(definition: Definition, recorded: Values) {
  const { moves, fields } = definition;
  if (moves) return { template: moves.within, path: fill(moves.within, recorded) };
  const mount = mountOf({ definition }, recorded);
  if (!mount || !(mount.mounted.property in fields)) return undefined;
  return { template: `${mount.mounted.within}{${mount.mounted.property}}`, path: mount.path };
}

/** A path, on the server of a resource. */
function keyOf({ provider, definition }: StateStep, recorded: Values, path: string): string {
  const { connection = "" } = recorded;
  return JSON.stringify([provider, connection, definition && placeIn(definition, recorded), path]);
}
