import { shownAddress } from "../framework/bound-address";
import type { FieldData } from "../framework/field-data";
import { goQuoted } from "../framework/go-quoted";
import { areWithin, assertNetworks } from "../framework/ip-network";
import { Failure, Refusal } from "../framework/refusal";
import type { RoleRecord } from "./approle-role";
import type { ApproleStore, SecretIdRecord } from "./approle-store";
import { metadataFrom } from "./metadata";

/** Of a secret ID that the server makes. */
export const issueFields = {
  role_name: "string",
  metadata: "string",
  cidr_list: "commaStringSlice",
  token_bound_cidrs: "commaStringSlice",
  num_uses: "int",
  ttl: "durationSecond",
} as const;

/** Of one that the caller has chosen. */
export const customFields = { ...issueFields, secret_id: "string" } as const;

type IssueData = FieldData<typeof issueFields>;

interface Issue {
  readonly secretId: string;
  readonly maxLeaseSeconds: number;
  readonly now: Date;
}

/** Gives a role one more secret ID; the checks run in Vault's order. @throws Refusal or Failure */
export function issueSecretId(
  store: ApproleStore,
  data: IssueData,
  { secretId, maxLeaseSeconds, now }: Issue,
): Readonly<Record<string, unknown>> {
  if (secretId === "") throw new Refusal("missing secret_id");
  const found = store.role(data.get("role_name"));
  if (found === undefined) {
    throw new Refusal(`role ${goQuoted(data.get("role_name"))} does not exist`, { status: 404 });
  }
  const { name, role } = found;
  if (!role.bind_secret_id) throw new Refusal("bind_secret_id is not set on the role");
  const cidrList = data.get("cidr_list");
  assertNetworks(cidrList, "failed to validate CIDR blocks");
  refuseOutside(cidrList, role.secret_id_bound_cidrs ?? []);
  const tokenBoundCidrs = data.get("token_bound_cidrs");
  assertNetworks(tokenBoundCidrs, "failed to validate token CIDR blocks");
  refuseOutside(tokenBoundCidrs, role.token_bound_cidrs.map(shownAddress));
  const uses = usesFrom(data, role);
  const ttlSeconds = ttlFrom(data, role);
  const lifetime = Math.min(ttlSeconds, maxLeaseSeconds);
  const createdMs = now.getTime();
  const record = store.issue(name, secretId, {
    createdMs,
    uses,
    ttlSeconds,
    expiresMs: lifetime === 0 ? undefined : createdMs + lifetime * 1000,
    metadata: metadataFrom(data.get("metadata")),
    cidrList,
    tokenBoundCidrs,
  });
  return {
    secret_id: secretId,
    secret_id_accessor: record.accessor,
    secret_id_ttl: lifetime,
    secret_id_num_uses: uses,
  };
}

/** The networks of a secret ID must be within those of its role, as they are now. @throws Failure */
export function refuseOutside(ofSecretId: readonly string[], ofRole: readonly string[]): void {
  const outer = ofRole.map((network) => (network.includes("/") ? network : `${network}/32`));
  if (ofSecretId.length === 0 || outer.length === 0 || areWithin(ofSecretId, outer)) return;
  const [role, secretId] = [outer, ofSecretId].map(
    (networks) => `[${networks.map((text) => goQuoted(text)).join(" ")}]`,
  );
  throw new Failure(
    `failed to verify subset relationship between CIDR blocks on the role ${role} and CIDR blocks on the secret ID ${secretId}: %!w(<nil>)`,
  );
}

function usesFrom(data: IssueData, { secret_id_num_uses: limit }: RoleRecord): SecretIdRecord["uses"] {
  const uses = data.given("num_uses") ?? limit;
  if (uses < 0) throw new Refusal("num_uses cannot be negative");
  if (limit > 0 && (uses === 0 || uses > limit)) {
    throw new Refusal("num_uses cannot be higher than the role's secret_id_num_uses");
  }
  return uses;
}

function ttlFrom(data: IssueData, { secret_id_ttl: limit }: RoleRecord): number {
  const ttl = data.given("ttl") ?? limit;
  if (limit > 0 && (ttl === 0 || ttl > limit)) throw new Refusal("ttl cannot be longer than the role's secret_id_ttl");
  return ttl;
}
