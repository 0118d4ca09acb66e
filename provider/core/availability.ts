/** A server as far as it could be found out: with one unauthenticated request, at most once per connection. */
export interface ServerInfo {
  readonly product: "vault" | "openbao" | "consul" | "tfe";
  /** Release such as `1.21.1`; absent where the server does not say without a token. */
  readonly version?: string;
  readonly enterprise: boolean;
  /** What tells this server from every other one: cluster id, trust domain or host. */
  readonly identity: string;
}

/** Where a field exists: the first release of each product that knows it. A product that is not named does not have it. */
export interface Availability {
  readonly vault?: string;
  /** Where the commercial edition has it earlier than the community's, or alone. */
  readonly vaultEnterprise?: string;
  readonly openbao?: string;
}

/** What the connected server lacks for a field, naming what has it; undefined when it knows the field. */
export function lacking(needs: Availability, server: ServerInfo): string | undefined {
  const since = sinceOn(needs, server);
  if (since !== undefined && (server.version === undefined || !isOlder(server.version, since))) return undefined;
  return `needs ${describe(needs)}; the server is ${productName(server)}${server.version ? ` ${server.version}` : ""}`;
}

/**
 * True where a write may name the field to reset it. The community edition stores and shows what only Enterprise of the
 * same release can use, and ignores what it does not know (asked of Vault 1.19.0 and 1.21.1).
 */
export function isResettable(needs: Availability, server: ServerInfo): boolean {
  return lacking(needs, { ...server, enterprise: true }) === undefined;
}

/** Where a field exists, in words. */
export function describe(needs: Availability): string {
  const releases = [
    ["Vault", needs.vault],
    ["Vault Enterprise", needs.vaultEnterprise],
    ["OpenBao", needs.openbao],
  ] as const;
  return releases.flatMap(([name, since]) => (since === undefined ? [] : [`${name} ${since} or newer`])).join(", or ");
}

/** Compares releases by their numbers; build and edition suffixes do not count. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  const at = [0, 1, 2].find((index) => a[index] !== b[index]);
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0);
}

const NAMES = { vault: "Vault", openbao: "OpenBao", consul: "Consul", tfe: "HCP Terraform" } as const;

function sinceOn(needs: Availability, server: ServerInfo): string | undefined {
  if (server.product === "openbao") return needs.openbao;
  if (server.product !== "vault") return undefined;
  return server.enterprise ? (needs.vaultEnterprise ?? needs.vault) : needs.vault;
}

function productName(server: ServerInfo): string {
  return NAMES[server.product] + (server.product === "vault" && !server.enterprise ? " (community edition)" : "");
}

function numbersOf(version: string): number[] {
  const [, major, minor = 0, patch = 0] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version) ?? [];
  return [Number(major ?? 0), Number(minor), Number(patch)];
}
