import type { Table, Tables } from "../data/tables";
import { JsonApiRefusal, notFound } from "./json-api";
import { defaultOrganization, type NeighbourStore, type NeighbourType } from "./neighbour-store";
import {
  freshAttributes,
  type PolicySet,
  type PolicySetAttributes,
  type PolicySetChanges,
  type Relation,
  relations,
  relationTypes,
  unrelated,
} from "./policy-set";
import { policySetErrors } from "./policy-set-rules";
import { randomId } from "./random-id";

/** The policy sets of all organizations. */
export interface PolicySetStore {
  ids(): readonly string[];
  has(id: string): boolean;
  /** Throws JsonApiRefusal 404 for what is not there, as all others do. */
  read(id: string): PolicySet;
  list(organization: string): readonly PolicySet[];
  /** Throws JsonApiRefusal 422 for a broken rule, as `update` and `relate` do. */
  create(organization: string, changes: PolicySetChanges): PolicySet;
  update(id: string, changes: PolicySetChanges): PolicySet;
  /** Adds ids to a relationship, or takes them from it. */
  relate(
    id: string,
    relation: Relation,
    change: { readonly add?: readonly string[]; readonly take?: readonly string[] },
  ): void;
  addVersion(id: string, version: string): void;
  remove(id: string): void;
  /** Takes a record that is gone out of every set. With an organization go its sets: answers which. */
  forget(type: NeighbourType, id: string): readonly string[];
  records(): Record<string, unknown>;
}

export interface PolicySetStoreOptions {
  /** Sets that exist from the start, and the organization of each. */
  readonly policySets: Readonly<Record<string, string>>;
  readonly neighbours: NeighbourStore;
  readonly clock: () => Date;
  readonly tables: Tables;
}

export function createPolicySetStore({ policySets, neighbours, clock, tables }: PolicySetStoreOptions): PolicySetStore {
  const records: Table<PolicySet> = tables.open("policy/sets");
  const now = () => clock().toISOString();
  // Releases before this one only noted in a data file that there is such a set.
  const isMissing = (id: string) => typeof records.get(id) !== "object";
  for (const id of new Set([...records.keys(), ...Object.keys(policySets)])) {
    const organization = policySets[id] ?? defaultOrganization;
    if (isMissing(id)) records.set(id, fresh(id, { organization, name: id, at: now() }));
  }

  function read(id: string): PolicySet {
    const record = records.get(id);
    if (record === undefined) throw notFound();
    return record;
  }

  const list = (organization: string) => [...records.values()].filter((set) => set.organization === organization);

  /** Writes the set as the request wants it, unless a rule is broken. */
  function write(set: PolicySet, changes: PolicySetChanges, current?: PolicySet): PolicySet {
    const attributes = settled({ ...set.attributes, ...changes.attributes });
    const next = { ...set, attributes, related: { ...set.related, ...changes.related }, updatedAt: now() };
    const { organization, id } = set;
    const taken = list(organization).filter((other) => other.id !== id);
    const errors = policySetErrors({
      ...(current === undefined ? {} : { current }),
      next,
      changes,
      taken: taken.map((other) => other.attributes.name),
      isThere: (relation, id) => neighbours.has(relationTypes[relation], id, organization),
    });
    if (errors.length > 0) throw new JsonApiRefusal(422, errors);
    records.set(id, next);
    return next;
  }

  return {
    read,
    list(organization) {
      neighbours.read("organizations", organization);
      return list(organization);
    },
    ids: () => [...records.keys()],
    has: (id) => records.has(id),
    create(organization, changes) {
      neighbours.read("organizations", organization);
      return write(fresh(randomId("polset"), { organization, name: "", at: now() }), changes);
    },
    update(id, changes) {
      const current = read(id);
      // The kind is not among what an update can set.
      const { kind: _, ...attributes } = changes.attributes;
      return write(current, { ...changes, attributes }, current);
    },
    relate(id, relation, { add = [], take = [] }) {
      const current = read(id);
      const ids = new Set([...current.related[relation], ...add]);
      for (const each of take) ids.delete(each);
      write(current, { attributes: {}, related: { [relation]: [...ids] } }, current);
    },
    addVersion(id, version) {
      const current = read(id);
      records.set(id, { ...current, versions: [...current.versions, version] });
    },
    remove(id) {
      read(id);
      records.delete(id);
    },
    forget(type, id) {
      if (type === "organizations") {
        const gone = list(id).map((set) => set.id);
        for (const each of gone) records.delete(each);
        return gone;
      }
      for (const set of [...records.values()]) {
        const holding = relations.filter((name) => relationTypes[name] === type && set.related[name].includes(id));
        const kept = holding.map((name) => [name, set.related[name].filter((each) => each !== id)]);
        if (kept.length > 0) records.set(set.id, { ...set, related: { ...set.related, ...Object.fromEntries(kept) } });
      }
      return [];
    },
    records() {
      // Sets that exist from the start are of interest once somebody has changed them.
      const all = [...records.entries()].filter(([, set]) => isTouched(set));
      const flat = ({ attributes, related, ...rest }: PolicySet) => ({ ...attributes, ...related, ...rest });
      return Object.fromEntries(all.map(([id, set]) => [`policy-sets/${id}`, flat(set)]));
    },
  };
}

function fresh(id: string, { organization, name, at }: Record<"organization" | "name" | "at", string>): PolicySet {
  const attributes = { ...freshAttributes, name };
  return { id, organization, attributes, related: unrelated, createdAt: at, updatedAt: at, versions: [] };
}

function isTouched({ id, attributes, createdAt, updatedAt }: PolicySet): boolean {
  return attributes.name !== id || createdAt !== updatedAt;
}

/** The attributes as they are stored: some follow from others, whatever was sent (go-tfe's tests, `TestPolicySetsUpdate`). */
function settled(attributes: PolicySetAttributes): PolicySetAttributes {
  const isInAgent = attributes.kind === "opa" || attributes["agent-enabled"];
  if (!isInAgent) return { ...attributes, overridable: null, "policy-tool-version": null };
  return {
    ...attributes,
    "agent-enabled": true,
    overridable: attributes.overridable ?? false,
    "policy-tool-version": attributes["policy-tool-version"] ?? "latest",
  };
}
