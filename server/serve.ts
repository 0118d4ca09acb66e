import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { createAdminService } from "./admin/admin-service";
import type { Environment } from "./aws/root-credentials";
import { type Clock, createClock } from "./clock";
import { type CloudIdentity, createCloudIdentity } from "./cloud/cloud-identity";
import { createClusterService } from "./cluster/cluster-service";
import { openDataFile } from "./data/data-file";
import { keptExchange } from "./data/kept-exchange";
import { createMemoryTables, lastGiven, madeOnce, type Tables } from "./data/tables";
import { engineCatalog, startMounts } from "./engines";
import { createFaultBook, type FaultBook } from "./faults/fault-book";
import type { FaultScript } from "./faults/fault-script";
import type { ServerIdentity } from "./http/encryption";
import type { Exchange } from "./http/exchange";
import { fetchExchange } from "./http/fetch-exchange";
import { type Listener, openListener, type Timeouts, type Tunnel } from "./http/listener";
import { createRequestLog, type RequestLog } from "./http/request-log";
import { createIssuer, type Issuer } from "./issuer/issuer";
import { createPolicyService } from "./policy/policy-service";
import { keptProfile } from "./profiles/kept-profile";
import { type ProfileName, profiles } from "./profiles/profiles";
import { createSecretsService } from "./secrets/secrets-service";
import { randomName } from "./secrets/token-store";
import { type Service, services } from "./service";

export const defaultPolicySet = "polset-demo000000000001";

export interface ServeOptions {
  /** The product to imitate. It must be the one that the data file was made with. @default that of the data file, else "vault" */
  readonly profile?: ProfileName;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** Any free port where none is named. */
  readonly ports?: { readonly [service in Service]?: number };
  /** The secrets service speaks HTTPS with it, and asks for client certificates. */
  readonly tls?: ServerIdentity;
  /** More services that speak HTTPS with it. */
  readonly tlsServices?: readonly Service[];
  /** The tokens that may do everything. @default those of the last start, else random ones */
  readonly tokens?: { readonly [service in "secrets" | "cluster" | "policy"]?: string | undefined };
  /** Whether an auth method and a cloud engine are mounted at the first start. @default true */
  readonly mounts?: boolean;
  /** The file that keeps all records, secrets included. Without it they are in memory. */
  readonly data?: string;
  /** The policy set that exists from the start. @default that of the last start, else `defaultPolicySet` */
  readonly policySet?: string;
  /** More policy sets. */
  readonly policySets?: readonly string[];
  /** Requests a second that the policy service allows; more get 429. Without it nobody is refused. */
  readonly policyRequestsPerSecond?: number | undefined;
  readonly faults?: readonly FaultScript[];
  /** Users that the cloud has from the start; static roles adopt them. */
  readonly cloudUsers?: readonly string[];
  /** Variables of the process; `CLOUD_…` name root credentials and regions where none are configured. */
  readonly environment?: Environment;
  /** Whether the cluster may have peerings. @default true */
  readonly peeringEnabled?: boolean;
  /** Name of the cluster's datacenter. @default that of the last start, else "dc1" */
  readonly datacenter?: string;
  /** Whether there is an identity provider to log in at. @default false */
  readonly issuer?: boolean;
  /** How long a deleted peering still reads as DELETING. @default not at all for the first ten, then ten go in a second */
  readonly peeringDeleteDelayMs?: number;
  /** The interval of the heartbeats between peered clusters. @default 15000, as Consul */
  readonly peeringHeartbeatMs?: number;
  /** How soon a lost peering is dialled again; the pause doubles with every try. @default 1000, as Consul */
  readonly peeringRedialMs?: number;
  /** How long clients may take. @default as Vault: 10 s for headers, 30 s for a request, 5 min between two */
  readonly timeouts?: Partial<Timeouts>;
}

export interface ServiceAddress {
  readonly address: string;
  readonly token: string;
}

