import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { canonicalCidr } from "../core/cidr";

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
 * The proxy that a request goes through: the lower-case name first, and that for http also for https where there is no
 * other. Answers the entry of NO_PROXY where one keeps it from being used. NO_PROXY is read as the products' own commands
 * read it, by golang.org/x/net/http/httpproxy; blanks between entries are taken too.
 */
export function proxyFor(url: URL, env: Environment): { readonly proxy?: ForwardProxy; readonly kept?: string } {
  const http = variableIn(env, ["http_proxy", "HTTP_PROXY"]);
  const https = variableIn(env, ["https_proxy", "HTTPS_PROXY"]) ?? http;
  const proxy = url.protocol === "https:" ? https : http;
  if (proxy === undefined || isLoopback(url)) return {};
  const kept = (env["NO_PROXY"] || env["no_proxy"] || "").split(/[,\s]+/).find((entry) => keeps(entry, url));
  return kept === undefined ? { proxy } : { kept };
}

function variableIn(env: Environment, names: readonly string[]): ForwardProxy | undefined {
  const variable = names.find((name) => env[name]);
  const text = variable === undefined ? undefined : env[variable];
  if (variable === undefined || text === undefined) return undefined;
  return { url: text.includes("://") ? text : `http://${text}`, variable };
}

/** Whether an entry of NO_PROXY is about this address: `*`, a network, or an address or a domain, each perhaps with a port. */
function keeps(entry: string, url: URL): boolean {
  if (entry === "*") return true;
  const [, inside, outside = inside, port] = /^(?:\[(.+)\]|([^:]+)):(\d*)$/.exec(entry) ?? [];
  if (port && Number(port) !== portOf(url)) return false;
  const asked = bare(url.hostname);
  if (isIP(asked) === 0) return isUnder(outside ?? entry, asked);
  // Go takes no port behind a network.
  return !outside?.includes("/") && isIn(outside ?? bare(entry), asked);
}

/** Whether it is the name or one below it; a leading dot, or `*` and a dot, leave out the name itself. */
function isUnder(domain: string, asked: string): boolean {
  const [, dot, name = ""] = /^(\*?\.)?(.*)$/.exec(bare(domain.toLowerCase())) ?? [];
  // Of other text Node's function takes a part, as of an address.
  const ascii = /^[!-~]*$/.test(name) ? name : domainToASCII(name);
  return ascii !== "" && (asked.endsWith(`.${ascii}`) || (asked === ascii && dot === undefined));
}

/** Whether the network, or the single address, has the address in it. One of IPv4 is the same in the form of IPv6. */
function isIn(network: string, asked: string): boolean {
  const address = canonicalCidr(asked);
  const [first = "", length] = canonicalCidr(network)?.split("/") ?? [];
  if (address === undefined || isIP(first) !== isIP(address)) return false;
  const [family, bits] = isIP(first) === 4 ? (["ipv4", 32] as const) : (["ipv6", 128] as const);
  const list = new BlockList();
  list.addSubnet(first, length === undefined ? bits : Number(length), family);
  return list.check(address, family);
}

/** Without the brackets of IPv6, and without the dot that marks a complete name. */
function bare(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1").replace(/(.)\.$/, "$1");
}

/** The port of an address, also where it is not written. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
