import { randomUUID } from "node:crypto";
import { createAdminService } from "./admin/admin-service";
import { type Clock, createClock } from "./clock";
import { createCloudBackend } from "./cloud/cloud-backend";
import { type CloudIdentity, createCloudIdentity } from "./cloud/cloud-identity";
import type { Environment } from "./cloud/root-credentials";
import { createClusterService } from "./cluster/cluster-service";
import { createFaultBook, type FaultBook } from "./faults/fault-book";
import type { FaultScript } from "./faults/fault-script";
import { withoutLacking } from "./framework/lacking";
import type { Exchange } from "./http/exchange";
import { fetchExchange } from "./http/fetch-exchange";
import { type Listener, openListener, type Tunnel } from "./http/listener";
import { createRequestLog, type RequestLog } from "./http/request-log";
import { createJwtBackend } from "./jwt/jwt-backend";
import { createPolicyService } from "./policy/policy-service";
import { type ProfileName, profiles } from "./profiles/profiles";
import type { SecretsProfile } from "./profiles/secrets-profile";
import { createSecretsService } from "./secrets/secrets-service";
import { randomName } from "./secrets/token-store";
import { type Service, services } from "./service";
import type { CatalogEntry, EngineCatalog } from "./sys/engine-catalog";

export const defaultPolicySet = "polset-demo000000000001";

export interface ServeOptions {
  /** Which products it passes for. @default "vault" */
  readonly profile?: ProfileName;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** Any free port where none is named. */
  readonly ports?: { readonly [service in Service]?: number };
  /** The policy set that exists from the start. */
  readonly policySet?: string;
  /** More of them. */
  readonly policySets?: readonly string[];
  readonly faults?: readonly FaultScript[];
  /** Users that the cloud has from the start; static roles adopt them. */
  readonly cloudUsers?: readonly string[];
  /** Variables of the process; `CLOUD_…` name root credentials and regions where none are configured. */
  readonly environment?: Environment;
  /** Whether the cluster may have peerings. @default true */
  readonly peeringEnabled?: boolean;
  /** Name of the cluster's datacenter. @default "dc1" */
  readonly datacenter?: string;
  /** How long a deleted peering still reads as DELETING. @default 50 */
  readonly peeringDeleteDelayMs?: number;
  /** How often peered clusters let each other know that they are there. @default 15000, as Consul */
  readonly peeringHeartbeatMs?: number;
  /** How soon a lost peering is dialled again; the pause doubles with every try. @default 1000, as Consul */
  readonly peeringRedialMs?: number;
}

export interface ServiceAddress {
  readonly address: string;
  readonly token: string;
}

export interface Running {
  readonly secrets: ServiceAddress;
  readonly cluster: ServiceAddress;
  readonly policy: ServiceAddress & { readonly policySet: string };
  readonly admin: ServiceAddress;
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly cloud: CloudIdentity;
  /** The time of all services. */
  readonly clock: Clock;
  /** The stored records of every service by storage path, write-only values included. */
  records(): Readonly<Record<"secrets" | "cluster" | "policy", Record<string, unknown>>>;
  seal(): void;
  unseal(): void;
  /** Stops listening and leaves no socket open. */
  close(): Promise<void>;
}

/**
 * Starts the embedded server: secrets (Vault-like), cluster (Consul-like), policy (HCP-Terraform-like) and the admin
 * interface, each on a listener of its own. Rejects, with nothing left open, when one of the ports cannot be had.
 *
 * @example
 * const server = await startServers();
 * const answer = await fetch(`${server.secrets.address}/v1/sys/mounts`, { headers: { "x-vault-token": server.secrets.token } });
 * await server.close();
 */
