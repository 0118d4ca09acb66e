import { randomUUID } from "node:crypto";
import type { Tables } from "../data/tables";
import type { Backend, BackendOptions } from "../framework/backend";
import { createStorage, type Storage } from "../framework/storage";
import { createMount, type Mount, type MountKind } from "../secrets/mount-table";

export interface CatalogEntry {
  readonly runningVersion: string;
  create(options: BackendOptions): Backend;
}

/** What `sys/mounts` and `sys/auth` can enable, by type. An engine and a method may have one name. */
export type EngineCatalog = Readonly<Record<MountKind, ReadonlyMap<string, CatalogEntry>>>;

export interface Enabled extends Partial<Mount> {
  readonly kind: MountKind;
  readonly path: string;
  readonly type: string;
}

interface Making {
  readonly now: () => Date;
  readonly tables: Tables;
}

/** A mount of a catalogue type with a storage of its own; `undefined` when there is no such type. */
export function mountFromCatalog(
  catalog: EngineCatalog,
  { now, tables, uuid = randomUUID(), ...wanted }: Enabled & Making,
): Mount | undefined {
  const entry = catalog[wanted.kind].get(wanted.type);
  if (entry === undefined) return undefined;
  const storage = storageOf(tables, uuid);
  return createMount({
    ...wanted,
    uuid,
    runningVersion: entry.runningVersion,
    storage,
    backend: entry.create({ storage, now }),
  });
}

/** The storage of the mount with this UUID or name. */
export function storageOf(tables: Tables, uuid: string): Storage {
  return createStorage(tables.open(`secrets/storage/${uuid}`));
}
