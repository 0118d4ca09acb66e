import { goQuery, goUrlText, parseGoUrl } from "../../framework/go-url";
import { isLoopbackHost } from "../../http/loopback-host";
import type { BrowserLoginProfile } from "../../profiles/secrets-profile";

interface Allowing extends Pick<BrowserLoginProfile, "comparesRedirectsExactly"> {
  readonly allowed: readonly string[];
}

/** Whether a role allows a redirect URI. Ports do not count on this machine (RFC 8252, section 7.3). */
export function isRedirectAllowed(uri: string, { allowed, comparesRedirectsExactly: isExact }: Allowing): boolean {
  const given = parseGoUrl(uri);
  if (given === undefined) return false;
  const isLocal = isExact ? usualLoopbackHosts.has(given.hostname) : isLoopbackHost(given.hostname);
  const compared = (text: string) => (isExact ? text : text.toLowerCase());
  if (!isLocal) return allowed.some((each) => compared(each) === compared(uri));
  for (const each of allowed) {
    const parsed = parseGoUrl(each);
    // The first one that cannot be parsed ends Vault's search.
    if (parsed === undefined) return false;
    if (withoutPort(parsed) === withoutPort(given)) return true;
  }
  return false;
}

const usualLoopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

function withoutPort(url: Parameters<typeof goUrlText>[0] & { readonly hostname: string }): string {
  return goUrlText({ ...url, host: url.hostname });
}

export interface Destination {
  readonly uri: string;
  /** `""` for none. */
  readonly namespace: string;
}

/** Takes the query parameter `namespace` off, for the state to carry it; `undefined` for an invalid URI. */
export function withoutNamespace(uri: string): Destination | undefined {
  const url = parseGoUrl(uri);
  if (url === undefined) return undefined;
  const query = new URLSearchParams(url.query);
  const namespace = query.get("namespace") ?? "";
  if (namespace === "") return { uri, namespace };
  query.delete("namespace");
  return { uri: goUrlText({ ...url, query: goQuery(query) }), namespace };
}

/** The mount in a redirect URI that leads to the server itself: the one segment after `v1/auth/`. */
export function mountInRedirect(uri: string): string | undefined {
  return /(?:^|\/)v1\/auth\/([^/]+)/.exec(uri)?.[1];
}