export async function startServers(options: ServeOptions = {}): Promise<Running> {
  const policySet = options.policySet ?? defaultPolicySet;
  const tokens = {
    cluster: randomUUID(),
    policy: `${randomName(14)}.atlasv1.${randomName(60)}`,
    admin: randomName(32),
  };
  const clock = createClock();
  const now = () => new Date(clock.now());
  const cloud = createCloudIdentity({ now: clock.now });
  for (const name of options.cloudUsers ?? []) cloud.addUser(name);
  const faults = createFaultBook(options.faults);
  const log = createRequestLog();
  const profile = profiles[options.profile ?? "vault"];
  const secrets = createSecretsService({
    profile: profile.secrets,
    catalog: engineCatalog(cloud, { profile: profile.secrets, environment: options.environment ?? {} }),
    mounts: startMounts,
    now,
  });
  const cluster = createClusterService({
    token: tokens.cluster,
    profile: profile.cluster,
    clock: now,
    datacenter: options.datacenter,
    peeringEnabled: options.peeringEnabled,
    deleteDelayMs: options.peeringDeleteDelayMs,
    heartbeatMs: options.peeringHeartbeatMs,
    redialMs: options.peeringRedialMs,
  });
  const policy = createPolicyService({
    token: tokens.policy,
    policySet,
    policySets: options.policySets ?? [],
    clock: now,
  });
  const records = () => ({ secrets: secrets.records(), cluster: cluster.records(), policy: policy.records() });
  const { seal, unseal, catchUp } = secrets;
  const { filterResults } = cluster;
  const steered = { records, seal, unseal, filterResults, catchUp };
  const admin = createAdminService({ token: tokens.admin, faults, log, cloud, clock, ...steered });
  const exchanges: Readonly<Record<Service, Exchange>> = {
    secrets: secrets.exchange,
    cluster: fetchExchange(cluster),
    policy: fetchExchange(policy),
    admin: fetchExchange(admin),
  };
  const listeners = await openAll(exchanges, { options, faults, log, tunnels: { cluster: cluster.tunnel } });
  return {
    secrets: { address: listeners.secrets.address, token: secrets.rootToken },
    cluster: { address: listeners.cluster.address, token: tokens.cluster },
    policy: { address: listeners.policy.address, token: tokens.policy, policySet },
    admin: { address: listeners.admin.address, token: tokens.admin },
    faults,
    log,
    cloud,
    clock,
    records,
    seal,
    unseal,
    close: async () => {
      cluster.close();
      await Promise.all(services.map((service) => listeners[service].close()));
    },
  };
}

const startMounts = [
  { kind: "auth", path: "jwt/", type: "jwt" },
  { kind: "secret", path: "cloud/", type: "cloud" },
] as const;

function engineCatalog(
  identity: CloudIdentity,
  { profile, environment }: { profile: SecretsProfile; environment: Environment },
): EngineCatalog {
  const { runningVersions, lacks } = profile;
  const cloudEngine: CatalogEntry = {
    kind: "secret",
    runningVersion: runningVersions.builtin,
    create: (options) =>
      withoutLacking(createCloudBackend({ ...options, profile: profile.cloud, identity, environment }), lacks.cloud),
  };
  const jwtMethod: CatalogEntry = {
    kind: "auth",
    runningVersion: runningVersions.jwt,
    create: (options) => withoutLacking(createJwtBackend({ ...options, profile: profile.jwt }), lacks.jwt),
  };
  // `oidc` is the same method under its other name, of which Vault knows no module, and `cloud` the document's name of `aws`.
  return new Map([
    ["jwt", jwtMethod],
    ["oidc", { ...jwtMethod, runningVersion: cloudEngine.runningVersion }],
    ["aws", cloudEngine],
    ["cloud", cloudEngine],
  ]);
}

interface Opening {
  readonly tunnels: { readonly [service in Service]?: Tunnel };
  readonly options: ServeOptions;
  readonly faults: FaultBook;
  readonly log: RequestLog;
}

async function openAll(
  exchanges: Readonly<Record<Service, Exchange>>,
  { options, faults, log, tunnels }: Opening,
): Promise<Readonly<Record<Service, Listener>>> {
  const open = async (service: Service) => {
    const listening = { host: options.host ?? "127.0.0.1", port: options.ports?.[service] ?? 0 };
    // The admin interface is outside of what it steers: no faults, no log.
    const steered = service === "admin" ? {} : { faults, log };
    try {
      const tunnel = tunnels[service];
      const answers = { exchange: exchanges[service], ...(tunnel === undefined ? {} : { tunnel }) };
      return await openListener({ service, ...answers, ...listening, ...steered });
    } catch (error) {
      throw new Error(unopenable(error, { service, ...listening }), { cause: error });
    }
  };
  const outcomes = await Promise.allSettled(services.map(open));
  const opened = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(opened.map((listener) => listener.close()));
    throw failed.reason;
  }
  const [secrets, cluster, policy, admin] = opened;
  if (secrets === undefined || cluster === undefined || policy === undefined || admin === undefined) {
    throw new Error("a listener is missing");
  }
  return { secrets, cluster, policy, admin };
}

function unopenable(error: unknown, { service, host, port }: { service: Service; host: string; port: number }): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const where = `${host}:${port} (${service})`;
  if (code === "EADDRINUSE") return `cannot listen on ${where}: the port is in use`;
  if (code === "EACCES") return `cannot listen on ${where}: not allowed`;
  return `cannot listen on ${where}: ${error instanceof Error ? error.message : String(error)}`;
}
