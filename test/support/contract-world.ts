import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { type HostName, hosts } from "./contract-host.ts";
import { openProxy } from "./contract-proxy.ts";
import { type RawApi, rawApi, type ServiceName, serviceNames } from "./contract-raw.ts";
import { type ContractServers, contractServers } from "./contract-servers.ts";
import { createTraffic, type Traffic } from "./contract-traffic.ts";
import type { ResourceName } from "./host-under-test.ts";

/** What one test works with: its own way to the servers, and names that nobody else uses. */
export interface World {
  readonly servers: ContractServers;
  /** What passes between the provider and the servers. */
  readonly traffic: Traffic;
  /** The service itself, past the proxy. */
  raw(service: ServiceName): RawApi;
  /** A name that no other test uses, of lower-case letters and digits. */
  fresh(prefix: string): string;
  /** A host in a process of its own, as far as connections go. */
  host<Name extends HostName>(
    name: Name,
    resource: ResourceName,
    settings?: ConnectionSettings,
  ): ReturnType<(typeof hosts)[Name]>;
  /** The configuration that such a host gets. Connections `east` and `west` are the two clusters. */
  config(settings?: ConnectionSettings): Record<string, string>;
}

export interface ConnectionSettings {
  readonly maxRetries?: number;
  readonly timeoutSeconds?: number;
  readonly offline?: boolean;
  readonly rebuilt?: boolean;
  readonly takeOver?: "same" | "always" | "never" | undefined;
  /** Replaces the token. */
  readonly token?: string;
  readonly namespace?: string;
  readonly partition?: string;
}

let runs = 0;

interface WorldOptions {
  readonly which?: "first" | "second";
  /** Servers of the test's own. */
  readonly servers?: ContractServers;
}

/** Opens a world that goes away with the test. */
export async function openWorld({ which = "first", ...own }: WorldOptions = {}): Promise<World> {
  const servers = own.servers ?? (await contractServers(which));
  const traffic = createTraffic();
  const ways = await Promise.all(
    serviceNames.map(async (service) => {
      const proxy = await openProxy(servers[service], service, traffic);
      const variable = `TRUSTPLANE_CONTRACT_${service}_${randomBytes(6).toString("hex")}`;
      process.env[variable] = servers[service].token;
      return { service, proxy, variable };
    }),
  );
  onTestFinished(async () => {
    for (const { variable } of ways) delete process.env[variable];
    await Promise.all(ways.map(({ proxy }) => proxy.close()));
  });

  const config: World["config"] = ({ token, ...settings } = {}) => {
    const entries = ways.map(({ service, proxy, variable }) => {
      const credentials = token === undefined ? { tokenEnv: variable } : { token };
      return [service, { address: proxy.address, maxRetries: 0, ...credentials, ...settings }] as const;
    });
    const { peer, ...own } = Object.fromEntries(entries);
    runs += 1;
    const connections = {
      east: { service: "cluster", ...own["cluster"] },
      west: { service: "cluster", ...peer },
      // Nobody uses it: the dynamic host shares connections between hosts of the same configuration.
      [`run-${runs}`]: { service: "secrets", address: "http://127.0.0.1:9" },
    };
    const texts = Object.entries({ ...own, connections }).map(([key, entry]) => [key, JSON.stringify(entry)]);
    return Object.fromEntries(texts);
  };
  return {
    servers,
    traffic,
    raw: (service) => rawApi(service, servers[service]),
    fresh: (prefix) => `${prefix}${randomBytes(5).toString("hex")}`,
    config,
    // The compiler does not follow a name into the table.
    host: (name, resource, settings) =>
      hosts[name]({ resource, config: config(settings) }) as ReturnType<(typeof hosts)[typeof name]>,
  };
}
