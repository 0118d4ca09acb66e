import { afterAll } from "vitest";
import type { ServiceName } from "./contract-raw.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";

/** Where a service listens, with a token that may do everything. */
export interface ServiceAddress {
  readonly address: string;
  readonly token: string;
}

/** The servers that a run of the suite works on. */
export interface ContractServers {
  readonly secrets: ServiceAddress;
  readonly cluster: ServiceAddress;
  /** Another cluster, to peer with. */
  readonly peer: ServiceAddress;
  readonly policy: ServiceAddress & { readonly policySet: string };
  /**
   * The record as the server keeps it, write-only values included where it can be looked into. `path` is the API's
   * own, without prefix; undefined when there is none.
   */
  stored(service: ServiceName, path: string): Promise<unknown>;
  /** Makes a user at the cloud that the secrets server talks to; answers the root credentials to configure. */
  cloudUser(name: string): Promise<CloudCredentials>;
  close(): Promise<void>;
}

/** Credentials with which the secrets server finds its cloud. */
export interface CloudCredentials {
  readonly access_key: string;
  readonly secret_key: string;
  readonly [field: string]: unknown;
}

/** Kinds of servers that the suite can run against; real ones are a further line. */
const kinds = { embedded: startEmbedded } satisfies Record<string, () => Promise<ContractServers>>;

const started = new Map<string, Promise<ContractServers>>();

/** The servers of this test file, started when first asked for. `which` tells two sets of them apart. */
export function contractServers(which: "first" | "second" = "first"): Promise<ContractServers> {
  const running = started.get(which) ?? kinds.embedded();
  started.set(which, running);
  return running;
}

/** To be called once by every file of the suite. */
export function closeServersAfterwards(): void {
  afterAll(async () => {
    const running = [...started.values()];
    started.clear();
    await Promise.all(running.map(async (servers) => (await servers).close()));
  });
}
