import type { Table, Tables } from "../data/tables";
import { notFound } from "./json-api";
import { randomId } from "./random-id";

interface Version {
  readonly id: string;
  readonly policySet: string;
  readonly createdAt: string;
  /** When its policies were uploaded. Nobody looks into them. */
  readonly readyAt?: string;
}

/** Versions of policy sets. */
export interface VersionStore {
  create(policySet: string): string;
  /** Notes that the policies of a version were uploaded. Throws JsonApiRefusal 404, as does `document`. */
  upload(id: string): void;
  /** The latest of these whose policies were uploaded. */
  current(ids: readonly string[]): string | undefined;
  /** The record as the API shows it. Until its policies are there it has a link to upload them, on this server. */
  document(id: string, origin: string): Record<string, unknown>;
}

export function createVersionStore({ clock, tables }: { clock: () => Date; tables: Tables }): VersionStore {
  const versions: Table<Version> = tables.open("policy/versions");
  const now = () => clock().toISOString();

  function read(id: string): Version {
    const version = versions.get(id);
    if (version === undefined) throw notFound();
    return version;
  }

  return {
    create(policySet) {
      const id = randomId("polsetver");
      versions.set(id, { id, policySet, createdAt: now() });
      return id;
    },
    upload: (id) => void versions.set(id, { ...read(id), readyAt: now() }),
    current: (ids) => ids.findLast((id) => versions.get(id)?.readyAt !== undefined),
    document(id, origin) {
      const { policySet, createdAt, readyAt } = read(id);
      return {
        id,
        type: "policy-set-versions",
        attributes: {
          source: "tfe-api",
          status: readyAt === undefined ? "pending" : "ready",
          "status-timestamps": readyAt === undefined ? {} : { "ready-at": readyAt },
          error: null,
          "created-at": createdAt,
          "updated-at": readyAt ?? createdAt,
        },
        relationships: { "policy-set": { data: { id: policySet, type: "policy-sets" } } },
        links: {
          self: `/api/v2/policy-set-versions/${id}`,
          ...(readyAt === undefined ? { upload: `${origin}/uploads/${id}` } : {}),
        },
      };
    },
  };
}
