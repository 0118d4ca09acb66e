import { afterAll, expect } from "vitest";
import type { ServerInfo } from "../../provider/core/availability.ts";
import { type ProfileName, profiles } from "../../server/profiles/profiles.ts";
import { liveVaultReleases } from "../../tools/live/live-servers.mts";
import type { ServiceName } from "./contract-raw.ts";
import { startEmbedded } from "./contract-servers-embedded.ts";
import { startWithConsul, startWithOpenBao, startWithVault } from "./contract-servers-live.ts";
import type { ContractServers } from "./servers-under-test.ts";

export type { ContractServers, ServiceAddress } from "./servers-under-test.ts";

interface ServerKind {
  start(): Promise<ContractServers>;
  /** What of it is under test; the rest is the embedded server's. */
  readonly services: readonly ServiceName[];
  /** The secrets server as detection finds it. */
  readonly secrets: Omit<ServerInfo, "identity">;
}

const communityVault = (version: string) => ({ product: "vault", version, enterprise: false }) as const;

/** Kinds of servers that the suite can run against: the embedded one under its profiles, and real ones. */
const kinds = {
  embedded: embeddedAs("vault", ["secrets", "cluster", "policy"]),
  "embedded-1.19": embeddedAs("vault-1.19", ["secrets"]),
  "embedded-openbao": embeddedAs("openbao", ["secrets"]),
  "embedded-enterprise": embeddedAs("enterprise", ["secrets", "cluster"]),
  "vault-1.21": {
    start: () => startWithVault("1.21"),
    services: ["secrets"],
    secrets: communityVault(liveVaultReleases["1.21"]),
  },
  "vault-1.19": {
    start: () => startWithVault("1.19"),
    services: ["secrets"],
    secrets: communityVault(liveVaultReleases["1.19"]),
  },
  openbao: {
    start: startWithOpenBao,
    services: ["secrets"],
    secrets: { product: "openbao", version: "2.6.2", enterprise: false },
  },
  consul: { start: startWithConsul, services: ["cluster"], secrets: communityVault("1.21.1") },
} satisfies Record<string, ServerKind>;

function embeddedAs(profile: ProfileName, services: readonly ServiceName[]): ServerKind {
  const { name, version, isEnterprise: enterprise } = profiles[profile].secrets;
  const product = name === "OpenBao" ? "openbao" : "vault";
  return { start: () => startEmbedded({ profile }, { profile }), services, secrets: { product, version, enterprise } };
}

export type ServerKindName = keyof typeof kinds;

/** The kind that this run is about. */
export const serverKind = kindNamed(process.env["TRUSTPLANE_CONTRACT_SERVER"] ?? "embedded");

export const servicesUnderTest: readonly ServiceName[] = kinds[serverKind].services;

/** The secrets server as detection finds it. */
export const secretsServer: ServerInfo = { ...kinds[serverKind].secrets, identity: "" };

export const isEmbedded = serverKind.startsWith("embedded");

/** Whether records show what a server keeps to itself: the embedded one can be looked into. */
export const showsWriteOnly = isEmbedded;

function kindNamed(name: string): ServerKindName {
  if (!Object.hasOwn(kinds, name)) throw new Error(`TRUSTPLANE_CONTRACT_SERVER is ${name}: ${Object.keys(kinds)}`);
  // `hasOwn` has looked.
  return name as ServerKindName;
}

const started = new Map<string, Promise<ContractServers>>();
const ended: Promise<ContractServers>[] = [];

/**
 * How often the tests ask for one embedded server. They leave records behind, all of which every list then holds: after so
 * many, new servers cost less. Real servers are there once.
 */
const USES_PER_SERVER = isEmbedded ? 12 : Number.POSITIVE_INFINITY;
let uses = 0;
let lastTest: string | undefined;

/** The servers of this test, started when first asked for. `which` tells two sets of them apart. */
export function contractServers(which: "first" | "second" = "first"): Promise<ContractServers> {
  const test = expect.getState().currentTestName;
  // What one test has written must stay where it is.
  if (test !== lastTest && uses >= USES_PER_SERVER) {
    ended.push(...started.values());
    started.clear();
    uses = 0;
  }
  uses += 1;
  lastTest = test;
  const running = started.get(which) ?? kinds[serverKind].start();
  started.set(which, running);
  return running;
}

/** To be called once by every file of the suite. */
export function closeServersAfterwards(): void {
  afterAll(async () => {
    const running = [...started.values(), ...ended.splice(0)];
    started.clear();
    await Promise.all(running.map(async (servers) => (await servers).close()));
  });
}
