import { afterAll } from "vitest";
import type { ServerInfo } from "../../provider/core/availability.ts";
import { liveVaultReleases } from "../../tools/live/live-servers.mts";
import type { ServiceName } from "./contract-raw.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";
import { startWithConsul, startWithVault } from "./contract-servers-live.ts";

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
  /** Endpoint at which that cloud says whose credentials a request is signed with. */
  readonly tokenService: string;
  close(): Promise<void>;
}

/** Credentials with which the secrets server finds its cloud. */
export interface CloudCredentials {
  readonly access_key: string;
  readonly secret_key: string;
  readonly [field: string]: unknown;
}

interface ServerKind {
  start(): Promise<ContractServers>;
  /** What of it is under test; the rest is the embedded server's. */
  readonly services: readonly ServiceName[];
  /** Release of the secrets server. */
  readonly vault: string;
}

/** Kinds of servers that the suite can run against. */
const kinds = {
  embedded: { start: startEmbedded, services: ["secrets", "cluster", "policy"], vault: "1.21.1" },
  "vault-1.21": { start: () => startWithVault("1.21"), services: ["secrets"], vault: liveVaultReleases["1.21"] },
  "vault-1.19": { start: () => startWithVault("1.19"), services: ["secrets"], vault: liveVaultReleases["1.19"] },
  consul: { start: startWithConsul, services: ["cluster"], vault: "1.21.1" },
} satisfies Record<string, ServerKind>;

export type ServerKindName = keyof typeof kinds;

/** The kind that this run is about. */
export const serverKind = kindNamed(process.env["TRUSTPLANE_CONTRACT_SERVER"] ?? "embedded");

export const servicesUnderTest: readonly ServiceName[] = kinds[serverKind].services;

/** The secrets server as detection finds it. */
export const secretsServer: ServerInfo = {
  product: "vault",
  version: kinds[serverKind].vault,
  enterprise: false,
  identity: "",
};

/** Whether records show what a server keeps to itself: the embedded one can be looked into. */
export const showsWriteOnly = serverKind === "embedded";

function kindNamed(name: string): ServerKindName {
  if (!Object.hasOwn(kinds, name)) throw new Error(`TRUSTPLANE_CONTRACT_SERVER is ${name}: ${Object.keys(kinds)}`);
  // `hasOwn` has looked.
  return name as ServerKindName;
}

const started = new Map<string, Promise<ContractServers>>();

/** The servers of this test file, started when first asked for. `which` tells two sets of them apart. */
export function contractServers(which: "first" | "second" = "first"): Promise<ContractServers> {
  const running = started.get(which) ?? kinds[serverKind].start();
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
