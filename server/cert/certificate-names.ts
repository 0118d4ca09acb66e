import type { X509Certificate } from "node:crypto";

/** Whose a certificate is. */
export interface CertificateNames {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly organizationalUnits: readonly string[];
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
}

export function namesOf(certificate: X509Certificate): CertificateNames {
  const subject: Readonly<Record<string, string | readonly string[] | undefined>> = {
    ...certificate.toLegacyObject().subject,
  };
  const values = (name: string) => [subject[name] ?? []].flat();
  const others = alternatives(certificate.subjectAltName ?? "");
  const named = (kind: string) => others.filter((each) => each.kind === kind).map(({ name }) => name);
  return {
    // Go keeps the last one.
    commonName: values("CN").at(-1) ?? "",
    organizations: values("O"),
    organizationalUnits: values("OU"),
    dns: named("DNS"),
    emails: named("email"),
    uris: named("URI"),
  };
}

/** Node writes `DNS:a, email:b`, and a name with anything unusual in it as a JSON text. */
function alternatives(text: string): { kind: string; name: string }[] {
  return [...text.matchAll(/([\w ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g)].map(([, kind = "", name = ""]) => ({
    kind,
    name: name.startsWith('"') ? String(JSON.parse(name)) : name,
  }));
}
