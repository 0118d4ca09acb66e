import type { Values } from "../../core/definition";
import { certificatesProblem } from "../../core/pem";
import { isRecord } from "../../core/unknowns";

/** The content of a peering token; undefined when the text is no token. */
export function tokenContent(token: unknown): Values | undefined {
  try {
    const content: unknown = JSON.parse(Buffer.from(String(token), "base64").toString("utf8"));
    return isRecord(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Why the dialing cluster would refuse a token. The reason never quotes the token. */
export function tokenProblem(token: unknown): string | undefined {
  // Go's decoder skips only line breaks.
  const packed = String(token).replace(/[\r\n]/g, "");
  const content = /^[A-Za-z0-9+/]+={0,2}$/.test(packed) && packed.length % 4 === 0 ? tokenContent(packed) : undefined;
  if (content === undefined)
    return "is not a peering token: give the peeringToken of a cluster.PeeringToken on the other cluster, or what `consul peering generate-token` printed there";
  const texts = (key: string) => (Array.isArray(content[key]) ? (content[key] as unknown[]).map(String) : []);
  const authorities = texts("CA");
  if (authorities.some((pem) => certificatesProblem(pem))) return "is damaged: a CA in it is not a PEM certificate";
  const addresses = [...texts("ManualServerAddresses"), ...texts("ServerAddresses")];
  if (addresses.length === 0) return "is damaged: it holds no server addresses";
  if (!addresses.every(isAddress))
    return "holds a server address that is not host:port: issue a token with other addresses";
  if (authorities.length > 0 && !content["ServerName"]) return "is damaged: it holds no server name";
  return content["PeerID"] ? undefined : "is damaged: it holds no peer id";
}

/** True for `host:port` as the dialing cluster accepts it; an IPv6 address is in brackets. */
export function isAddress(text: string): boolean {
  const [, port] = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:]*):(\d{1,5})$/.exec(text) ?? [];
  return Number(port ?? 0) >= 1 && Number(port) <= 65_535;
}
