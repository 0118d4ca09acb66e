import { randomUUID } from "node:crypto";
import type { Tables } from "../data/tables";
import { compareBytes } from "../framework/go-format";
import type { PeeringToken } from "./peering-token";

/** What Consul keeps about one peering. Fields that a role or state does not have are zero values. */
export interface PeeringRecord extends PeeringSecrets {
  readonly id: string;
  readonly name: string;
  /** `""` in the community edition, which has none. */
  readonly partition: string;
  /** As it is stored. ACTIVE and FAILING are what a read makes of its stream. */
  readonly state: "PENDING" | "ESTABLISHING" | "DELETING" | "TERMINATED";
  readonly deletedMs?: number;
  readonly meta: Readonly<Record<string, string>>;
  readonly peerId: string;
  readonly peerCaPems: readonly string[];
  readonly peerServerName: string;
  readonly peerServerAddresses: readonly string[];
  /** Dialled instead of the server addresses; never shown. */
  readonly manualServerAddresses: readonly string[];
  readonly remote: PeeringToken["Remote"];
  readonly createIndex: number;
  readonly modifyIndex: number;
}

export interface PeeringSecrets {
  /** The secret of an acceptor's newest token, until it is used. */
  readonly establishmentSecret: string;
  /** The secret that the acceptor gave for it, until the dialer opens the stream with it. */
  readonly pendingStreamSecret: string;
  /** The secret that both sides use from then on. */
  readonly streamSecret: string;
}

export type PeeringFields = Omit<PeeringRecord, "createIndex" | "modifyIndex">;

export type PeeringPlace = Pick<PeeringRecord, "name" | "partition">;

export interface PeeringStore {
  /** Names are looked up in lower case. */
  find(place: PeeringPlace): PeeringRecord | undefined;
  withId(id: string): PeeringRecord | undefined;
  list(partition?: string): readonly PeeringRecord[];
  /** The index of the newest change to any record, removals included. */
  tableIndex(): number;
  /** Stores a record under a new index and answers it. */
  write(fields: PeeringFields): PeeringRecord;
  /** Changes the secrets of a record. The indexes stay. */
  keepSecrets(record: PeeringRecord, secrets: Partial<PeeringSecrets>): void;
  remove(record: PeeringRecord): void;
  /** Resolves when a record changes or the signal fires, whichever is first. */
  nextChange(signal: AbortSignal): Promise<void>;
}

/** The index of a new cluster before its first peering, close to that of a real one. */
export const firstIndex = 30;

export function createPeeringStore(tables: Tables): PeeringStore {
  const records = tables.open<PeeringRecord>("cluster/peerings");
  const indexes = tables.open<number>("cluster/indexes");
  const waiting = new Set<() => void>();
  const newest = () => indexes.get("peering");
  const nextIndex = () => (newest() ?? firstIndex) + 1;

  function changed(index: number): void {
    indexes.set("peering", index);
    for (const wake of [...waiting]) wake();
  }

  return {
    find: (place) => records.get(keyOf(place)),
    withId: (id) => [...records.values()].find((record) => record.id === id),
    list: (partition) =>
      [...records.values()]
        .filter((record) => partition === undefined || record.partition === partition)
        .sort((a, b) => compareBytes(a.name, b.name)),
    tableIndex: () => newest() ?? 1,
    write(fields) {
      const key = keyOf(fields);
      const modifyIndex = nextIndex();
      const record = { ...fields, createIndex: records.get(key)?.createIndex ?? modifyIndex, modifyIndex };
      records.set(key, record);
      changed(modifyIndex);
      return record;
    },
    keepSecrets: (record, secrets) => void records.set(keyOf(record), { ...record, ...secrets }),
    remove(record) {
      if (records.delete(keyOf(record))) changed(nextIndex());
    },
    nextChange: (signal) =>
      new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        if (signal.aborted) return resolve();
        waiting.add(wake);
        signal.addEventListener("abort", wake);
      }),
  };
}

function keyOf({ name, partition }: PeeringPlace): string {
  return `${partition}/${name.toLowerCase()}`;
}

const noSecrets = { establishmentSecret: "", pendingStreamSecret: "", streamSecret: "" } as const;

const emptyPeering = {
  meta: {},
  peerId: "",
  peerCaPems: [],
  peerServerName: "",
  peerServerAddresses: [],
  manualServerAddresses: [],
  remote: { Partition: "", Datacenter: "", Locality: null },
  ...noSecrets,
} as const satisfies Partial<PeeringFields>;

export function newPeering({ name, partition }: PeeringPlace): PeeringFields {
  return { ...emptyPeering, id: randomUUID(), name, partition, state: "PENDING" };
}

/** A peering marked for deletion. Its name is spelled as in the request. */
export function markedPeering(
  record: PeeringRecord,
  { typedName, deletedMs }: { typedName: string; deletedMs: number },
): PeeringFields {
  const { id, partition, peerServerAddresses, manualServerAddresses, remote } = record;
  const kept = { id, partition, peerServerAddresses, manualServerAddresses, remote };
  return { ...emptyPeering, ...kept, name: typedName, state: "DELETING", deletedMs };
}

/** Ends a peering that the other side has ended. One that is being deleted stays as it is. */
export function markTerminated(store: PeeringStore, id: string): void {
  const record = store.withId(id);
  if (record === undefined || record.state === "DELETING" || record.state === "TERMINATED") return;
  store.write({ ...record, state: "TERMINATED" });
}

/** Where a peering dials: external addresses leave the servers' own out. */
export function dialledAddresses(record: PeeringRecord): readonly string[] {
  return record.manualServerAddresses.length > 0 ? record.manualServerAddresses : record.peerServerAddresses;
}

/** A peering dials if it knows where to; being deleted does not change its role. */
export function isDialer(record: PeeringRecord): boolean {
  return dialledAddresses(record).length > 0;
}
