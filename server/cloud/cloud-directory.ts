import type { Tables } from "../data/tables";
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

/** A user as the directory keeps it. */
export interface StoredUser extends Omit<CloudUser, "arn"> {
  readonly accessKeys: readonly StoredKey[];
}

export interface StoredKey extends AccessKey {
  /** The key is refused before this time: the cloud needs a while to know a new key everywhere. */
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
export function createCloudDirectory(tables: Tables) {
  const users = tables.open<StoredUser>("cloud/users");
  const groups = tables.open<CloudGroup>("cloud/groups");
  const policies = tables.open<CloudPolicy>("cloud/policies");
  const roles = tables.open<AssumableRole>("cloud/roles");
  const deletedKeys = tables.open<true>("cloud/deleted-keys");

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

  // All of the cloud's own policies exist.
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
      groups: [],
      attachedPolicies: [],
      inlinePolicies: {},
      permissionsBoundary: permissionsBoundary ?? null,
      tags: {},
    };
    users.set(name, user);
    return user;
  }

  function change(name: string, changes: (user: StoredUser) => Partial<StoredUser>): StoredUser {
    const user = find(name);
    const changed = { ...user, ...changes(user) };
    users.set(name, changed);
    return changed;
  }

  return {
    find,
    findGroup,
    addUser,
    /** Makes a user for a key that was not made here. */
    adoptKey(key: AccessKey): StoredUser {
      const { name } = putUser(`root-${key.accessKeyId}`);
      return change(name, () => ({ accessKeys: [{ ...key, goodFromMs: 0 }] }));
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
      for (const user of users.values()) if (user.groups.includes(name)) leaveGroup(user.name, name);
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

    addKey(userName: string, goodFromMs: number): StoredKey {
      if (find(userName).accessKeys.length >= accessKeyQuota) {
        throw cloudFailure("LimitExceeded", `Cannot exceed quota for AccessKeysPerUser: ${accessKeyQuota}`, 409);
      }
      const key = { ...newKey("AKIA"), goodFromMs };
      change(userName, ({ accessKeys }) => ({ accessKeys: [...accessKeys, key] }));
      return key;
    },
    removeKey(userName: string, accessKeyId: string): void {
      const { accessKeys } = find(userName);
      const others = accessKeys.filter((key) => key.accessKeyId !== accessKeyId);
      if (others.length === accessKeys.length) {
        throw cloudFailure("NoSuchEntity", `The Access Key with id ${accessKeyId} cannot be found.`, 404);
      }
      change(userName, () => ({ accessKeys: others }));
      deletedKeys.set(accessKeyId, true);
    },
    /** Removes its keys too. */
    removeUser(name: string): void {
      for (const { accessKeyId } of find(name).accessKeys) deletedKeys.set(accessKeyId, true);
      users.delete(name);
    },
    attachPolicy(userName: string, arn: string): void {
      assertInput("AttachUserPolicy", [["PolicyArn", arn, 20]]);
      assertAttachable(arn);
      change(userName, ({ attachedPolicies }) => ({ attachedPolicies: [...new Set([...attachedPolicies, arn])] }));
    },
    detachPolicy(userName: string, arn: string): void {
      change(userName, ({ attachedPolicies }) => ({
        attachedPolicies: attachedPolicies.filter((attached) => attached !== arn),
      }));
    },
    putPolicy(userName: string, { name, document }: { name: string; document: string }): void {
      assertPolicyDocument(document);
      change(userName, ({ inlinePolicies }) => ({ inlinePolicies: { ...inlinePolicies, [name]: document } }));
    },
    removeInlinePolicy(userName: string, name: string): void {
      change(userName, ({ inlinePolicies: { [name]: _removed, ...inlinePolicies } }) => ({ inlinePolicies }));
    },
    joinGroup(userName: string, name: string): void {
      findGroup(name);
      change(userName, ({ groups: joined }) => ({ groups: [...new Set([...joined, name])] }));
    },
    leaveGroup,
    tagUser(userName: string, added: Readonly<Record<string, string>>): void {
      assertInput(
        "TagUser",
        Object.keys(added).map((name, at) => [`Tags[${at}].Key`, name, 1]),
      );
      change(userName, ({ tags }) => ({ tags: { ...tags, ...added } }));
    },
  };

  function leaveGroup(userName: string, name: string): void {
    change(userName, ({ groups: joined }) => ({ groups: joined.filter((group) => group !== name) }));
  }

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
  const accessKeys = user.accessKeys.map(({ accessKeyId, secretKey }) => ({ accessKeyId, secretKey }));
  return { ...user, arn: userArn(user), accessKeys };
}
