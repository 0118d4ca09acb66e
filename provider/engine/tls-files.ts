import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ProviderError } from "../core/errors";
import { certificatesProblem } from "../core/pem";
import type { Settings, TlsFile } from "./settings";

/**
 * What a transport is opened with: the settings, and what is in the files that they name.
 * @throws ConfigError for a file that is none, and for one half of a client's certificate and key
 */
export function transportOptions(settings: Settings) {
  const ca = fileText(settings, "caCertFile");
  const clientCertificate = fileText(settings, "clientCertFile");
  const clientKey = fileText(settings, "clientKeyFile");
  if (ca !== undefined) assertCertificates(settings, "caCertFile", ca);
  if (clientCertificate !== undefined) assertCertificates(settings, "clientCertFile", clientCertificate);
  assertPair(settings, clientCertificate, clientKey);
  const given = Object.entries({ ca, clientCertificate, clientKey }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), skipVerify: settings.skipVerify, timeoutMs: settings.timeoutMs };
}

/** The certificate that the server is shown, in PEM. @throws ConfigError for a file that cannot be read */
export function clientCertificateOf(settings: Settings): string | undefined {
  return fileText(settings, "clientCertFile");
}

const WHAT = {
  caCertFile: "CA file",
  clientCertFile: "client certificate",
  clientKeyFile: "client key",
} as const satisfies Record<TlsFile, string>;

function fileText(settings: Settings, field: TlsFile): string | undefined {
  const path = settings[field];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw refusal(settings, field, `cannot be read: ${path}`);
  }
}

/** Node takes what is no certificate for an empty list, and then blames the server's. */
function assertCertificates(settings: Settings, field: TlsFile, text: string): void {
  const problem = certificatesProblem(text);
  if (problem !== undefined) throw refusal(settings, field, `${problem}: ${settings[field]}`);
}

/** Node shows the server one half without a word, or fails with the terms of its library. */
function assertPair(settings: Settings, certificate: string | undefined, key: string | undefined): void {
  const { clientCertFile, clientKeyFile } = settings.filesNamedBy;
  if (certificate === undefined && key === undefined) return;
  if (key === undefined) throw refusal(settings, "clientCertFile", `comes without its key: give ${clientKeyFile}, too`);
  if (certificate === undefined)
    throw refusal(settings, "clientKeyFile", `comes without its certificate: give ${clientCertFile}, too`);
  let isPair: boolean;
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw refusal(settings, "clientKeyFile", `is not a PEM key without passphrase: ${settings.clientKeyFile}`);
  }
  if (!isPair) throw refusal(settings, "clientKeyFile", `is not that of the certificate: ${settings.clientKeyFile}`);
}

function refusal({ name, filesNamedBy }: Settings, field: TlsFile, problem: string): ProviderError {
  return new ProviderError(
    "ConfigError",
    `the ${WHAT[field]} of connection "${name}" (${filesNamedBy[field]}) ${problem}`,
  );
}
