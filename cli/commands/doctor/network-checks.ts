import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { PeerCertificate } from "node:tls";
import { type ServiceDefaults, serviceDefaults } from "../../../provider/core/connection-entry";
import { transportOptions } from "../../../provider/engine/tls-files";
import { isLoopback, portOf, proxyFor } from "../../../provider/http/proxy";
import { codeOf, REASONS } from "../../../provider/http/send";
import type { TransportOptions } from "../../../provider/http/transport";
import type { Inspection } from "./inspection";
import { hostOf, openSocket, shakeHands, speaksPlainHttp } from "./open-socket";
import { failed, notAsked, ok, type Verdict, warning } from "./report";

export function checkAddress({ target, settings, addressSetting }: Inspection): Verdict {
  const { addressFrom } = target;
  if (addressFrom !== undefined) return ok(`${settings.address.origin}, from ${addressFrom}`);
  return warning(`${settings.address.origin}, the default: nothing names an address`, `set ${addressSetting}`);
}

export function checkProxy(inspection: Inspection): Verdict {
  const { settings, env } = inspection;
  const { proxy, kept } = proxyFor(settings.address, env);
  if (kept !== undefined) return ok(`none: ${JSON.stringify(kept)} in NO_PROXY keeps it from being used`);
  if (proxy === undefined) return ok(isLoopback(settings.address) ? "none: this machine's own address" : "none");
  if (!URL.canParse(proxy.url))
    return failed(`${proxy.variable} is no URL`, `set ${proxy.variable} to http://host:port, or unset it`);
  inspection.proxy = proxy;
  return ok(`${new URL(proxy.url).origin}, from ${proxy.variable}`);
}

export async function checkDns({ settings, proxy, addressSetting }: Inspection): Promise<Verdict> {
  const host = hostOf(proxy ? new URL(proxy.url) : settings.address);
  if (isIP(host)) return notAsked(`${host} is an IP address`);
  try {
    const found = await lookup(host, { all: true });
    return ok(`${host} is ${found.map(({ address }) => address).join(", ")}`);
  } catch (error) {
    const code = codeOf(error);
    const setting = proxy?.variable ?? addressSetting;
    return failed(`${host} is not known (${code})`, `correct the host name in ${setting}, or this machine's DNS`);
  }
}

export async function checkTcp({ settings, proxy, addressSetting }: Inspection): Promise<Verdict> {
  const { address } = settings;
  // Plain HTTP has no tunnel: what the proxy makes of the address shows in the answer.
  const [to, through] = proxy && address.protocol === "http:" ? [new URL(proxy.url), undefined] : [address, proxy];
  const at = `${hostOf(to)}:${portOf(to)}`;
  try {
    (await openSocket(to, through)).destroy();
    return ok(through ? `${at} answers through the proxy` : `${at} takes connections`);
  } catch (error) {
    const code = codeOf(error);
    if (through)
      return failed(
        `${at} cannot be reached through the proxy: ${code === "PROXY" && error instanceof Error ? error.message : code}`,
        `correct ${through.variable}, or add ${hostOf(address)} to NO_PROXY`,
      );
    const what = code === "ECONNREFUSED" ? "refuses connections" : `cannot be reached (${code})`;
    return failed(`${at} ${what}`, `start the server, open the firewall, or correct ${addressSetting}`);
  }
}

/** A certificate that ends this soon is worth saying. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

export async function checkTls(inspection: Inspection): Promise<Verdict> {
  const { settings, proxy, addressSetting } = inspection;
  const { address, skipVerify } = settings;
  const trust: TransportOptions = transportOptions(settings);
  if (address.protocol === "http:") {
    if (isLoopback(address)) return notAsked("plain http to this machine");
    return warning("plain http: whoever is between sees the token", `write https:// in ${addressSetting}`);
  }
  const shaken = await shakeHands(address, proxy, trust).catch((error: unknown) => codeOf(error));
  if (typeof shaken === "string") {
    if (await speaksPlainHttp(address, proxy).catch(() => false))
      return failed("the server speaks http, not https", `write http:// in ${addressSetting}, or turn TLS on`);
    return failed(`no TLS connection (${shaken})`, `correct ${addressSetting}, or look at what is before the server`);
  }
  const { certificate, distrust } = shaken;
  const ends = Date.parse(certificate.valid_to);
  const until = `until ${Number.isNaN(ends) ? "?" : new Date(ends).toISOString().slice(0, 10)}`;
  const of = `of ${certificate.subject?.CN ?? "?"}, from ${certificate.issuer?.CN ?? "?"}, ${until}`;
  if (distrust !== undefined && skipVerify)
    return warning(
      `not verified (${distrust}): a certificate ${of}`,
      `give its CA in ${caSetting(inspection)}, and verify`,
    );
  if (distrust !== undefined) return distrusted(inspection, distrust, { of, names: namesOf(certificate) });
  if (skipVerify) return warning(`not verified: a certificate ${of}`, "remove the setting that skips the verification");
  if (ends - Date.now() < SOON_DAYS * DAY_MS) return warning(`a certificate ${of}`, "renew it on the server");
  return ok(`a certificate ${of}`);
}

/** A certificate, in words. */
interface Described {
  readonly of: string;
  readonly names: string;
}

function distrusted(inspection: Inspection, code: string, { of, names }: Described): Verdict {
  const [said = code] = (REASONS[code] ?? code).replace(/^its certificate /, "").split(/\. /);
  const finding = `the certificate ${of}: ${said.replace(/\.$/, "")}`;
  if (code === "CERT_HAS_EXPIRED") return failed(finding, "renew it on the server");
  if (code === "CERT_NOT_YET_VALID") return failed(finding, "set the clock of this machine or of the server");
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return failed(`${finding}; it is for ${names}`, nameAdvice(inspection));
  return failed(finding, `put the PEM of its CA into a file, and name that in ${caSetting(inspection)}`);
}

const MOST_NAMES = 5;

/** The names that a certificate has, as text such as `DNS:vault.example.com, IP Address:192.0.2.1`. */
function namesOf({ subjectaltname = "" }: PeerCertificate): string {
  const names = subjectaltname.split(", ").filter(Boolean);
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.slice(0, MOST_NAMES).join(", ") || "no name"}${more}`;
}

function nameAdvice(inspection: Inspection): string {
  const { serverName, serverNameBy } = inspection.settings.tls;
  if (serverName !== undefined)
    return `write a name that the certificate has in ${serverNameBy}, which says ${JSON.stringify(serverName)}`;
  const setting = settingOf(inspection, "tlsServerName");
  return `write a name that the certificate has in ${inspection.addressSetting}, or give it in ${setting}`;
}

/** What names the CA certificates, or would. */
function caSetting(inspection: Inspection): string {
  const { ca } = inspection.settings.tls;
  return ca.value === undefined ? settingOf(inspection, "caCertFile") : ca.namedBy;
}

/** What a field of the connection could be set by. */
function settingOf({ target, settings }: Inspection, field: "caCertFile" | "tlsServerName"): string {
  const { environment }: ServiceDefaults = serviceDefaults[target.service];
  const variable = target.name === undefined ? environment[field]?.at(-1) : undefined;
  const inConfiguration = `${field} in ${settings.configKey}`;
  return variable === undefined ? inConfiguration : `${variable} or ${inConfiguration}`;
}
