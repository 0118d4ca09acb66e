import type { ConnectionEntry } from "../core/connection-entry";
import { ProviderError } from "../core/errors";

/** Where one part of TLS is, if anywhere, and what names that, or would. */
export interface PemSource {
  readonly kind: "file" | "folder" | "text";
  /** The path, or the PEM itself. */
  readonly value: string | undefined;
  /** A variable, or a field of the configuration. */
  readonly namedBy: string;
}

export type TlsPart = "ca" | "certificate" | "key";

export interface TlsSettings extends Readonly<Record<TlsPart, PemSource>> {
  /** Asked for, and looked for in the certificate, in place of the address's host. */
  readonly serverName: string | undefined;
  readonly serverNameBy: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Entry = { readonly [K in keyof ConnectionEntry]?: ConnectionEntry[K] | undefined };
type PemField = `${"caCert" | "clientCert" | "clientKey"}${"File" | "Pem"}` | "caCertDir";

/** The fields of each part. Of the environment's variables those of the first field count, as in the services' own clients. */
const FIELDS: Readonly<Record<TlsPart, readonly (readonly [PemField, PemSource["kind"]])[]>> = {
  ca: [
    ["caCertFile", "file"],
    ["caCertPem", "text"],
    ["caCertDir", "folder"],
  ],
  certificate: [
    ["clientCertFile", "file"],
    ["clientCertPem", "text"],
  ],
  key: [
    ["clientKeyFile", "file"],
    ["clientKeyPem", "text"],
  ],
};

/**
 * What TLS is opened with. An entry that names a CA keeps out the environment's. A certificate and its key come from one
 * place: an entry that names either keeps out the variables of both.
 * @throws ConfigError where an entry names one part twice
 */
export function tlsSettings(
  configKey: string,
  entry: Entry,
  /** The variable of a field that is set. */
  variableOf: (field: keyof ConnectionEntry) => string | undefined,
  env: Environment,
): TlsSettings {
  const isNamed = (part: TlsPart) => FIELDS[part].some(([field]) => entry[field] !== undefined);
  const hasOwnPair = isNamed("certificate") || isNamed("key");
  const at = (field: keyof ConnectionEntry) => `${field} in ${configKey}`;

  function source(part: TlsPart, isAmbient: boolean): PemSource {
    const [own, another] = FIELDS[part].filter(([field]) => entry[field] !== undefined);
    if (own && another)
      throw new ProviderError("ConfigError", `${configKey} has both ${own[0]} and ${another[0]}: remove one of them`);
    if (own) return { kind: own[1], value: entry[own[0]], namedBy: at(own[0]) };
    for (const [field, kind] of isAmbient ? FIELDS[part] : []) {
      const variable = variableOf(field);
      if (variable !== undefined) return { kind, value: env[variable], namedBy: variable };
    }
    return { kind: "file", value: undefined, namedBy: at(FIELDS[part][0]?.[0] ?? "caCertFile") };
  }

  const variable = entry.tlsServerName === undefined ? variableOf("tlsServerName") : undefined;
  const name = variable === undefined ? entry.tlsServerName : env[variable];
  return {
    ca: source("ca", !isNamed("ca")),
    certificate: source("certificate", !hasOwnPair),
    key: source("key", !hasOwnPair),
    serverName: name === undefined ? undefined : withoutPort(name),
    serverNameBy: variable ?? at("tlsServerName"),
  };
}

/** Consul's own tools take the name with a port. */
function withoutPort(name: string): string {
  const [, host = name] = /^(\[.+\]|[^:]+):\d+$/.exec(name) ?? [];
  return host.replace(/^\[(.+)\]$/, "$1");
}
