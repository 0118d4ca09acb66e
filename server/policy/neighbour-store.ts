import type { Table, Tables } from "../data/tables";
import { invalidAttribute, JsonApiRefusal, notFound } from "./json-api";
import { randomId } from "./random-id";

/** The kinds of records that policy sets live in or refer to, and how the id of each begins. */
const idPrefixes = {
  organizations: "",
  workspaces: "ws",
  projects: "prj",
  policies: "pol",
  "sentinel-versions": "tool",
} as const;

export type NeighbourType = keyof typeof idPrefixes;

/** A record of another API that is only there to be referred to: it keeps what it was made with, and does nothing. */
export interface Neighbour {
  readonly id: string;
  readonly type: NeighbourType;
  /** Whose it is; empty for an organization, and for what belongs to the whole server. */
  readonly organization: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

export interface NeighbourStore {
  has(type: NeighbourType, id: string, organization?: string): boolean;
  /** Throws JsonApiRefusal 404 for what is not there, as do `list` and `remove` for an unknown organization. */
  read(type: NeighbourType, id: string): Neighbour;
  list(type: NeighbourType, organization: string): readonly Neighbour[];
  create(type: NeighbourType, organization: string, attributes: Neighbour["attributes"]): Neighbour;
  remove(type: NeighbourType, id: string): void;
}

/** The organization of the policy set that exists from the start, and that of further ones. */
export const defaultOrganization = "demo";
export const otherOrganization = "sandbox";

/** What exists from the start. */
const firstRecords: readonly (readonly [NeighbourType, id: string, organization: string, name: string])[] = [
  ["organizations", defaultOrganization, "", defaultOrganization],
  ["organizations", otherOrganization, "", otherOrganization],
  ["projects", "prj-demo000000000001", defaultOrganization, "platform"],
  ["projects", "prj-demo000000000002", defaultOrganization, "data"],
  ["workspaces", "ws-demo000000000001", defaultOrganization, "staging"],
  ["workspaces", "ws-demo000000000002", defaultOrganization, "production"],
];

export function createNeighbourStore({ clock, tables }: { clock: () => Date; tables: Tables }): NeighbourStore {
  const records: Table<Neighbour> = tables.open("policy/neighbours");
  const keyOf = (type: NeighbourType, id: string) => `${type}/${id}`;
  const ofOrganization = (organization: string) =>
    [...records.values()].filter((record) => record.organization === organization);

  function put(type: NeighbourType, id: string, rest: Pick<Neighbour, "organization" | "attributes">): Neighbour {
    const record = { id, type, createdAt: clock().toISOString(), ...rest };
    records.set(keyOf(type, id), record);
    return record;
  }

  function read(type: NeighbourType, id: string): Neighbour {
    const record = records.get(keyOf(type, id));
    if (record === undefined) throw notFound();
    return record;
  }

  if (!records.has(keyOf("organizations", defaultOrganization)))
    for (const [type, id, organization, name] of firstRecords) put(type, id, { organization, attributes: { name } });

  return {
    read,
    has(type, id, organization) {
      const record = records.get(keyOf(type, id));
      return record !== undefined && (organization === undefined || record.organization === organization);
    },
    list(type, organization) {
      read("organizations", organization);
      return ofOrganization(organization).filter((record) => record.type === type);
    },
    create(type, organization, attributes) {
      const name = String(attributes["name"] ?? "");
      const isOrganization = type === "organizations";
      if (!isOrganization && type !== "sentinel-versions") read("organizations", organization);
      const isTaken = isOrganization
        ? records.has(keyOf(type, name))
        : ofOrganization(organization).some((other) => other.type === type && name === other.attributes["name"]);
      if (isTaken && name !== "")
        throw new JsonApiRefusal(422, [invalidAttribute("name", "Name has already been taken")]);
      return put(type, isOrganization ? name : randomId(idPrefixes[type]), { organization, attributes });
    },
    remove(type, id) {
      read(type, id);
      records.delete(keyOf(type, id));
      if (type === "organizations") for (const each of ofOrganization(id)) records.delete(keyOf(each.type, each.id));
    },
  };
}
