import type { X509Certificate } from "node:crypto";
import { Refusal } from "../framework/refusal";
import { isSame, trustedChains } from "./certificate-chain";
import { extensionsOf, textIn } from "./certificate-extensions";
import { namesOf } from "./certificate-names";
import type { RoleRecord } from "./certificate-role";
import { certificatesIn } from "./certificates-in";

export interface NamedRole {
  readonly name: string;
  readonly role: RoleRecord;
}

export interface Shown {
  /** The client's own first; undefined without TLS. */
  readonly certificates: readonly X509Certificate[] | undefined;
  readonly now: Date;
}

/** The role that a client's certificate belongs to, and the certificate; the checks run in Vault's order. @throws Refusal or Failure */
export function matchingRole(
  roles: readonly NamedRole[],
  { certificates, now }: Shown,
): NamedRole & { readonly certificate: X509Certificate } {
  if (certificates === undefined) throw new Refusal("tls connection required");
  const [certificate, ...others] = certificates;
  if (certificate === undefined) throw new Refusal("client certificate must be supplied");
  const trusted = roles.map((named) => ({ named, trusts: certificatesIn(named.role.certificate) }));
  // The first certificate of a role says whether it trusts an authority or one client.
  const authorities = trusted.filter(({ trusts }) => trusts[0]?.ca);
  const roots = authorities.flatMap(({ trusts }) => trusts);
  const chains = trustedChains(certificate, { others, roots, now });
  const clients = trusted.filter(
    ({ trusts: [own] }) => own !== undefined && !own.ca && own.serialNumber === certificate.serialNumber,
  );
  for (const { named, trusts } of clients) {
    if (!isAllowed(certificate, named.role)) continue;
    if (trusts[0] !== undefined && isSame(trusts[0], certificate)) return { ...named, certificate };
    throw new Refusal("certificate mismatch of a trusted leaf certificate");
  }
  const isBehind = (trusts: readonly X509Certificate[]) =>
    trusts.some((each) => chains.some((chain) => chain.some((link) => isSame(link, each))));
  const found = authorities.find(({ named, trusts }) => isBehind(trusts) && isAllowed(certificate, named.role));
  if (found === undefined) throw new Refusal("failed to match all constraints for this login certificate");
  return { ...found.named, certificate };
}

function isAllowed(certificate: X509Certificate, role: RoleRecord): boolean {
  const { commonName, dns, emails, uris, organizations, organizationalUnits } = namesOf(certificate);
  const demands: readonly (readonly [readonly string[] | null, readonly string[]])[] = [
    [role.allowed_names, [commonName, ...dns, ...emails]],
    [role.allowed_common_names, [commonName]],
    [role.allowed_dns_sans, dns],
    [role.allowed_email_sans, emails],
    [role.allowed_uri_sans, uris],
    [role.allowed_organizational_units, organizationalUnits],
    [role.allowed_organizations, organizations],
  ];
  const areNamed = demands.every(
    ([allowed, names]) =>
      (allowed ?? []).length === 0 || allowed?.some((glob) => names.some((name) => globMatches(glob, name))),
  );
  return areNamed && hasExtensions(certificate, role.required_extensions ?? []);
}

/** Each demand is `oid:value`, or `hex:oid:value` for the bytes. */
function hasExtensions(certificate: X509Certificate, required: readonly string[]): boolean {
  const extensions = extensionsOf(certificate);
  return required.every((demand) => {
    const [, isHex, id = "", glob = ""] = /^(hex:)?([^:]*):(.*)$/s.exec(demand) ?? [];
    const extension = extensions.get(id);
    if (extension === undefined) return false;
    return isHex
      ? globMatches(glob.toLowerCase(), extension.toString("hex"))
      : globMatches(glob, textIn(extension) ?? "");
  });
}

/** `*` stands for any characters, in the letters' own case. */
function globMatches(glob: string, text: string): boolean {
  const pattern = glob.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[^]*")}$`).test(text);
}
