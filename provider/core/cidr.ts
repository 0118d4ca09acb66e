/** The form in which the server prints an address block, or undefined when it is none. */
export function canonicalCidr(text: string): string | undefined {
  const [, inside, outside = "", port] = /^(?:\[(.*)\]|([^:]*)):(\d{1,5})$/.exec(text.trim()) ?? [];
  if (port !== undefined) return withPort(inside, outside, port);
  const [, address = "", mask] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const v4 = canonicalV4(address);
  const host = v4 ?? canonicalV6(address);
  if (host === undefined) return undefined;
  const mapped = v4OfMapped(host);
  if (mapped) return block(mapped, mask === undefined ? 32 : Number(mask) - 96, 32);
  const bits = v4 === undefined ? 128 : 32;
  return block(host, mask === undefined ? bits : Number(mask), bits);
}

function block(host: string, mask: number, bits: number): string | undefined {
  if (mask === bits) return host;
  return mask >= 0 && mask < bits ? `${host}/${mask}` : undefined;
}

/** The server takes an address with a port too, and keeps it. */
function withPort(v6: string | undefined, v4: string, port: string): string | undefined {
  const host = v6 === undefined ? canonicalV4(v4) : canonicalV6(v6);
  if (host === undefined || Number(port) > 65_535) return undefined;
  return `${v6 === undefined ? host : `[${host}]`}:${Number(port)}`;
}

function canonicalV4(address: string): string | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1);
  // Go refuses leading zeros: they were octal once.
  const valid = parts?.every((part) => Number(part) <= 255 && String(Number(part)) === part);
  return valid ? address : undefined;
}

/** Go prints an IPv4 address in IPv6 form as the IPv4 address. */
function v4OfMapped(address: string): string | undefined {
  const [, high = "", low = ""] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return low === "" ? undefined : [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

function canonicalV6(address: string): string | undefined {
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(":")) return undefined;
  const url = `http://[${address}]/`;
  // The URL parser compresses and lower-cases an IPv6 address exactly as RFC 5952 and Go do.
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
