import { openProxy } from "../support/contract-proxy.ts";
import { type RawApi, rawApi, type ServiceName, serviceNames } from "../support/contract-raw.ts";
import type { ServiceAddress } from "../support/contract-servers.ts";
import { createTraffic, lineOf, type Traffic } from "../support/contract-traffic.ts";

/** Servers of whatever kind; `peer` is the cluster that `cluster` peers with. */
export type Services = Partial<Readonly<Record<ServiceName, ServiceAddress>>>;

/** Servers behind loopback proxies: what the CLI's programs send can be seen, held and made to fail. */
export interface WatchedServers {
  readonly traffic: Traffic;
  /** The variables with which a program finds them, through the proxies. */
  readonly env: Readonly<Record<string, string>>;
  /** The stack's configuration of the connection `partner`, which leads to `peer`. */
  readonly partner: Readonly<Record<string, string>>;
  /** A service itself, past the proxy. */
  raw(service: ServiceName): RawApi;
  /** What was sent since the last call of this function and may change something, as `POST /v1/auth/jwt/role/ci`. */
  writes(): string[];
  /** Ends the proxies, not the servers. */
  readonly close: () => Promise<void>;
}

export async function watch(servers: Services): Promise<WatchedServers> {
  const traffic = createTraffic();
  const opened = serviceNames.map(async (service) => {
    const at = servers[service];
    const proxy = at && (await openProxy(at, service, traffic));
    return proxy && { service, proxy, at: { address: proxy.address, token: at.token } };
  });
  const ways = (await Promise.all(opened)).filter((way) => way !== undefined);
  const proxied: Services = Object.fromEntries(ways.map(({ service, at }) => [service, at]));
  return {
    traffic,
    env: environmentOf(proxied),
    partner: { service: "cluster", address: proxied.peer?.address ?? "", tokenEnv: "PARTNER_CONSUL_TOKEN" },
    raw(service) {
      const at = servers[service];
      if (at === undefined) throw new Error(`there is no ${service} server`);
      return rawApi(service, at);
    },
    writes() {
      const sent = traffic.seen().filter(({ method }) => method !== "GET");
      traffic.forget();
      return sent.map(lineOf);
    },
    close: async () => void (await Promise.all(ways.map(({ proxy }) => proxy.close()))),
  };
}

/** The variables with which a program finds the servers. */
export function environmentOf(servers: Services): Record<string, string> {
  const given = serviceNames.map((service) => {
    const at = servers[service];
    return at === undefined ? {} : variables[service](at);
  });
  return Object.assign({}, ...given);
}

const variables: Readonly<Record<ServiceName, (at: ServiceAddress) => Record<string, string>>> = {
  secrets: ({ address, token }) => ({ VAULT_ADDR: address, VAULT_TOKEN: token }),
  cluster: ({ address, token }) => ({ CONSUL_HTTP_ADDR: address, CONSUL_HTTP_TOKEN: token }),
  peer: ({ token }) => ({ PARTNER_CONSUL_TOKEN: token }),
  policy: ({ address, token }) => ({ TFE_ADDRESS: address, TFE_TOKEN: token }),
};
