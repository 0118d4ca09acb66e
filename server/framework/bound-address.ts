import { BlockList, isIPv4, isIPv6 } from "node:net";
import { goQuoted } from "./go-quoted";

/** An address as the role stores it: the text of an IP address or network, or the path of a socket. */
export type BoundAddress = string | { readonly socket: string };

/**
 * Reads an address as Vault does: IPv4, IPv6, networks, `ip:port`; what contains a slash and is none of them is taken for a
 * UNIX socket. `undefined` for anything else.
 */
export function parseBoundAddress(text: string): BoundAddress | undefined {
  const withoutHexMask = text.replace(/\/[0-9a-f]{8}$/, "");
  const parsed = network(withoutHexMask) ?? hostWithPort(withoutHexMask) ?? host(withoutHexMask);
  if (parsed !== undefined) return parsed;
  return text.length > 1 && (/^[./]/.test(text) || text.includes("/")) ? { socket: text } : undefined;
}

/** The address as a read shows it: a socket is quoted twice, because storing and showing each quote it. */
export function shownAddress(address: BoundAddress): string {
  return typeof address === "string" ? address : quoted(quoted(address.socket));
}

/** The address after the role was loaded from storage: a socket has gained a level of quotes. */
export function reloadedAddress(address: BoundAddress): BoundAddress {
  return typeof address === "string" ? address : { socket: quoted(address.socket) };
}

/** Whether a caller may use this address. Without bound addresses all may. Ports do not count, and no caller uses a socket. */
export function isWithinBounds(remoteAddress: string, bounds: readonly BoundAddress[]): boolean {
  const remote = canonical(remoteAddress);
  return bounds.length === 0 || (remote !== undefined && bounds.some((bound) => contains(bound, remote)));
}

function contains(bound: BoundAddress, { text, family }: Canonical): boolean {
  const parts = typeof bound === "string" ? /^\[?([^[\]/]+?)\]?(?:\/(\d+))?$/.exec(withoutPort(bound)) : null;
  const base = canonical(parts?.[1] ?? "");
  if (base === undefined || base.family !== family) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(base.text, Number(parts?.[2] ?? (family === 4 ? 32 : 128)), type);
  return list.check(text, type);
}

function withoutPort(address: string): string {
  return address.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d+$/, "$1");
}

function quoted(text: string): string {
  return goQuoted(text, { ascii: true });
}

function network(text: string): string | undefined {
  const match = /^(.*)\/(\d+)$/.exec(text);
  const address = canonical(match?.[1] ?? "");
  if (match === null || address === undefined) return undefined;
  const isMapped = address.family === 4 && text.includes(":");
  const bits = Number(match[2]) - (isMapped ? 96 : 0);
  const width = address.family === 4 ? 32 : 128;
  if (bits < 0 || bits > width) return undefined;
  return bits === width ? address.text : `${address.text}/${bits}`;
}

function hostWithPort(text: string): string | undefined {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d*)$/.exec(text);
  const address = canonical(match?.[1] ?? match?.[2] ?? "");
  const port = Number(match?.[3] ?? "");
  if (match === null || address === undefined || port > 65_535) return undefined;
  if (port === 0) return address.text;
  return address.family === 4 ? `${address.text}:${port}` : `[${address.text}]:${port}`;
}

function host(text: string): string | undefined {
  return canonical(text.replace(/^\[(.*)\]$/, "$1"))?.text;
}

interface Canonical {
  readonly text: string;
  readonly family: 4 | 6;
}

function canonical(text: string): Canonical | undefined {
  if (isIPv4(text)) return { text, family: 4 };
  if (!isIPv6(text) || text.includes("%")) return undefined;
  // The URL parser writes IPv6 in the same canonical form as Go (RFC 5952).
  const compressed = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed);
  if (mapped === null) return { text: compressed, family: 6 };
  const words = [mapped[1] ?? "", mapped[2] ?? ""].map((word) => Number.parseInt(word, 16));
  return { text: words.flatMap((word) => [word >> 8, word & 255]).join("."), family: 4 };
}
