import { randomUUID } from "node:crypto";
import { compareBytes } from "../framework/go-format";
import type { PeeringToken } from "./peering-token";

/** What Consul keeps about one peering; zero values stand for what a role or state does not have. */
export interface PeeringRecord {
  readonly id: string;
  readonly name: string;
  readonly state: "PENDING" | "DELETING";
  readonly deletedAt?: Date;
  readonly meta: Readonly<Record<string, string>>;
  readonly peerId: string;
  readonly peerCaPems: readonly string[];
  readonly peerServerName: string;
  readonly peerServerAddresses: readonly string[];
  /** Dialled instead of the server addresses; never shown (reference B.7). */
  readonly manualServerAddresses: readonly string[];
  readonly remote: PeeringToken["Remote"];
  /** Of the token: an acceptor's newest unused one, a dialer's last one. */
  readonly establishmentSecret: string;
  readonly createIndex: number;
  readonly modifyIndex: number;
}

export type PeeringFields = Omit<PeeringRecord, "createIndex" | "modifyIndex">;

export interface PeeringStore {
  /** Names are looked up in lower case (reference B.4). */
  find(name: string): PeeringRecord | undefined;
  list(): readonly PeeringRecord[];
  /** The index of the newest change to any record, removals included. */
  tableIndex(): number;
  /** Stores a record under a new index and answers it. */
  write(fields: PeeringFields): PeeringRecord;
  /** Marks a record as being deleted and removes it after the delay; one already marked stays as it is. */
  markDeleted(record: PeeringRecord, mark: { typedName: string; at: Date }): void;
  /** Resolves when a record changes or the signal fires, whichever is first. */
  nextChange(signal: AbortSignal): Promise<void>;
}

/** What the indexes of a new cluster have reached before its first peering; the real ones begin near there. */
export const firstIndex = 30;

export function createPeeringStore({ deleteDelayMs }: { deleteDelayMs: number }): PeeringStore {
  const records = new Map<string, PeeringRecord>();
  const waiting = new Set<() => void>();
  let index = firstIndex;
  let tableIndex = 1;

  function changed(): number {
    index += 1;
    tableIndex = index;
    for (const wake of [...waiting]) wake();
    return index;
  }

  function write(fields: PeeringFields): PeeringRecord {
    const key = fields.name.toLowerCase();
    const modifyIndex = index + 1;
    const record = { ...fields, createIndex: records.get(key)?.createIndex ?? modifyIndex, modifyIndex };
    records.set(key, record);
    changed();
    return record;
  }

  return {
    write,
    find: (name) => records.get(name.toLowerCase()),
    list: () => [...records.values()].sort((a, b) => compareBytes(a.name, b.name)),
    tableIndex: () => tableIndex,
    markDeleted(record, { typedName, at }) {
      if (record.state === "DELETING") return;
      const { id, peerServerAddresses, manualServerAddresses, remote } = record;
      const kept = { id, peerServerAddresses, manualServerAddresses, remote };
      const marked = write({ ...emptyPeering, ...kept, name: typedName, state: "DELETING", deletedAt: at });
      const remove = () => {
        records.delete(marked.name.toLowerCase());
        changed();
      };
      // Without a delay nobody sees the marked record, so what a client then sends does not depend on its speed.
      if (deleteDelayMs === 0) remove();
      else setTimeout(remove, deleteDelayMs).unref();
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

const emptyPeering = {
  meta: {},
  peerId: "",
  peerCaPems: [],
  peerServerName: "",
  peerServerAddresses: [],
  manualServerAddresses: [],
  remote: { Partition: "", Datacenter: "", Locality: null },
  establishmentSecret: "",
} as const satisfies Partial<PeeringFields>;

export function newPeering(name: string): PeeringFields {
  return { ...emptyPeering, id: randomUUID(), name, state: "PENDING" };
}

/** A peering dials if it knows where to; being deleted does not change its role (reference B.5). */
export function isDialer(record: PeeringRecord): boolean {
  return record.peerServerAddresses.length > 0 || record.manualServerAddresses.length > 0;
}
