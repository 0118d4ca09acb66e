import { dialects } from "../dialects";
import type { Dialect, ShownMount } from "../dialects/dialect";
import type { Operation } from "./operation";
import { placeKey } from "./run-notes";

/** Of a list of mounts: what it shows, or why it cannot be read. */
export type ShownMounts = readonly ShownMount[] | { readonly unknown: string };

/** Takes note of a list that was read for the sake of a mount in it. */
export function noteMounts(operation: Operation, list: string, record: unknown): void {
  const { mounts }: Dialect = dialects[operation.definition.dialect];
  if (operation.definition.moves && mounts)
    operation.run.mounts.set(placeKey(operation, list), Promise.resolve(mounts.in(list, record)));
}
