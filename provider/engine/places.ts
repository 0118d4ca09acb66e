import type { Values } from "../core/definition";
import { fill } from "../core/template";
import type { Operation } from "./operation";
import { serverKeys } from "./run-notes";

/** The paths above a record, and what a part of it is bound to. */
export function placesOf({ definition }: Operation, values: Values): readonly string[] {
  const segments = fill(definition.read.path, values).split("/").slice(0, -1);
  const above = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  return [...above, ...[definition.attached?.boundTo(values) ?? []].flat()];
}

/** Paths of the server, as the notes of a run have them. */
export function placeKey(operation: Operation, ...paths: readonly string[]): string {
  return JSON.stringify([...(serverKeys(operation, {})[0] ?? []), ...paths]);
}
