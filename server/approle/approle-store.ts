import { createHash, randomUUID } from "node:crypto";
import { Failure } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import type { RoleRecord } from "./approle-role";

/** A secret ID as it is stored, under its hash. Times are milliseconds since the epoch. */
export interface SecretIdRecord {
  readonly accessor: string;
  /** Logins that are left; 0 for any number. */
  readonly uses: number;
  readonly ttlSeconds: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly expiresMs: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cidrList: readonly string[];
  readonly tokenBoundCidrs: readonly string[];
}

export interface NamedRole {
  /** In lower case. */
  readonly name: string;
  readonly role: RoleRecord;
}

/** A secret ID of a role, and where it is stored. */
export interface FoundSecretId {
  readonly path: string;
  readonly record: SecretIdRecord;
}

export interface ApproleStore {
  roleNames(): readonly string[];
  /** By its name in any case. */
  role(name: string): NamedRole | undefined;
  roleById(roleId: string): NamedRole | undefined;
  putRole(named: NamedRole): void;
  /** With its secret IDs. */
  deleteRole(name: string): void;
  secretIds(role: string): readonly FoundSecretId[];
  secretId(role: string, secretId: string): FoundSecretId | undefined;
  /** Of whatever role. */
  secretIdByAccessor(accessor: string): (FoundSecretId & { readonly role: string }) | undefined;
  /** @throws Failure when the role has it already. */
  issue(role: string, secretId: string, record: Pick<SecretIdRecord, Asked>): SecretIdRecord;
  /** Counts one login. */
  spend(found: FoundSecretId): void;
  end(found: FoundSecretId): void;
}

type Asked = "createdMs" | "uses" | "ttlSeconds" | "expiresMs" | "metadata" | "cidrList" | "tokenBoundCidrs";

/** The records of one mount. Vault removes secret IDs within a minute of their end; here they end on time. */
export function createApproleStore(storage: Storage, now: () => Date): ApproleStore {
  const isLive = ({ expiresMs }: SecretIdRecord) => expiresMs === undefined || expiresMs > now().getTime();
  const found = (path: string): FoundSecretId | undefined => {
    const record = storage.get<SecretIdRecord>(path);
    if (record === undefined || isLive(record)) return record && { path, record };
    storage.delete(path);
    return undefined;
  };
  const store: ApproleStore = {
    roleNames: () => storage.list("role/"),
    role(name) {
      const role = storage.get<RoleRecord>(`role/${name.toLowerCase()}`);
      return role && { name: name.toLowerCase(), role };
    },
    roleById: (roleId) =>
      store
        .roleNames()
        .map(store.role)
        .find((each) => each?.role.role_id === roleId),
    putRole: ({ name, role }) => storage.put(`role/${name}`, role),
    deleteRole(name) {
      for (const each of store.secretIds(name)) store.end(each);
      storage.delete(`role/${name}`);
    },
    secretIds: (role) =>
      storage
        .list(`secret-id/${role}/`)
        .map((hash) => found(`secret-id/${role}/${hash}`))
        .filter((each) => each !== undefined),
    secretId: (role, secretId) => found(secretIdPath(role, secretId)),
    secretIdByAccessor(accessor) {
      const all = store.roleNames().flatMap((role) => store.secretIds(role).map((each) => ({ ...each, role })));
      return all.find(({ record }) => record.accessor === accessor);
    },
    issue(role, secretId, asked) {
      const path = secretIdPath(role, secretId);
      if (found(path) !== undefined) throw new Failure("failed to store secret_id: SecretID is already registered");
      const record = { ...asked, accessor: randomUUID(), updatedMs: asked.createdMs };
      storage.put(path, record);
      return record;
    },
    spend(spent) {
      const { path, record } = spent;
      if (record.uses === 1) store.end(spent);
      if (record.uses > 1) storage.put(path, { ...record, uses: record.uses - 1, updatedMs: now().getTime() });
    },
    end: ({ path }) => storage.delete(path),
  };
  return store;
}

/** No record shows the secret ID itself. */
function secretIdPath(role: string, secretId: string): string {
  return `secret-id/${role}/${createHash("sha256").update(secretId).digest("hex")}`;
}
