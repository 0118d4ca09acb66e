import { X509Certificate } from "node:crypto";
import { ProviderError } from "../core/errors";

/** What a connection shows the server in TLS. */
export interface ShownCertificate {
  readonly address: URL;
  /** The client certificate, in PEM. */
  readonly pem: string | undefined;
  /** The variable or the field that names its file, or would. */
  readonly setting: string;
}

/**
 * What a client certificate says about whose it is: to be compared with an auth method that refuses it.
 * @throws ConfigError where the server would see none
 */
export function certificateText({ address, pem, setting }: ShownCertificate): string {
  if (address.protocol !== "https:")
    throw new ProviderError(
      "ConfigError",
      `the method cert needs an address with https, and ${address.origin} is none`,
    );
  if (pem === undefined)
    throw new ProviderError("ConfigError", `the method cert needs a client certificate and its key: set ${setting}`);
  const { subject, issuer, validTo } = new X509Certificate(pem);
  const [whose, by] = [subject, issuer].map((name) => JSON.stringify(name?.replaceAll("\n", ", ") ?? ""));
  return `The client certificate of ${setting} says subject ${whose}, issuer ${by}, and is valid until ${validTo}: compare that with the certificates at the auth method, and with the names that they allow.`;
}
