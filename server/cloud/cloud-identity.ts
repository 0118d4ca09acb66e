import { randomInt } from "node:crypto";
import { CloudFailure, cloudFailure, emptyUserName, noCredentials } from "./cloud-failure";

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretKey: string;
}

export interface CloudUser {
  readonly name: string;
  /** Stays with the user; another user of the same name has another. */
  readonly id: string;
  /** Oldest first. */
  readonly accessKeys: readonly AccessKey[];
}

/**
 * The cloud's identity service, as much of it as root credentials and static roles need.
 *
 * It stands outside the secrets server: one for all mounts, whatever endpoint their configuration names. Callers are access
 * keys. A key that it has never seen is adopted on its first call as the key of a new user `root-<access key id>`, so any
 * made-up root credentials work; a key that was deleted is refused for ever. Calls throw CloudFailure.
 */
export interface CloudIdentity {
  /** For whoever prepares the cloud; no credentials needed. */
  users(): readonly CloudUser[];
  addUser(name: string, options?: { accessKeys?: number }): CloudUser;
  removeUser(name: string): void;

  /** Without a name, the caller's own user. */
  getUser(caller: AccessKey | undefined, name?: string): CloudUser;
  createAccessKey(caller: AccessKey | undefined, userName: string): AccessKey;
  deleteAccessKey(caller: AccessKey | undefined, target: { userName: string; accessKeyId: string }): void;
}

const accessKeyQuota = 2;

interface StoredUser {
  readonly name: string;
  readonly id: string;
  readonly accessKeys: AccessKey[];
}

export function createCloudIdentity(): CloudIdentity {
  const users = new Map<string, StoredUser>();
  const deletedKeys = new Set<string>();

  function find(name: string): StoredUser {
    const user = users.get(name);
    if (user === undefined) throw cloudFailure("NoSuchEntity", `The user with name ${name} cannot be found.`, 404);
    return user;
  }

  function addUser(name: string): StoredUser {
    if (users.has(name)) throw cloudFailure("EntityAlreadyExists", `User with name ${name} already exists.`, 409);
    const user: StoredUser = { name, id: `AIDA${randomText(17, upperCaseAlphabet)}`, accessKeys: [] };
    users.set(name, user);
    return user;
  }

  function addKey(user: StoredUser): AccessKey {
    if (user.accessKeys.length >= accessKeyQuota) {
      throw cloudFailure("LimitExceeded", `Cannot exceed quota for AccessKeysPerUser: ${accessKeyQuota}`, 409);
    }
    const key = { accessKeyId: `AKIA${randomText(16, upperCaseAlphabet)}`, secretKey: randomText(40, secretAlphabet) };
    user.accessKeys.push(key);
    return key;
  }

  function authenticate(caller: AccessKey | undefined): StoredUser {
    if (caller === undefined) throw noCredentials();
    const isCallers = ({ accessKeyId }: AccessKey) => accessKeyId === caller.accessKeyId;
    for (const user of users.values()) {
      const key = user.accessKeys.find(isCallers);
      if (key === undefined) continue;
      if (key.secretKey === caller.secretKey) return user;
      throw cloudFailure(
        "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
        403,
      );
    }
    if (deletedKeys.has(caller.accessKeyId)) {
      throw cloudFailure("InvalidClientTokenId", "The security token included in the request is invalid.", 403);
    }
    const user = addUser(`root-${caller.accessKeyId}`);
    user.accessKeys.push(caller);
    return user;
  }

  return {
    users: () => [...users.values()].map(snapshot),
    addUser(name, { accessKeys = 0 } = {}) {
      if (name === "") throw new CloudFailure("a user needs a name");
      const user = addUser(name);
      for (let count = 0; count < accessKeys; count += 1) addKey(user);
      return snapshot(user);
    },
    removeUser(name) {
      for (const { accessKeyId } of find(name).accessKeys) deletedKeys.add(accessKeyId);
      users.delete(name);
    },
    getUser(caller, name) {
      if (name === "") throw emptyUserName("GetUser");
      const user = authenticate(caller);
      return snapshot(name === undefined ? user : find(name));
    },
    createAccessKey(caller, userName) {
      authenticate(caller);
      return addKey(find(userName));
    },
    deleteAccessKey(caller, { userName, accessKeyId }) {
      authenticate(caller);
      const { accessKeys } = find(userName);
      const index = accessKeys.findIndex((key) => key.accessKeyId === accessKeyId);
      if (index < 0) {
        throw cloudFailure("NoSuchEntity", `The Access Key with id ${accessKeyId} cannot be found.`, 404);
      }
      accessKeys.splice(index, 1);
      deletedKeys.add(accessKeyId);
    },
  };
}

const upperCaseAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const secretAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function randomText(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

function snapshot({ name, id, accessKeys }: StoredUser): CloudUser {
  return { name, id, accessKeys: [...accessKeys] };
}
