import { randomUUID } from "node:crypto";
import { definePath, listing, nameSegment, type Path, type Reply } from "../framework/backend";
import { goJson } from "../framework/go-json";
import { goQuoted } from "../framework/go-quoted";
import { rfc3339 } from "../framework/go-time";
import { Failure, Refusal } from "../framework/refusal";
import type { ApproleStore, NamedRole, SecretIdRecord } from "./approle-store";
import { customFields, issueFields, issueSecretId } from "./issue-secret-id";

/** The secret IDs of a role: issue, list, look up, end. */
export function secretIdPaths(store: ApproleStore, now: () => Date): readonly Path[] {
  const ofRole = `role/${nameSegment("role_name")}`;
  const known = (name: string): NamedRole => {
    const found = store.role(name);
    if (found === undefined) throw new Failure(`role ${goQuoted(name)} does not exist`);
    return found;
  };
  /** The one that the request is about, of whatever role. */
  const byAccessor = (accessor: string, roleName: string) => {
    if (accessor === "") throw new Refusal("missing secret_id_accessor");
    const { name } = known(roleName);
    const found = store.secretIdByAccessor(accessor);
    return { found, isOfRole: found?.role === name };
  };
  const bySecretId = (secretId: string, roleName: string) => {
    if (secretId === "") throw new Refusal("missing secret_id");
    return store.secretId(known(roleName).name, secretId);
  };
  const secretIdFields = { role_name: "string", secret_id: "string" } as const;
  const accessorFields = { role_name: "string", secret_id_accessor: "string" } as const;
  function end(secretId: string, roleName: string): undefined {
    const found = bySecretId(secretId, roleName);
    if (found !== undefined) store.end(found);
  }
  function endByAccessor(accessor: string, roleName: string): undefined {
    const { found, isOfRole } = byAccessor(accessor, roleName);
    if (found === undefined) throw new Failure(unknownAccessor(accessor));
    if (!isOfRole) throw new Refusal("invalid secret id accessor", { status: 403 });
    store.end(found);
  }
  return [
    definePath({
      pattern: `${ofRole}/secret-id/?`,
      fields: issueFields,
      operations: {
        list: ({ data }) => {
          const found = store.role(data.get("role_name"));
          if (found === undefined) throw new Refusal(`role ${goQuoted(data.get("role_name"))} does not exist`);
          return listing(store.secretIds(found.name).map(({ record }) => record.accessor));
        },
        update: ({ data, mount: { maxLeaseSeconds } }) => ({
          data: issueSecretId(store, data, { secretId: randomUUID(), maxLeaseSeconds, now: now() }),
        }),
      },
    }),
    definePath({
      pattern: `${ofRole}/custom-secret-id`,
      fields: customFields,
      operations: {
        update: ({ data, mount: { maxLeaseSeconds } }) => ({
          data: issueSecretId(store, data, { secretId: data.get("secret_id"), maxLeaseSeconds, now: now() }),
        }),
      },
    }),
    definePath({
      pattern: `${ofRole}/secret-id/lookup/?`,
      fields: secretIdFields,
      operations: {
        update: ({ data }) => {
          const found = bySecretId(data.get("secret_id"), data.get("role_name"));
          return found && { data: shownSecretId(found.record) };
        },
      },
    }),
    definePath({
      pattern: `${ofRole}/secret-id/destroy/?`,
      fields: secretIdFields,
      operations: {
        update: ({ data }) => end(data.get("secret_id"), data.get("role_name")),
        delete: ({ data }) => end(data.get("secret_id"), data.get("role_name")),
      },
    }),
    definePath({
      pattern: `${ofRole}/secret-id-accessor/lookup/?`,
      fields: accessorFields,
      operations: {
        update: ({ data }) => {
          const accessor = data.get("secret_id_accessor");
          const { found, isOfRole } = byAccessor(accessor, data.get("role_name"));
          if (found === undefined) return notFound(unknownAccessor(accessor));
          return isOfRole ? { data: shownSecretId(found.record) } : undefined;
        },
      },
    }),
    definePath({
      pattern: `${ofRole}/secret-id-accessor/destroy/?`,
      fields: accessorFields,
      operations: {
        update: ({ data }) => endByAccessor(data.get("secret_id_accessor"), data.get("role_name")),
        delete: ({ data }) => endByAccessor(data.get("secret_id_accessor"), data.get("role_name")),
      },
    }),
  ];
}

function unknownAccessor(accessor: string): string {
  return `failed to find accessor entry for secret_id_accessor: ${goQuoted(accessor)}`;
}

/** This one answer is an envelope around its error. */
function notFound(error: string): Reply {
  const envelope = {
    request_id: randomUUID(),
    lease_id: "",
    renewable: false,
    lease_duration: 0,
    data: { error },
    wrap_info: null,
    warnings: null,
    auth: null,
    mount_type: "",
  };
  return { page: { status: 404, contentType: "application/json", body: goJson(envelope) } };
}

function shownSecretId(record: SecretIdRecord): Readonly<Record<string, unknown>> {
  const { createdMs, updatedMs, expiresMs } = record;
  return {
    secret_id_accessor: record.accessor,
    secret_id_num_uses: record.uses,
    secret_id_ttl: record.ttlSeconds,
    creation_time: rfc3339(new Date(createdMs)),
    expiration_time: expiresMs === undefined ? "0001-01-01T00:00:00Z" : rfc3339(new Date(expiresMs)),
    last_updated_time: rfc3339(new Date(updatedMs)),
    metadata: record.metadata,
    cidr_list: record.cidrList,
    token_bound_cidrs: record.tokenBoundCidrs,
  };
}
