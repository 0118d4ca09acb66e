import { parseGoBool } from "../framework/coerce-field";
import type { Outgoing } from "../http/exchange";
import type { SecretsProfile, TransportProfile } from "../profiles/secrets-profile";
import { errorAnswer, plainAnswer } from "../secrets/answer";

export interface ServerStatus {
  readonly profile: SecretsProfile;
  readonly clusterName: string;
  readonly clusterId: string;
  isSealed(): boolean;
  now(): Date;
}

type StatusDocument = (query: URLSearchParams) => Outgoing;

/** The documents that need no token and have no envelope, by path. */
export function statusDocuments(status: ServerStatus): ReadonlyMap<string, StatusDocument> {
  return new Map<string, StatusDocument>([
    ["sys/health", (query) => healthAnswer(status, query)],
    [
      "sys/seal-status",
      () => plainAnswer(200, shown(status, { path: "sys/seal-status", members: sealStatus(status) })),
    ],
    ["sys/init", () => plainAnswer(200, { initialized: true })],
    ["sys/leader", () => plainAnswer(200, shown(status, { path: "sys/leader", members: leader }))],
  ]);
}

const codeParameters = [
  "activecode",
  "standbycode",
  "drsecondarycode",
  "performancestandbycode",
  "sealedcode",
  "uninitcode",
] as const;
const flagParameters = ["standbyok", "perfstandbyok"] as const;

function healthAnswer(status: ServerStatus, query: URLSearchParams): Outgoing {
  const badCode = codeParameters.some((name) => query.has(name) && !/^\d+$/.test(query.get(name) ?? ""));
  const badFlag = flagParameters.some((name) => query.get(name) && parseGoBool(query.get(name) ?? "") === undefined);
  if (badCode || badFlag) return errorAnswer(400, []);
  const sealed = status.isSealed();
  const code = sealed ? Number(query.get("sealedcode") ?? 503) : Number(query.get("activecode") ?? 200);
  const replication = sealed ? "unknown" : "disabled";
  const { version, isEnterprise } = status.profile;
  const health = {
    initialized: true,
    sealed,
    standby: sealed,
    performance_standby: false,
    replication_performance_mode: replication,
    replication_dr_mode: replication,
    server_time_utc: Math.floor(status.now().getTime() / 1000),
    version,
    enterprise: isEnterprise,
    ...clusterNames(status),
    echo_duration_ms: 0,
    clock_skew_ms: 0,
    replication_primary_canary_age_ms: 0,
  };
  return plainAnswer(code, shown(status, { path: "sys/health", members: health }));
}

interface Shown {
  readonly path: keyof TransportProfile["hiddenMembers"];
  readonly members: Readonly<Record<string, unknown>>;
}

function shown({ profile }: ServerStatus, { path, members }: Shown): Readonly<Record<string, unknown>> {
  const hidden = profile.transport.hiddenMembers[path];
  return Object.fromEntries(Object.entries(members).filter(([name]) => !hidden.includes(name)));
}

function sealStatus(status: ServerStatus): Readonly<Record<string, unknown>> {
  return {
    type: "shamir",
    initialized: true,
    sealed: status.isSealed(),
    t: 1,
    n: 1,
    progress: 0,
    nonce: "",
    version: status.profile.version,
    build_date: aYearBefore(status.now()),
    commit_date: "",
    migration: false,
    ...clusterNames(status),
    recovery_seal: false,
  };
}

// The text of a Vault that was built without a date [asked of Vault 1.21.1].
function aYearBefore(date: Date): string {
  return `${date.getUTCFullYear() - 1}${date.toISOString().slice(4, -5)}Z`;
}

// Left out while sealed.
function clusterNames(status: ServerStatus): Readonly<Record<string, string>> {
  return status.isSealed() ? {} : { cluster_name: status.clusterName, cluster_id: status.clusterId };
}

const leader = {
  ha_enabled: false,
  is_self: false,
  active_time: "0001-01-01T00:00:00Z",
  leader_address: "",
  leader_cluster_address: "",
  performance_standby: false,
  performance_standby_last_remote_wal: 0,
};
