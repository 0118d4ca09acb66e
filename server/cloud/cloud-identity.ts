import { createHash } from "node:crypto";
import { createMemoryTables, type Tables } from "../data/tables";
import { assertInput } from "./assert-input";
import { createCloudDirectory, type NewUser, type StoredUser, shownUser, userArn } from "./cloud-directory";
import { cloudFailure, noCredentials, throttling, unknownKey, wrongSignature } from "./cloud-failure";
import {
  type AssumeRoleRequest,
  createCloudSessions,
  type FederationRequest,
  type Principal,
  type SessionTokenRequest,
} from "./cloud-sessions";
import {
  type AccessKey,
  type AssumableRole,
  accountId,
  type CloudGroup,
  type CloudPolicy,
  type CloudSession,
  type CloudUser,
} from "./identity-records";
import { createMfaDevices, type ShownMfaDevice } from "./mfa-devices";

/** Whose credentials a call is made with; `undefined` when there are none. */
export type CloudCaller =
  | (AccessKey & { /** How often a throttled call is made again. */ readonly maxRetries?: number })
  | undefined;

/**
 * The cloud's identity service: users, groups, policies, roles, MFA devices, and temporary credentials.
 *
 * It stands outside the secrets server: one for all mounts, whatever endpoint their configuration names. Callers are access
 * keys, and every caller may do everything: policies are kept, not evaluated. A key that it has never seen is adopted on its
 * first call as the key of a new user `root-<access key id>`, so any made-up root credentials work; a key that was deleted
 * is refused for ever. Calls throw CloudFailure.
 */
export interface CloudIdentity {
  /** For the admin interface and tests; no credentials needed. */
  users(): readonly CloudUser[];
  addUser(name: string, options?: NewUser & { accessKeys?: number }): CloudUser;
  removeUser(name: string): void;
  groups(): readonly CloudGroup[];
  addGroup(group: CloudGroup): CloudGroup;
  removeGroup(name: string): void;
  /** Not the cloud's own policies: all ARNs that begin with `arn:aws:iam::aws:policy/` exist. */
  policies(): readonly CloudPolicy[];
  addPolicy(policy: CloudPolicy): CloudPolicy;
  removePolicy(arn: string): void;
  /** Everybody may assume roles that are not listed here. */
  roles(): readonly AssumableRole[];
  putRole(role: AssumableRole): AssumableRole;
  removeRole(arn: string): void;
  mfaDevices(): readonly ShownMfaDevice[];
  addMfaDevice(device: { userName: string; serialNumber?: string; secret?: string }): ShownMfaDevice;
  removeMfaDevice(serialNumber: string): void;
  /** Those that have not expired. */
  sessions(): readonly CloudSession[];
  /** How long new keys are refused after their creation: the cloud is only eventually consistent. */
  setKeyDelay(seconds: number): void;
  /** Refuses the next calls as too many. */
  throttle(calls: number): void;
  /** The role of the machine that the server runs on. An engine without other credentials uses it. */
  assignRole(arn: string | undefined): void;
  assignedRole(): string | undefined;
  /** Whose the credentials are. */
  callerIdentity(caller: CloudCaller): { readonly arn: string; readonly userId: string };

  /** Without a name, the caller's own user. */
  getUser(caller: CloudCaller, name?: string): CloudUser;
  /** Of those that the admin interface has made. */
  getRole(caller: CloudCaller, name: string): { readonly arn: string; readonly id: string };
  createUser(caller: CloudCaller, user: NewUser & { name: string }): CloudUser;
  /** Once nothing is attached to it any more. */
  deleteUser(caller: CloudCaller, name: string): void;
  tagUser(caller: CloudCaller, name: string, tags: Readonly<Record<string, string>>): void;
  attachUserPolicy(caller: CloudCaller, name: string, arn: string): void;
  detachUserPolicy(caller: CloudCaller, name: string, arn: string): void;
  putUserPolicy(caller: CloudCaller, name: string, policy: { name: string; document: string }): void;
  deleteUserPolicy(caller: CloudCaller, name: string, policy: string): void;
  addUserToGroup(caller: CloudCaller, name: string, group: string): void;
  removeUserFromGroup(caller: CloudCaller, name: string, group: string): void;
  getGroup(caller: CloudCaller, name: string): CloudGroup;
  createAccessKey(caller: CloudCaller, userName: string): AccessKey;
  deleteAccessKey(caller: CloudCaller, target: { userName: string; accessKeyId: string }): void;

