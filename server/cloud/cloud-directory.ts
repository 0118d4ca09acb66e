import { assertInput, assertPolicyDocument } from "./assert-input";
import { cloudFailure } from "./cloud-failure";
import {
  type AccessKey,
  type AssumableRole,
  accountId,
  type CloudGroup,
  type CloudPolicy,
  type CloudUser,
} from "./identity-records";
import { randomText } from "./random-text";

/** A user as the directory keeps it: what the records show, to be changed in place. */
export interface StoredUser {
  readonly name: string;
  readonly id: string;
  readonly path: string;
  readonly accessKeys: StoredKey[];
  readonly groups: Set<string>;
  readonly attachedPolicies: Set<string>;
  readonly inlinePolicies: Map<string, string>;
  readonly permissionsBoundary: string | null;
  readonly tags: Map<string, string>;
}

export interface StoredKey extends AccessKey {
  /** Not good before: the cloud takes a while to know a new key everywhere. */
  readonly goodFromMs: number;
}

export interface NewUser {
  readonly path?: string;
  readonly permissionsBoundary?: string;
}

const accessKeyQuota = 2;
const upperCaseAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const secretAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Who is in the cloud: users and their keys, groups, policies, roles. Calls throw CloudFailure. */
export function createCloudDirectory() {
  const users = new Map<string, StoredUser>();
  const groups = new Map<string, CloudGroup>();
  const policies = new Map<string, CloudPolicy>();
  const roles = new Map<string, AssumableRole>();
  const deletedKeys = new Set<string>();

  function find(name: string): StoredUser {
    const user = users.get(name);
    if (user === undefined) throw cloudFailure("NoSuchEntity", `The user with name ${name} cannot be found.`, 404);
    return user;
  }

  function findGroup(name: string): CloudGroup {
    const group = groups.get(name);
    if (group === undefined) throw cloudFailure("NoSuchEntity", `Group ${name} not found`, 404);
    return group;
  }

  // The cloud's own policies are there, all of them.
  const isPolicy = (arn: string) => policies.has(arn) || arn.startsWith("arn:aws:iam::aws:policy/");

  function addUser(name: string, options: NewUser = {}): StoredUser {
    const { permissionsBoundary } = options;
    if (!/^[\w+=,.@-]{1,64}$/.test(name)) {
      throw cloudFailure(
        "ValidationError",
        "The specified value for userName is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-",
        400,
      );
    }
    if (users.has(name)) throw cloudFailure("EntityAlreadyExists", `User with name ${name} already exists.`, 409);
    if (permissionsBoundary !== undefined && !isPolicy(permissionsBoundary)) {
      throw cloudFailure("NoSuchEntity", `Scope ARN: ${permissionsBoundary} does not exist or is not attachable.`, 404);
    }
    return putUser(name, options);
  }

  function putUser(name: string, { path = "/", permissionsBoundary }: NewUser = {}): StoredUser {
    const user: StoredUser = {
      name,
      id: `AIDA${randomText(17, upperCaseAlphabet)}`,
      path,
      accessKeys: [],
      groups: new Set(),
      attachedPolicies: new Set(),
      inlinePolicies: new Map(),
      permissionsBoundary: permissionsBoundary ?? null,
      tags: new Map(),
    };
    users.set(name, user);
    return user;
  }

  return {
    find,
    findGroup,
    addUser,
    /** The user that a key belongs to which nobody has made here, whatever its text. */
    adoptKey(key: AccessKey): StoredUser {
      const user = putUser(`root-${key.accessKeyId}`);
      user.accessKeys.push({ ...key, goodFromMs: 0 });
      return user;
    },
    users: () => [...users.values()],
    groups: () => [...groups.values()],
    policies: () => [...policies.values()],
    roles: () => [...roles.values()],
    role: (arn: string) => roles.get(arn),
    isDeletedKey: (accessKeyId: string) => deletedKeys.has(accessKeyId),

    addGroup(group: CloudGroup): CloudGroup {
      if (groups.has(group.name)) {
        throw cloudFailure("EntityAlreadyExists", `Group with name ${group.name} already exists.`, 409);
      }
      for (const document of Object.values(group.inlinePolicies)) assertPolicyDocument(document);
      for (const arn of group.attachedPolicies) assertAttachable(arn);
      groups.set(group.name, group);
      return group;
    },
    removeGroup(name: string): void {
      findGroup(name);
      groups.delete(name);
      for (const user of users.values()) user.groups.delete(name);
    },
    addPolicy(policy: CloudPolicy): CloudPolicy {
      if (policies.has(policy.arn)) {
        throw cloudFailure("EntityAlreadyExists", `A policy called ${policy.arn} already exists.`, 409);
      }
      assertPolicyDocument(policy.document);
      policies.set(policy.arn, policy);
      return policy;
    },
    removePolicy(arn: string): void {
      if (!policies.delete(arn)) throw cloudFailure("NoSuchEntity", `Policy ${arn} was not found.`, 404);
    },
    putRole(role: AssumableRole): AssumableRole {
      roles.set(role.arn, role);
      return role;
    },
    removeRole(arn: string): void {
      if (!roles.delete(arn)) throw cloudFailure("NoSuchEntity", `Role not found for ${arn}`, 404);
    },

    addKey(user: StoredUser, goodFromMs: number): StoredKey {
      if (user.accessKeys.length >= accessKeyQuota) {
        throw cloudFailure("LimitExceeded", `Cannot exceed quota for AccessKeysPerUser: ${accessKeyQuota}`, 409);
      }
      const key = { ...newKey("AKIA"), goodFromMs };
      user.accessKeys.push(key);
      return key;
    },
    removeKey(user: StoredUser, accessKeyId: string): void {
      const index = user.accessKeys.findIndex((key) => key.accessKeyId === accessKeyId);
      if (index < 0) {
        throw cloudFailure("NoSuchEntity", `The Access Key with id ${accessKeyId} cannot be found.`, 404);
      }
      user.accessKeys.splice(index, 1);
      deletedKeys.add(accessKeyId);
    },
    /** With all that it has. */
    removeUser(name: string): void {
      for (const { accessKeyId } of find(name).accessKeys) deletedKeys.add(accessKeyId);
      users.delete(name);
    },
    attachPolicy(user: StoredUser, arn: string): void {
      assertInput("AttachUserPolicy", [["PolicyArn", arn, 20]]);
      assertAttachable(arn);
      user.attachedPolicies.add(arn);
    },
    putPolicy(user: StoredUser, { name, document }: { name: string; document: string }): void {
      assertPolicyDocument(document);
      user.inlinePolicies.set(name, document);
    },
    joinGroup(user: StoredUser, name: string): void {
      user.groups.add(findGroup(name).name);
    },
    tagUser(user: StoredUser, tags: Readonly<Record<string, string>>): void {
      const names = Object.keys(tags);
      assertInput(
        "TagUser",
        names.map((name, at) => [`Tags[${at}].Key`, name, 1]),
      );
      for (const name of names) user.tags.set(name, tags[name] ?? "");
    },
  };

  function assertAttachable(arn: string): void {
    if (isPolicy(arn)) return;
    throw cloudFailure("NoSuchEntity", `Policy ${arn} does not exist or is not attachable.`, 404);
  }
}

export type CloudDirectory = ReturnType<typeof createCloudDirectory>;

/** A new key of a user (`AKIA…`) or of temporary credentials (`ASIA…`). */
export function newKey(prefix: "AKIA" | "ASIA"): AccessKey {
  return {
    accessKeyId: `${prefix}${randomText(16, upperCaseAlphabet)}`,
    secretKey: randomText(40, secretAlphabet),
  };
}

export function newSessionToken(): string {
  return `IQoJ${randomText(356, secretAlphabet)}`;
}

export function userArn({ path, name }: Pick<StoredUser, "path" | "name">): string {
  return `arn:aws:iam::${accountId}:user${path}${name}`;
}

export function shownUser(user: StoredUser): CloudUser {
  return {
    name: user.name,
    id: user.id,
    arn: userArn(user),
    path: user.path,
    accessKeys: user.accessKeys.map(({ accessKeyId, secretKey }) => ({ accessKeyId, secretKey })),
    groups: [...user.groups],
    attachedPolicies: [...user.attachedPolicies],
    inlinePolicies: Object.fromEntries(user.inlinePolicies),
    permissionsBoundary: user.permissionsBoundary,
    tags: Object.fromEntries(user.tags),
  };
}
