import type { Definition, Values, WireRecord } from "../../core/definition";
import { isRecord } from "../../core/unknowns";

/** How a config entry of a kind is written, read and deleted. `place` is the part of its path behind the kind. */
export function configEntry(kind: string, place: string) {
  const path = `v1/config/${kind}/${place}`;
  const write = {
    method: "PUT",
    path: "v1/config",
    sends: "everything",
    layout: (members: WireRecord) => ({ Kind: kind, ...members }),
  } as const;
  return {
    create: write,
    update: write,
    read: { path },
    delete: { method: "DELETE", path },
  } as const satisfies Pick<Definition, "create" | "update" | "read" | "delete">;
}

/** The records in a list of a record. A value that is not known yet is none. */
export function recordsAt(record: Values, name: string): readonly (readonly [index: number, record: Values])[] {
  const list = record[name];
  return (Array.isArray(list) ? list : []).flatMap((each: unknown, index) => (isRecord(each) ? [[index, each]] : []));
}
