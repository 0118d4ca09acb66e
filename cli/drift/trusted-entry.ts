import { type Service, type ServiceDefaults, serviceDefaults } from "../../provider/core/connection-entry";
import type { Environment } from "../../provider/engine/settings";
import type { KeyTexts, RawEntry } from "./stack-configuration";

/** What the user says about servers and credentials, beside the state. */
export interface Trusted {
  readonly env: Environment;
  /** The stack's configuration, as its folder has it now; undefined where only a state was given. */
  readonly stack: KeyTexts | undefined;
  /** What `--connection` says, by name. */
  readonly named: ReadonlyMap<string, RawEntry>;
}

/** A connection that the state knows, or the user. */
export interface Candidate {
  /** What the user calls it on the command line. */
  readonly label: string;
  /** Where it is the service's own connection. */
  readonly service: Service | undefined;
  /** Not of a provider of the program: the environment's server is its own. */
  readonly isDefault: boolean;
  /** What the state says. */
  readonly recorded: RawEntry;
  /** What the stack's configuration says. */
  readonly configured: RawEntry | undefined;
}

/** A connection as it is used. */
export interface TrustedEntry {
  readonly entry: RawEntry;
  /** Why nothing is sent there; undefined when something may be. */
  readonly refusal: string | undefined;
  /** What is left out of what the state says. */
  readonly unused: readonly string[];
}

/**
 * What a state may say about a connection. Somebody may have tampered with it: which server is asked, what proves that it
 * is this one, and whose credentials it is sent, is never taken from there.
 */
const HARMLESS: readonly string[] = ["service", "namespace", "partition", "maxRetries", "timeoutSeconds", "offline"];

export function trustedEntry(candidate: Candidate, { env, stack, named }: Trusted): TrustedEntry {
  const { label, service, isDefault, recorded, configured } = candidate;
  const flagged = named.get(label);
  const harmless = Object.fromEntries(Object.entries(recorded).filter(([field]) => HARMLESS.includes(field)));
  const { service: kind, ...rest }: RawEntry = { ...(configured ?? harmless), ...flagged };
  // A service's own connection need not say which service it is, and may not.
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
  const refusal = `only the state says where ${label} is (${originOf(address)}), so nothing is sent there. If that is right, ${ways.join(", or ")}.`;
  return { entry: { ...entry, address }, refusal, unused };
}

function isSame(a: string, b: string): boolean {
  return a === b || (URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host || "?" : "?";
}
