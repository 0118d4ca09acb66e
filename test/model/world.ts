import { type Running, startServers } from "../../server/serve.ts";
import { type RawApi, rawApi, type ServiceName } from "../support/contract-raw.ts";
import type { Config } from "./provider-process.ts";
import { OF_OTHERS } from "./replicas.ts";
import { openWay, type Side, Traffic, type Way } from "./way.ts";

/** Everything that a server keeps, by service and storage path, write-only values included. */
export type Records = Readonly<Record<string, unknown>>;

/** How the stack reaches its servers; what a user configures. */
export interface Reach {
  readonly side: Side;
  readonly offline: boolean;
}

export const POLICY_SETS = ["polset-demo000000000001", "polset-demo000000000002"] as const;
/** The connection under a name, which leads to the same servers. */
export const NAMED = { secrets: "vault-by-name", policy: "policy-by-name", cluster: "consul-by-name" } as const;
const SERVICES = ["secrets", "policy", "cluster"] as const;
type Reached = (typeof SERVICES)[number];
const ADDRESSES = { secrets: "VAULT_ADDR", policy: "TFE_ADDRESS", cluster: "CONSUL_HTTP_ADDR" } as const;
/** Users of the cloud, for static roles. */
export const CLOUD_USERS = ["app", "batch", "cron"] as const;

/** What others had configured before the stack began. */
export const OUTSIDE = "cloud/config/root";

/** Two sets of servers, and the ways of the provider to them. */
export class World {
  readonly traffic = new Traffic();
  reach: Reach = { side: "home", offline: false };
  /** Where the address stands: the configuration is that of the last update at refresh and destroy, the environment is not. */
  addressing: "configuration" | "environment" = "configuration";
  /** What a message has asked to set, for one run. */
  variables: Readonly<Record<string, string>> = {};
  #servers!: Record<Side, Running>;
  #ways!: Record<Side, Record<Reached, Way>>;

  static async open(): Promise<World> {
    const world = new World();
    world.#servers = { home: await startServer(), away: await startServer() };
    const waysOf = async (side: Side) => {
      const open = async (service: Reached) => [service, await openWay(side, service, world.traffic)] as const;
      // Each service has its way.
      return Object.fromEntries(await Promise.all(SERVICES.map(open))) as Record<Reached, Way>;
    };
    world.#ways = { home: await waysOf("home"), away: await waysOf("away") };
    world.#lead("home");
    world.#lead("away");
    return world;
  }

  async close(): Promise<void> {
    const ways = [this.#ways.home, this.#ways.away].flatMap((each) => Object.values(each));
    await Promise.all([...ways.map((way) => way.close()), this.#servers.home.close(), this.#servers.away.close()]);
  }

  /** The server's own API, past the proxy. */
  raw(side: Side, service: ServiceName): RawApi {
    const { secrets, policy, cluster } = this.#servers[side];
    return rawApi(service, { secrets, policy, cluster, peer: cluster }[service]);
  }

  /** A copy of what is stored, taken past the API: asking costs nothing and nobody sees it. */
  records(side: Side): Records {
    const { secrets, policy, cluster } = this.#servers[side].records();
    // A group is there once more, by its name.
    const own = Object.entries(secrets).filter(([path]) => !path.startsWith("identity/group/id/"));
    return structuredClone({ ...Object.fromEntries(own), ...policy, ...cluster }) as Records;
  }

  /** The server is gone, and a new one without any data has its address. */
  async rebuild(): Promise<void> {
    await this.#servers.home.close();
    this.#servers.home = await startServer();
    this.#lead("home");
  }

  /** Others write next, past the ways: nodes fall behind that, too. */
  async fallBehind(): Promise<void> {
    await Promise.all(Object.values(this.#ways.home).map(({ replicas }) => replicas.fallBehind(OF_OTHERS)));
  }

  /** Tokens of all connections, which are secrets. */
  tokens(): readonly string[] {
    return [this.#servers.home, this.#servers.away].flatMap((server) =>
      SERVICES.map((service) => server[service].token),
    );
  }

  /** The user has said that he knows that the server is another one now. */
  get isAcknowledged(): boolean {
    return this.variables["TRUSTPLANE_REBUILT"] !== undefined;
  }

  /** Puts the tokens where the configuration says that they are. */
  enter(): void {
    Object.assign(process.env, this.variables);
    for (const service of SERVICES) {
      process.env[variableOf(service)] = this.#servers[this.reach.side][service].token;
      if (this.addressing === "environment")
        process.env[ADDRESSES[service]] = this.#ways[this.reach.side][service].address;
    }
  }

  leave(): void {
    for (const name of Object.keys(this.variables)) delete process.env[name];
    for (const service of SERVICES) {
      delete process.env[variableOf(service)];
      delete process.env[ADDRESSES[service]];
    }
  }

  /** The stack's configuration as it is now. */
  config(): Config {
    const { side, offline } = this.reach;
    const entryOf = (service: Reached, isOwn = true) => ({
      ...(isOwn && this.addressing === "environment" ? {} : { address: this.#ways[side][service].address }),
      maxRetries: 0,
      tokenEnv: variableOf(service),
      ...(offline ? { offline } : {}),
    });
    const connections = {
      [NAMED.secrets]: { service: "secrets", ...entryOf("secrets", false) },
      [NAMED.policy]: { service: "policy", ...entryOf("policy", false) },
      [NAMED.cluster]: { service: "cluster", ...entryOf("cluster", false) },
    };
    const own = Object.fromEntries(SERVICES.map((service) => [service, entryOf(service)]));
    const all = { ...own, connections };
    return Object.fromEntries(Object.entries(all).map(([key, entry]) => [key, JSON.stringify(entry)]));
  }

  #lead(side: Side): void {
    for (const service of SERVICES) this.#ways[side][service].leadTo(this.#servers[side][service].address);
  }
}

function variableOf(service: string): string {
  return `TRUSTPLANE_MODEL_TOKEN_${service.toUpperCase()}`;
}

async function startServer(): Promise<Running> {
  const [policySet, ...policySets] = POLICY_SETS;
  const server = await startServers({ policySet, policySets, peeringDeleteDelayMs: 0, cloudUsers: CLOUD_USERS });
  const secrets = rawApi("secrets", server.secrets);
  await secrets.call(`POST ${OUTSIDE}`, {
    access_key: "AKIAOUTSIDE",
    secret_key: "outside",
    region: "eu-west-1",
  });
  return server;
}
