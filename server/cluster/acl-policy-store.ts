import { createHash, randomUUID } from "node:crypto";
import type { Table } from "../data/tables";
import { goQuoted } from "../framework/go-quoted";
import { ConsulRefusal } from "./consul-refusal";

export interface AclPolicy {
  readonly ID: string;
  readonly Name: string;
  readonly Description: string;
  readonly Rules: string;
  /** Where it counts; it is kept, and counts everywhere. */
  readonly Datacenters?: readonly string[];
  readonly Hash: string;
  readonly CreateIndex: number;
  readonly ModifyIndex: number;
}

/** A policy or a role, as what has it names it. */
export interface AclLink {
  readonly ID: string;
  readonly Name: string;
}

export type GivenPolicy = Pick<AclPolicy, "Name" | "Description" | "Rules" | "Datacenters">;

export interface AclPolicyStore {
  all(): readonly AclPolicy[];
  get(id: string): AclPolicy | undefined;
  named(name: string): AclPolicy | undefined;
  create(given: GivenPolicy): AclPolicy;
  update(id: string, given: GivenPolicy): AclPolicy;
  delete(id: string): void;
  /** What a request links to, by ID or by name, each once. @throws ConsulRefusal */
  links(given: readonly Partial<AclLink>[]): readonly AclLink[];
  /** The links that still lead somewhere, with the names of today. */
  present(links: readonly AclLink[]): readonly AclLink[];
}

const management = "00000000-0000-0000-0000-000000000001";
const readOnly = "00000000-0000-0000-0000-000000000002";
const builtInRules = (level: "read" | "write") =>
  `acl = "${level}"\noperator = "${level}"\npeering = "${level}"\nagent_prefix "" {\n  policy = "${level}"\n}\n`;

/** Those that every cluster has. Of their rules only the part is here that is imitated. */
const builtIn: readonly AclPolicy[] = [
  kept(management, 1, {
    Name: "global-management",
    Description: "A built-in policy that grants read and write access to all Consul features",
    Rules: builtInRules("write"),
  }),
  kept(readOnly, 2, {
    Name: "builtin/global-read-only",
    Description: "A built-in policy that grants read-only access to all Consul features",
    Rules: builtInRules("read"),
  }),
];

export function createAclPolicyStore(policies: Table<AclPolicy>, nextIndex: () => number): AclPolicyStore {
  const assertName = (name: string, id: string | undefined) => {
    if (name === "") throw new ConsulRefusal(500, "Invalid Policy: no Name is set");
    if (!/^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/.test(name) || name.length > 128) {
      const allowed = "Only alphanumeric characters, a single '/', '-' and '_' are allowed";
      throw new ConsulRefusal(500, `Invalid Policy: invalid Name. ${allowed}`);
    }
    const other = store.named(name);
    if (other !== undefined && other.ID !== id) {
      throw new ConsulRefusal(500, `Invalid Policy: A Policy with Name ${goQuoted(name)} already exists`);
    }
  };
  const put = (policy: AclPolicy) => {
    policies.set(policy.ID, policy);
    return policy;
  };
  const store: AclPolicyStore = {
    all: () => [...builtIn, ...policies.values()].sort((a, b) => (a.Name < b.Name ? -1 : 1)),
    get: (id) => builtIn.find(({ ID }) => ID === id) ?? policies.get(id),
    named: (name) => store.all().find(({ Name }) => Name === name),
    create: (given) => {
      assertName(given.Name, undefined);
      return put(kept(randomUUID(), nextIndex(), given));
    },
    update: (id, given) => {
      const present = store.get(id);
      if (present === undefined) throw new ConsulRefusal(500, `cannot find policy ${id}`);
      if (!policies.has(id)) {
        const denied = `Changing the Rules for the builtin ${present.Name} policy is not permitted`;
        throw new ConsulRefusal(500, denied);
      }
      assertName(given.Name, id);
      return put({ ...kept(id, nextIndex(), given), CreateIndex: present.CreateIndex });
    },
    delete: (id) => {
      const present = store.get(id);
      if (present === undefined) throw new ConsulRefusal(404, "Cannot find policy to delete");
      if (!policies.has(id)) {
        throw new ConsulRefusal(500, `Delete operation not permitted on the builtin ${present.Name} policy`);
      }
      policies.delete(id);
    },
    links: (given) => {
      const found = given.map(({ ID = "", Name = "" }) => {
        const policy = ID === "" ? store.named(Name) : store.get(ID);
        if (policy !== undefined) return { ID: policy.ID, Name: policy.Name };
        throw new ConsulRefusal(
          500,
          ID === "" ? `No such ACL policy with name ${goQuoted(Name)}` : `No such ACL policy with ID ${goQuoted(ID)}`,
        );
      });
      return found.filter(({ ID }, at) => found.findIndex((other) => other.ID === ID) === at);
    },
    present: (links) =>
      links.flatMap(({ ID }) => {
        const policy = store.get(ID);
        return policy === undefined ? [] : [{ ID, Name: policy.Name }];
      }),
  };
  return store;
}

function kept(ID: string, index: number, { Name, Description, Rules, Datacenters }: GivenPolicy): AclPolicy {
  const content = { Name, Description, Rules, ...(Datacenters?.length ? { Datacenters } : {}) };
  return { ID, ...content, Hash: contentHash(content), CreateIndex: index, ModifyIndex: index };
}

/** Of what it says, as Consul's: another algorithm, which nobody can tell. */
export function contentHash(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64");
}
