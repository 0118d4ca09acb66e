import { randomUUID } from "node:crypto";
import { CloudFailure } from "../cloud/cloud-failure";
import type { Storage } from "../framework/storage";
import type { EngineContext, PendingUser, PendingUsers } from "./engine-context";
import { rootCredentials } from "./root-credentials";

const prefix = "wal/";
/** The cloud is only eventually consistent: a younger user that it does not know may still appear. */
export const rollbackAgeMs = 300_000;

export function restoredPendingUsers(storage: Storage): PendingUsers {
  const pending: PendingUsers = new Map();
  for (const id of storage.list(prefix)) {
    const user = storage.get<PendingUser>(`${prefix}${id}`);
    if (user !== undefined) pending.set(id, user);
  }
  return pending;
}

export function rememberPendingUser({ storage, pending, now }: EngineContext, username: string): string {
  const id = randomUUID();
  const user = { username, sinceMs: now().getTime() };
  storage.put(`${prefix}${id}`, user);
  pending.set(id, user);
  return id;
}

export function forgetPendingUser({ storage, pending }: EngineContext, id: string): void {
  pending.delete(id);
  storage.delete(`${prefix}${id}`);
}

/** Removes the users whose creation failed some time ago. If the cloud refuses, the next call tries again. */
export function rollBackUsers(context: EngineContext): void {
  const { pending, now } = context;
  for (const [id, { username, sinceMs }] of pending) {
    if (sinceMs + rollbackAgeMs > now().getTime()) continue;
    try {
      removeUser(context, { username, mayBeMissing: true });
    } catch (error) {
      if (error instanceof CloudFailure) continue;
      throw error;
    }
    forgetPendingUser(context, id);
  }
}

/** Takes everything from a user, then the user away. @throws CloudFailure */
export function removeUser(
  context: EngineContext,
  { username, mayBeMissing }: { username: string; mayBeMissing: boolean },
): void {
  const { identity } = context;
  const caller = rootCredentials(context);
  const user = foundUser();
  if (user === undefined) return;
  for (const { accessKeyId } of user.accessKeys) identity.deleteAccessKey(caller, { userName: username, accessKeyId });
  for (const arn of user.attachedPolicies) identity.detachUserPolicy(caller, username, arn);
  for (const policy of Object.keys(user.inlinePolicies)) identity.deleteUserPolicy(caller, username, policy);
  for (const group of user.groups) identity.removeUserFromGroup(caller, username, group);
  identity.deleteUser(caller, username);

  function foundUser() {
    try {
      return identity.getUser(caller, username);
    } catch (error) {
      if (mayBeMissing && error instanceof CloudFailure && error.message.startsWith("NoSuchEntity: ")) return undefined;
      throw error;
    }
  }
}
