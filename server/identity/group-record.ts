import { randomBytes, randomUUID } from "node:crypto";

/** The name of a user, or of a group, on one mount. */
export interface Alias {
  readonly id: string;
  readonly name: string;
  readonly mountAccessor: string;
  /** What its last login has said. */
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly customMetadata: Readonly<Record<string, string>> | null;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A list is `null` until it has an element, and again after the write that follows the one that emptied it. */
export interface Group {
  readonly id: string;
  readonly name: string;
  /** `internal`, or `external`: then its members are the users whose last login named its alias. */
  readonly type: string;
  readonly alias: Alias | undefined;
  readonly policies: readonly string[] | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Ids of entities. */
  readonly members: readonly string[] | null;
  /** Ids of the groups that this one is a member of. */
  readonly parents: readonly string[] | null;
  /** How often it was written. */
  readonly writes: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

/** A group before its first write. */
export function newGroup(now: Date): Group {
  const name = `group_${randomBytes(4).toString("hex")}`;
  const nothing = { alias: undefined, policies: null, metadata: null, members: null, parents: null };
  return {
    id: randomUUID(),
    name,
    type: "",
    ...nothing,
    writes: 0,
    createdMs: now.getTime(),
    updatedMs: now.getTime(),
  };
}

/** The group as the server reads it before it changes it: copying drops what is empty. */
export function withoutEmptyParts(group: Group): Group {
  const { policies, metadata, members, parents } = group;
  const filled = <T extends object>(part: T | null) => (part && Object.keys(part).length > 0 ? part : null);
  return {
    ...group,
    policies: filled(policies),
    metadata: filled(metadata),
    members: filled(members),
    parents: filled(parents),
  };
}
