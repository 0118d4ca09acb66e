import { X509Certificate } from "node:crypto";

/** The certificates of a PEM text. What is none is left out, as Vault does. */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  return (pem.match(block) ?? []).flatMap((text) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
}

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
