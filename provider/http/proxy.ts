type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that names it. */
export interface ForwardProxy {
  readonly url: string;
  readonly variable: string;
}

/** True for this machine's own addresses, which are never asked for through a proxy. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/**
 * The proxy that a request goes through, as the HTTP client reads the environment: the lower-case name first, and that for
 * http also for https where there is no other. Answers the entry of NO_PROXY where one keeps it from being used.
 */
export function proxyFor(url: URL, env: Environment): { readonly proxy?: ForwardProxy; readonly kept?: string } {
  const http = variableIn(env, ["http_proxy", "HTTP_PROXY"]);
  const https = variableIn(env, ["https_proxy", "HTTPS_PROXY"]) ?? http;
  const proxy = url.protocol === "https:" ? https : http;
  if (proxy === undefined || isLoopback(url)) return {};
  const kept = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(/[,\s]/).find((entry) => keeps(entry, url));
  return kept === undefined ? { proxy } : { kept };
}

function variableIn(env: Environment, names: readonly string[]): ForwardProxy | undefined {
  const variable = names.find((name) => env[name]);
  return variable === undefined ? undefined : { url: env[variable] ?? "", variable };
}

/** Whether an entry of NO_PROXY is about this address: a host, a domain or `*`, each perhaps with a port. */
function keeps(entry: string, url: URL): boolean {
  if (entry === "") return false;
  const bare = (text: string) => text.replace(/^\[(.+)\]$/, "$1");
  const [, host = bare(entry), port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  const name = bare(host)
    .replace(/^\*?\./, "")
    .replace(/(.)\.$/, "$1")
    .toLowerCase();
  const asked = bare(url.hostname)
    .replace(/(.)\.$/, "$1")
    .toLowerCase();
  return name === "*" || (asked === name && !entry.startsWith("*")) || asked.endsWith(`.${name}`);
}

/** The port of an address, also where it is not written. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
