/** The form in which the server prints an address block (reference secrets-server 2.4), or undefined when it is none. */
export function canonicalCidr(text: string): string | undefined {
  const [, address = "", mask] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const v4 = canonicalV4(address);
  const host = v4 ?? canonicalV6(address);
  if (host === undefined) return undefined;
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

function canonicalV6(address: string): string | undefined {
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(":")) return undefined;
  const url = `http://[${address}]/`;
  // The URL parser compresses and lower-cases an IPv6 address exactly as RFC 5952 and Go do.
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}
