import { createPrivateKey, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ProviderError } from "../core/errors";
import { certificatesProblem } from "../core/pem";
import type { Settings } from "./settings";
import type { PemSource, TlsPart } from "./tls-settings";

/**
 * What a transport is opened with: the settings, and what is in the files that they name.
 * @throws ConfigError for a file or a text that is no PEM, and for one half of a client's certificate and key
 */
export function transportOptions(settings: Settings) {
  const { tls, skipVerify, timeoutMs } = settings;
  const isFolder = tls.ca.kind === "folder" && tls.ca.value !== undefined;
  const ca = isFolder ? folderText(settings, tls.ca.value) : certificatesOf(settings, "ca");
  const clientCertificate = certificatesOf(settings, "certificate");
  const clientKey = textOf(settings, "key");
  assertPair(settings, clientCertificate, clientKey);
  const given = { ca, clientCertificate, clientKey, serverName: tls.serverName };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(set), skipVerify, timeoutMs };
}

/** The certificate that the server is shown, in PEM. @throws ConfigError for a file that cannot be read */
export function clientCertificateOf(settings: Settings): string | undefined {
  return textOf(settings, "certificate");
}

const WHAT: Readonly<Record<TlsPart, string>> = { ca: "CA", certificate: "client certificate", key: "client key" };
const FORM: Readonly<Record<PemSource["kind"], string>> = { file: "file", folder: "folder", text: "certificate" };

function textOf(settings: Settings, part: TlsPart): string | undefined {
  const { kind, value } = settings.tls[part];
  if (value === undefined || kind === "text") return value;
  return fileText(settings, part, value);
}

function fileText(settings: Settings, part: TlsPart, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw refusal(settings, part, "cannot be read", path);
  }
}

/** All certificates in the files of a folder and its folders, as the services' own clients take them. */
function folderText(settings: Settings, folder: string): string {
  const texts = filesIn(settings, folder).map((file) => {
    const text = fileText(settings, "ca", file);
    assertCertificates(settings, "ca", text, file);
    return text;
  });
  if (texts.length === 0) throw refusal(settings, "ca", "has no file in it", folder);
  return texts.join("\n");
}

function filesIn(settings: Settings, folder: string): readonly string[] {
  try {
    return filesBelow(folder);
  } catch {
    throw refusal(settings, "ca", "cannot be read, or is no folder", folder);
  }
}

/** A link to a folder is left out: where Kubernetes mounts secrets, it leads to the files that are there anyway. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return statSync(path).isFile() ? [path] : [];
  });
}

function certificatesOf(settings: Settings, part: TlsPart): string | undefined {
  const text = textOf(settings, part);
  if (text !== undefined) assertCertificates(settings, part, text, pathOf(settings, part));
  return text;
}

/** Node takes what is no certificate for an empty list, and then blames the server's. */
function assertCertificates(settings: Settings, part: TlsPart, text: string, path?: string): void {
  const problem = certificatesProblem(text);
  if (problem !== undefined) throw refusal(settings, part, problem, path);
}

/** Node shows the server one half without a word, or fails with the terms of its library. */
function assertPair(settings: Settings, certificate: string | undefined, key: string | undefined): void {
  const { tls } = settings;
  if (certificate === undefined && key === undefined) return;
  const without = (half: string, { namedBy }: PemSource) => `comes without its ${half}: give ${namedBy}, too`;
  if (key === undefined) throw refusal(settings, "certificate", without("key", tls.key));
  if (certificate === undefined) throw refusal(settings, "key", without("certificate", tls.certificate));
  const path = pathOf(settings, "key");
  let isPair: boolean;
  try {
    isPair = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    throw refusal(settings, "key", "is not a PEM key without passphrase", path);
  }
  if (!isPair) throw refusal(settings, "key", "is not that of the certificate", path);
}

/** Undefined for a text, which is never shown: it may be the key. */
function pathOf({ tls }: Settings, part: TlsPart): string | undefined {
  const { kind, value } = tls[part];
  return kind === "text" ? undefined : value;
}

function refusal({ name, tls }: Settings, part: TlsPart, problem: string, path?: string): ProviderError {
  const { kind, namedBy } = tls[part];
  const what = part === "ca" ? `${WHAT.ca} ${FORM[kind]}` : WHAT[part];
  const at = path === undefined ? "" : `: ${path}`;
  return new ProviderError("ConfigError", `the ${what} of connection "${name}" (${namedBy}) ${problem}${at}`);
}
