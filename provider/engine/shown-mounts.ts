import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import type { Operation } from "./operation";
import { placeKey } from "./run-notes";

/** Takes note of a list that was read for the sake of a mount in it. */
export function noteMounts(operation: Operation, list: string, record: unknown): void {
  const { mounts }: Dialect = dialects[operation.definition.dialect];
  if (operation.definition.moves && mounts)
    operation.run.mounts.set(placeKey(operation, list), Promise.resolve(mounts.in(list, record)));
}
