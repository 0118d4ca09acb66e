import type { Backend, BackendOptions } from "../framework/backend";
import { createStorage } from "../framework/storage";
import { createMount, type Mount, type MountKind } from "../secrets/mount-table";

export interface CatalogEntry {
  readonly kind: MountKind;
  readonly runningVersion: string;
  create(options: BackendOptions): Backend;
}

/** What `sys/mounts` and `sys/auth` can enable, by type. */
export type EngineCatalog = ReadonlyMap<string, CatalogEntry>;

export interface Enabled extends Partial<Mount> {
  readonly kind: MountKind;
  readonly path: string;
  readonly type: string;
}

/** A new mount of a catalogue type with a storage of its own; `undefined` when there is no such type. */
export function mountFromCatalog(
  catalog: EngineCatalog,
  { now, ...wanted }: Enabled & { now: () => Date },
): Mount | undefined {
  const entry = catalog.get(wanted.type);
  if (entry === undefined || entry.kind !== wanted.kind) return undefined;
  const storage = createStorage();
  return createMount({
    runningVersion: entry.runningVersion,
    ...wanted,
    storage,
    backend: entry.create({ storage, now }),
  });
}
