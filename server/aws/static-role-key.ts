import type { CloudUser } from "../cloud/identity-records";
import { rfc3339 } from "../framework/go-time";
import { Failure } from "../framework/refusal";
import type { EngineContext } from "./engine-context";
import { failingAs } from "./failing-as";
import { rootCredentials } from "./root-credentials";
import { type StaticCredentials, type StaticRole, staticCredentialsPrefix } from "./static-role";

/** @throws Failure 500 when the user does not exist, or has another id than `id`. */
export function assertUser(context: EngineContext, user: { username: string; id?: string }): CloudUser {
  const { username, id } = user;
  const { identity } = context;
  const caller = failingAs(`unable to get client to validate username "${username}": `, () => rootCredentials(context));
  const found = failingAs(`unable to validate username "${username}": `, () => identity.getUser(caller, username));
  if (id !== undefined && found.id !== id) {
    throw new Failure(
      `AWS GetUser returned a user, but the ID did not match: "${id}" was requested, but "${found.id}" was returned`,
    );
  }
  return found;
}

/** Makes a key for the role's user, in place of the oldest when the user has as many as it may have, and stores it. */
export function createKey(context: EngineContext, role: StaticRole, at = context.now()): void {
  const { storage, identity } = context;
  const key = failingAs(`failed to create new credentials for role "${role.name}": `, () => {
    const user = failingAs("iam user didn't exist, or username/userid didn't match: ", () => assertUser(context, role));
    const caller = rootCredentials(context);
    const [oldest, second] = user.accessKeys;
    if (oldest !== undefined && second !== undefined) {
      identity.deleteAccessKey(caller, { userName: user.name, accessKeyId: oldest.accessKeyId });
    }
    return identity.createAccessKey(caller, user.name);
  });
  const credentials: StaticCredentials = {
    access_key: key.accessKeyId,
    secret_key: key.secretKey,
    expiration: rfc3339(new Date(at.getTime() + role.rotation_period * 1000)),
  };
  storage.put(`${staticCredentialsPrefix}${role.name}`, credentials);
}

/** Forgets the role's key, then deletes it at the cloud: if that fails, a second try has nothing left to do (asked of Vault 1.21.1). */
export function deleteKey(context: EngineContext, role: StaticRole): void {
  const { storage, identity } = context;
  const path = `${staticCredentialsPrefix}${role.name}`;
  const credentials = storage.get<StaticCredentials>(path);
  if (credentials === undefined) return;
  storage.delete(path);
  const prefix = `failed to clean credentials while deleting role "${role.name}": couldn't delete from IAM: `;
  failingAs(prefix, () => {
    const target = { userName: role.username, accessKeyId: credentials.access_key };
    identity.deleteAccessKey(rootCredentials(context), target);
  });
}
