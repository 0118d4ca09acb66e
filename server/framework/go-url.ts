import { compareBytes } from "./go-format";

/** Percent-encodes a part of a query as Go's `url.QueryEscape` does. */
export function goQueryEscape(text: string): string {
  const escaped = encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return escaped.replaceAll("%20", "+").replace(/%[0-9a-f]{2}/g, (triplet) => triplet.toUpperCase());
}

/** A query as Go's `url.Values.Encode` prints it: sorted by key. */
export function goQuery(members: Iterable<readonly [string, string]>): string {
  const sorted = [...members].sort(([a], [b]) => compareBytes(a, b));
  return sorted.map(([key, value]) => `${goQueryEscape(key)}=${goQueryEscape(value)}`).join("&");
}

export interface GoUrl {
  /** Up to the host, such as `http://` or `http://user@`; the scheme in lower case. */
  readonly start: string;
  /** Without port, and without the brackets of IPv6. */
  readonly hostname: string;
  /** As written, with its port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The parts of a URL as Go's `url.Parse` finds them, nothing mended; `undefined` for what Go cannot parse. */
export function parseGoUrl(text: string): GoUrl | undefined {
  const [, scheme = "", authority, path = "", query = "", fragment = ""] =
    /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/i.exec(text) ?? [];
  const [, user = "", host = ""] = /^(.*@)?(.*)$/.exec(authority ?? "") ?? [];
  const [, bracketed, plain = "", port = ""] = /^(?:\[([^\]]*)\]|([^:]*))(:.*)?$/.exec(host) ?? [];
  const isWrong =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what Go refuses.
    /[\x00-\x1f\x7f]/.test(text) ||
    /%(?![0-9a-f]{2})/i.test(`${host}${path}`) ||
    /\s/.test(host) ||
    !/^(?::\d*)?$/.test(port) ||
    text.startsWith(":") ||
    (scheme === "" && authority === undefined && /^[^/]*:/.test(path));
  if (isWrong) return undefined;
  const start = `${scheme === "" ? "" : `${scheme.toLowerCase()}:`}${authority === undefined ? "" : `//${user}`}`;
  return { start, host, hostname: bracketed ?? plain, path, query, fragment };
}

/** The URL again. */
export function goUrlText({ start, host, path, query, fragment }: Omit<GoUrl, "hostname">): string {
  return `${start}${host}${path}${query === "" ? "" : `?${query}`}${fragment === "" ? "" : `#${fragment}`}`;
}