  assumeRole(caller: CloudCaller, request: AssumeRoleRequest): CloudSession;
  getFederationToken(caller: CloudCaller, request: FederationRequest): CloudSession;
  getSessionToken(caller: CloudCaller, request: SessionTokenRequest): CloudSession;
  /** Of the role that the machine has. */
  assignedCredentials(): CloudCaller;
}

export interface CloudIdentityOptions {
  readonly now?: () => number;
  readonly tables?: Tables;
}

export function createCloudIdentity({
  now = Date.now,
  tables = createMemoryTables(),
}: CloudIdentityOptions = {}): CloudIdentity {
  const directory = createCloudDirectory(tables);
  const devices = createMfaDevices({ directory, now, tables });
  const sessions = createCloudSessions({ directory, now, tables, assertMfaCode: devices.assertCode });
  const numbers = tables.open<number>("cloud/settings");
  const machine = tables.open<string>("cloud/machine");
  const throttledCalls = () => numbers.get("throttledCalls") ?? 0;

  function authenticate(caller: CloudCaller): Principal {
    if (caller === undefined) throw noCredentials();
    for (let tries = 0; throttledCalls() > 0; tries += 1) {
      numbers.set("throttledCalls", throttledCalls() - 1);
      if (tries >= (caller.maxRetries ?? 0)) throw throttling();
    }
    const found = userOf(caller) ?? sessionOf(caller);
    if (found !== undefined) return found;
    if (directory.isDeletedKey(caller.accessKeyId) || caller.sessionToken !== undefined) throw unknownKey();
    return principal(directory.adoptKey(caller));
  }

  function userOf({ accessKeyId, secretKey }: AccessKey): Principal | undefined {
    for (const user of directory.users()) {
      const key = user.accessKeys.find((each) => each.accessKeyId === accessKeyId);
      if (key === undefined) continue;
      if (key.goodFromMs > now()) throw unknownKey();
      if (key.secretKey === secretKey) return principal(user);
      throw wrongSignature();
    }
    return undefined;
  }

  function sessionOf({ accessKeyId, secretKey, sessionToken }: AccessKey): Principal | undefined {
    const session = sessions.find(accessKeyId);
    if (session === undefined) return undefined;
    if (session.sessionToken !== sessionToken) throw unknownKey();
    if (session.secretKey !== secretKey) throw wrongSignature();
    if (session.expiresMs > now()) {
      return { arn: session.arn, uniqueId: sessionId(session), userName: undefined, session };
    }
    throw cloudFailure("ExpiredToken", "The security token included in the request is expired", 403);
  }

  /** As the cloud does: a role's ID and the session's name, an account and a user's name, or the user's own ID. */
  function sessionId({ kind, arn, issuedTo }: CloudSession): string {
    const [role = "", name = ""] = arn.split("/").slice(-2);
    if (kind === "assumed_role") return `${roleId(arn.split(":")[4] ?? "", role)}:${name}`;
    if (kind === "federation_token") return `${accountId}:${name}`;
    return directory.users().find((each) => userArn(each) === issuedTo)?.id ?? accountId;
  }

  /** The user that a call is about. @throws CloudFailure for unknown callers */
  function user(caller: CloudCaller, name: string): StoredUser {
    authenticate(caller);
    return directory.find(name);
  }

  const known = (caller: CloudCaller, name: string) => user(caller, name).name;

  return {
    users: () => directory.users().map(shownUser),
    addUser(name, { accessKeys = 0, ...options } = {}) {
      const added = directory.addUser(name, options);
      for (let count = 0; count < accessKeys; count += 1) directory.addKey(added.name, 0);
      return shownUser(directory.find(name));
    },
    removeUser: directory.removeUser,
    groups: directory.groups,
    addGroup: directory.addGroup,
    removeGroup: directory.removeGroup,
    policies: directory.policies,
    addPolicy: directory.addPolicy,
    removePolicy: directory.removePolicy,
    roles: directory.roles,
    putRole: directory.putRole,
    removeRole: directory.removeRole,
    mfaDevices: devices.all,
    addMfaDevice: devices.add,
    removeMfaDevice: devices.remove,
    sessions: sessions.all,
    setKeyDelay: (seconds) => void numbers.set("keyDelayMs", seconds * 1000),
    throttle: (calls) => void numbers.set("throttledCalls", calls),
    assignRole: (arn) => void (arn === undefined ? machine.clear() : machine.set("role", arn)),
    assignedRole: () => machine.get("role"),
    callerIdentity(caller) {
      const { arn, uniqueId: userId } = authenticate(caller);
      return { arn, userId };
    },

    getUser(caller, name) {
      assertInput("GetUser", [["UserName", name, 1]]);
      const { userName } = authenticate(caller);
      const wanted = name ?? userName;
      if (wanted !== undefined) return shownUser(directory.find(wanted));
      throw cloudFailure("ValidationError", "Must specify userName when calling with non-User credentials", 400);
    },
    getRole(caller, name) {
      authenticate(caller);
      const role = directory.roles().find(({ arn }) => arn.endsWith(`/${name}`));
      if (role !== undefined) return { arn: role.arn, id: roleId(accountId, name) };
      throw cloudFailure("NoSuchEntity", `The role with name ${name} cannot be found.`, 404);
    },
    createUser(caller, { name, path, permissionsBoundary }) {
      assertInput("CreateUser", [
        ["Path", path, 1],
        ["PermissionsBoundary", permissionsBoundary, 20],
        ["UserName", name, 1],
      ]);
      authenticate(caller);
      return shownUser(
        directory.addUser(name, {
          ...(path === undefined ? {} : { path }),
          ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
        }),
      );
    },
    deleteUser(caller, name) {
      const { accessKeys, attachedPolicies, inlinePolicies, groups } = user(caller, name);
      const isBare =
        accessKeys.length + attachedPolicies.length + Object.keys(inlinePolicies).length + groups.length === 0;
      if (!isBare || devices.of(name).length > 0) {
        throw cloudFailure("DeleteConflict", "Cannot delete entity, must delete what is attached to it first.", 409);
      }
      directory.removeUser(name);
    },
    tagUser: (caller, name, tags) => directory.tagUser(known(caller, name), tags),
    attachUserPolicy: (caller, name, arn) => directory.attachPolicy(known(caller, name), arn),
    detachUserPolicy: (caller, name, arn) => directory.detachPolicy(known(caller, name), arn),
    putUserPolicy: (caller, name, policy) => directory.putPolicy(known(caller, name), policy),
    deleteUserPolicy: (caller, name, policy) => directory.removeInlinePolicy(known(caller, name), policy),
    addUserToGroup: (caller, name, group) => directory.joinGroup(known(caller, name), group),
    removeUserFromGroup: (caller, name, group) => directory.leaveGroup(known(caller, name), group),
    getGroup(caller, name) {
      authenticate(caller);
      return directory.findGroup(name);
    },
    createAccessKey(caller, userName) {
      const { accessKeyId, secretKey } = directory.addKey(
        known(caller, userName),
        now() + (numbers.get("keyDelayMs") ?? 0),
      );
      return { accessKeyId, secretKey };
    },
    deleteAccessKey: (caller, { userName, accessKeyId }) => directory.removeKey(known(caller, userName), accessKeyId),

    assumeRole: (caller, request) => sessions.assumeRole(authenticate(caller), request),
    getFederationToken: (caller, request) => sessions.getFederationToken(authenticate(caller), request),
    getSessionToken: (caller, request) => sessions.getSessionToken(authenticate(caller), request),
    assignedCredentials() {
      const roleArn = machine.get("role");
      if (roleArn === undefined) return undefined;
      const holder = { arn: `${roleArn}/machine`, uniqueId: "", userName: undefined, session: undefined };
      const request = { roleArn, sessionName: "machine", durationSeconds: 3600, region: "us-east-1" };
      return sessions.assumeRole(holder, request);
    },
  };
}

function principal(user: StoredUser): Principal {
  return { arn: userArn(user), uniqueId: user.id, userName: user.name, session: undefined };
}

/** Roles need not be made, so their ID is made of their name: a role that is made anew has the old one. */
function roleId(account: string, name: string): string {
  const digits = createHash("sha256").update(`${account}/${name}`).digest("hex").toUpperCase();
  return `AROA${digits.slice(0, 17)}`;
}
