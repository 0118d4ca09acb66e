/** The form in which the server prints an address block (reference secrets-server 2.4), or undefined when it is none. */
export function canonicalCidr(text: string): string | undefined {
  const [, address = "", mask] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const v4 = canonicalV4(address);
  const host = v4 ?? canonicalV6(address);
  if (host === undefined) return undefined;
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host);
  if (mapped) return mask === undefined ? v4OfMapped(mapped) : undefined;
  const bits = v4 === undefined ? 128 : 32;
  if (mask === undefined || Number(mask) === bits) return host;
  return Number(mask) < bits ? `${host}/${Number(mask)}` : undefined;
}

function canonicalV4(address: string): string | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1);
  // Go refuses leading zeros: they were octal once.
  const valid = parts?.every((part) => Number(part) <= 255 && String(Number(part)) === part);
  return valid ? address : undefined;
}

/** Go prints an IPv4 address in IPv6 form as the IPv4 address, and takes no mask with it. */
function v4OfMapped([, high = "", low = ""]: RegExpExecArray): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

function canonicalV6(address: string): string | undefined {
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(":")) return undefined;
  const url = `http://[${address}]/`;
  // The URL parser compresses and lower-cases an IPv6 address exactly as RFC 5952 and Go do.
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