export interface RunningService extends ServiceAddress {
  /** Answers a request that another HTTP server of this process has accepted, such as a proxy of a test. */
  readonly handle: RequestListener;
}

export interface IssuerAddress {
  readonly address: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Running {
  readonly secrets: RunningService;
  readonly cluster: RunningService;
  readonly policy: RunningService & { readonly policySet: string };
  readonly admin: ServiceAddress;
  /** The identity provider, where there is one. */
  readonly issuer?: IssuerAddress;
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
 * interface, each on a listener of its own. Rejects, with nothing left open, when a port or the data file cannot be opened.
 *
 * @example
 * const server = await startServers();
 * const answer = await fetch(`${server.secrets.address}/v1/sys/mounts`, { headers: { "x-vault-token": server.secrets.token } });
 * await server.close();
 */
export async function startServers(options: ServeOptions = {}): Promise<Running> {
  const tables = options.data === undefined ? createMemoryTables() : openDataFile(options.data);
  try {
    // The records that the first start makes are committed together, too.
    const { serve, stop } = await tables.transaction(() => createServices(options, tables));
    return await serve().catch((error: unknown) => {
      stop();
      throw error;
    });
  } catch (error) {
    tables.close();
    throw error;
  }
}

/** All services with their records, not yet listening. The peerings are already active. */
function createServices(options: ServeOptions, tables: Tables) {
  const identifiers = tables.open<string>("identifiers");
  const profile = profiles[keptProfile(identifiers, { wanted: options.profile, file: options.data })];
  const policySet = lastGiven(identifiers, "policySet", { given: options.policySet, fallback: defaultPolicySet });
  const policyToken = () => `${randomName(14)}.atlasv1.${randomName(60)}`;
  const { cluster: clusterGiven, policy: policyGiven, secrets: rootGiven } = options.tokens ?? {};
  const tokens = {
    cluster: lastGiven(identifiers, "clusterToken", { given: clusterGiven, fallback: randomUUID() }),
    policy: lastGiven(identifiers, "policyToken", { given: policyGiven, fallback: policyToken() }),
    admin: madeOnce(identifiers, "adminToken", () => randomName(32)),
  };
  const clock = createClock(tables.open("clock"));
  const now = () => new Date(clock.now());
  const cloud = createCloudIdentity({ now: clock.now, tables });
  const cloudUsers = new Set(cloud.users().map(({ name }) => name));
  for (const name of options.cloudUsers ?? []) if (!cloudUsers.has(name)) cloud.addUser(name);
  const faults = createFaultBook(options.faults);
  const log = createRequestLog();
  const secrets = createSecretsService({
    profile: profile.secrets,
    catalog: engineCatalog(cloud, { profile: profile.secrets, environment: options.environment ?? {} }),
    mounts: options.mounts === false ? [] : startMounts,
    rootToken: rootGiven,
    now,
    tables,
  });
  const cluster = createClusterService({
    token: tokens.cluster,
    profile: profile.cluster,
    clock: now,
    tables,
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
    requestsPerSecond: options.policyRequestsPerSecond,
    clock: now,
    tables,
  });
  const records = () => ({ secrets: secrets.records(), cluster: cluster.records(), policy: policy.records() });
  const { seal, unseal, catchUp } = secrets;
  const { filterResults } = cluster;
  // The issuer's tokens name its address, which is known once it listens.
  let issuerAddress = "";
  const issuer = options.issuer ? createIssuer({ now, tables, address: () => issuerAddress }) : undefined;
  const steered = { faults, log, cloud, clock, issuer, records, seal, unseal, filterResults, catchUp };
  const admin = createAdminService({ token: tokens.admin, ...steered });
  const exchanges: Exchanges = {
    secrets: secrets.exchange,
    cluster: fetchExchange(cluster),
    policy: fetchExchange(policy),
    admin: fetchExchange(admin),
    ...(issuer === undefined ? {} : { issuer: fetchExchange(issuer.service) }),
  };
  const serve = async (): Promise<Running> => {
    const listeners = await openAll(exchanges, { options, tables, faults, log, tunnels: { cluster: cluster.tunnel } });
    issuerAddress = listeners.issuer?.address ?? "";
    return {
      secrets: { ...served(listeners.secrets), token: secrets.rootToken },
      cluster: { ...served(listeners.cluster), token: tokens.cluster },
      policy: { ...served(listeners.policy), token: tokens.policy, policySet },
      admin: { ...served(listeners.admin), token: tokens.admin },
      ...(issuer === undefined ? {} : { issuer: issuerView(issuer, issuerAddress) }),
      faults,
      log,
      cloud,
      clock,
      records,
      seal,
      unseal,
      close: async () => {
        cluster.close();
        await Promise.all(services.map((service) => listeners[service]?.close()));
        tables.close();
      },
    };
  };
  return { serve, stop: () => cluster.close() };
}

const served = ({ address, handle }: Listener) => ({ address, handle });

function issuerView({ client }: Issuer, address: string): IssuerAddress {
  return { address, clientId: client.id, clientSecret: client.secret };
}

/** Not every server has an issuer. */
type Always = Exclude<Service, "issuer">;
type Exchanges = Readonly<Record<Always, Exchange>> & { readonly issuer?: Exchange };
type Listeners = Readonly<Record<Always, Listener>> & { readonly issuer?: Listener };

interface Opening {
  readonly tunnels: { readonly [service in Service]?: Tunnel };
  readonly options: ServeOptions;
  readonly tables: Tables;
  readonly faults: FaultBook;
  readonly log: RequestLog;
}

async function openAll(exchanges: Exchanges, { options, tables, faults, log, tunnels }: Opening): Promise<Listeners> {
  const open = async (service: Service) => {
    const exchange = exchanges[service];
    if (exchange === undefined) return undefined;
    const { ports, timeouts } = options;
    const listening = { host: hostOf(service, options), port: ports?.[service] ?? 0, timeouts };
    const isEncrypted = service === "secrets" || (options.tlsServices ?? []).includes(service);
    const identity = isEncrypted ? options.tls : undefined;
    // The admin interface itself has no faults and no log.
    const steered = service === "admin" ? {} : { faults, log };
    try {
      const tunnel = tunnels[service];
      const kept = keptExchange(exchange, { service, tables });
      const answers = { exchange: kept, ...(tunnel === undefined ? {} : { tunnel }) };
      return await openListener({ service, ...answers, ...listening, ...steered, identity });
    } catch (error) {
      throw new Error(unopenable(error, { service, ...listening }), { cause: error });
    }
  };
  const outcomes = await Promise.allSettled(services.map(open));
  const opened = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) {
    await Promise.all(opened.map((listener) => listener?.close()));
    throw failed.reason;
  }
  const [secrets, cluster, policy, admin, issuer] = opened;
  if (secrets === undefined || cluster === undefined || policy === undefined || admin === undefined) {
    throw new Error("a listener is missing");
  }
  return { secrets, cluster, policy, admin, ...(issuer === undefined ? {} : { issuer }) };
}

// Everybody who reaches the issuer can log in as any user: it is for programs of this machine only.
function hostOf(service: Service, { host = loopback }: ServeOptions): string {
  return service === "issuer" ? loopback : host;
}

const loopback = "127.0.0.1";

function unopenable(error: unknown, { service, host, port }: { service: Service; host: string; port: number }): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const where = `${host}:${port} (${service})`;
  if (code === "EADDRINUSE") return `cannot listen on ${where}: the port is in use`;
  if (code === "EACCES") return `cannot listen on ${where}: not allowed`;
  return `cannot listen on ${where}: ${error instanceof Error ? error.message : String(error)}`;
}
