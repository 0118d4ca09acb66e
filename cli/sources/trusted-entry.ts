import { type Service, type ServiceDefaults, serviceDefaults } from "../../provider/core/connection-entry";
import type { Environment } from "../../provider/engine/settings";
import type { KeyTexts, RawEntry } from "../stack/stack-configuration";

/** What the user, and not the state, says about servers and credentials. */
export interface Trusted {
  readonly env: Environment;
  /** The stack's configuration, as its folder has it now; undefined where only a state was given. */
  readonly stack: KeyTexts | undefined;
  /** What `--connection` says, by name. */
  readonly named: ReadonlyMap<string, RawEntry>;
}

/** A connection that the state or the user names. */
export interface Candidate {
  /** What the user calls it on the command line. */
  readonly label: string;
  /** Set for a service's own connection. */
  readonly service: Service | undefined;
  /** True for the default provider, which finds its server in the environment; false for one that the program creates. */
  readonly isDefault: boolean;
  /** What the state says. */
  readonly recorded: RawEntry;
  /** What the stack's configuration says. */
  readonly configured: RawEntry | undefined;
}

/** The settings of a connection that are used, and those that are not. */
export interface TrustedEntry {
  readonly entry: RawEntry;
  /** Why nothing is sent to this server; undefined when requests are allowed. */
  readonly refusal: string | undefined;
  /** Settings of the state that are not used. */
  readonly unused: readonly string[];
}

/**
 * The settings that may come from the state. Somebody may have changed the state, so the address, the certificates and
 * the credentials never come from it.
 */
const HARMLESS: readonly string[] = [
  "service",
  "namespace",
  "partition",
  "maxRetries",
  "timeoutSeconds",
  "offline",
  "takeOver",
];

export function trustedEntry(candidate: Candidate, { env, stack, named }: Trusted): TrustedEntry {
  const { label, service, isDefault, recorded, configured } = candidate;
  const flagged = named.get(label);
  const harmless = Object.fromEntries(Object.entries(recorded).filter(([field]) => HARMLESS.includes(field)));
  const { service: kind, ...rest }: RawEntry = { ...(configured ?? harmless), ...flagged };
  // A service's own connection must not have the field `service`.
  const entry = service === undefined ? { ...rest, service: kind } : rest;
  const isSaid = configured !== undefined || flagged !== undefined;
  const unused = isSaid ? [] : Object.keys(recorded).filter((field) => field !== "address" && !(field in harmless));
  const { address } = recorded;
  const confirmed = { entry, refusal: undefined, unused };
  if (rest["address"] !== undefined || typeof address !== "string") return confirmed;
  const variables = service ? ((serviceDefaults[service] as ServiceDefaults).environment.address ?? []) : [];
  const ambient = variables.map((variable) => env[variable]).find(Boolean);
  if (ambient !== undefined && isDefault) return confirmed;
  if (service && isSame(address, ambient ?? serviceDefaults[service].address)) return confirmed;
  const ways = [
    ...(isDefault ? variables.slice(-1).map((variable) => `set ${variable}`) : []),
    `give --connection ${label}=<address>${service && isDefault ? "" : ",tokenEnv=<variable>"}`,
    ...(isDefault && stack === undefined ? ["run it where the stack's configuration is, without --state"] : []),
  ];
  const refusal = `only the state has the address of ${label} (${originOf(address)}), so nothing is sent there. If it is right, ${ways.join(", or ")}.`;
  return { entry: { ...entry, address }, refusal, unused };
}

function isSame(a: string, b: string): boolean {
  return a === b || (URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host || "?" : "?";
}
