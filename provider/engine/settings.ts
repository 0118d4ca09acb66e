import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { TokenSources } from "../auth/token";
import { parseDuration } from "../core/duration";
import { ProviderError } from "../core/errors";

export type Service = "secrets" | "cluster" | "policy";
export type Environment = Readonly<Record<string, string | undefined>>;

/** Stack configuration: the text of a key of this package, such as `secrets`. */
export type Configuration = (key: string) => string | undefined;

/** How to reach one server, complete. */
export interface Settings {
  readonly name: string;
  /** Where these settings stand in the stack's configuration. */
  readonly configKey: string;
  readonly service: Service;
  readonly address: URL;
  /** Vault namespace, or Consul partition. */
  readonly namespace: string | undefined;
  readonly token: TokenSources;
  readonly caCertFile: string | undefined;
  readonly clientCertFile: string | undefined;
  readonly clientKeyFile: string | undefined;
  readonly skipVerify: boolean;
  readonly retries: number;
  readonly timeoutMs: number;
  /** Never ask the server which one it is. */
  readonly offline: boolean;
  /** The server was rebuilt: what it does not have is gone, although the state was written to another one. */
  readonly rebuilt: boolean;
}

/** An entry of the configuration. Credentials are referred to, not carried. */
const entrySchema = z.strictObject({
  service: z.enum(["secrets", "cluster", "policy"]),
  address: z.string(),
  namespace: z.string(),
  partition: z.string(),
  token: z.string(),
  tokenEnv: z.string().regex(/^[A-Za-z_]\w*$/, { error: "must be the name of an environment variable" }),
  tokenFile: z.string().min(1),
  caCertFile: z.string(),
  clientCertFile: z.string(),
  clientKeyFile: z.string(),
  skipTlsVerify: z.boolean(),
  maxRetries: z.int().min(0).max(20),
  timeoutSeconds: z.number().positive(),
  offline: z.boolean(),
  rebuilt: z.boolean(),
});
const partialSchema = entrySchema.partial();
type Entry = z.infer<typeof partialSchema>;

interface ServiceDefaults {
  readonly address: readonly string[];
  readonly fallback: string;
  readonly namespace: readonly string[];
  readonly token: readonly string[];
  readonly tokenFile: readonly string[];
  readonly homeFiles: readonly string[];
  readonly caCert: readonly string[];
  readonly clientCert: readonly string[];
  readonly clientKey: readonly string[];
  readonly skipVerify: (env: Environment) => boolean;
  readonly retries: readonly string[];
  readonly timeout: readonly string[];
}

/** The ecosystem's own variables. OpenBao's twins come first, as in its own client. */
const DEFAULTS: Readonly<Record<Service, ServiceDefaults>> = {
  secrets: {
    address: ["BAO_ADDR", "VAULT_ADDR"],
    fallback: "https://127.0.0.1:8200",
    namespace: ["BAO_NAMESPACE", "VAULT_NAMESPACE"],
    token: ["BAO_TOKEN", "VAULT_TOKEN"],
    tokenFile: [],
    homeFiles: [".vault-token"],
    caCert: ["BAO_CACERT", "VAULT_CACERT"],
    clientCert: ["BAO_CLIENT_CERT", "VAULT_CLIENT_CERT"],
    clientKey: ["BAO_CLIENT_KEY", "VAULT_CLIENT_KEY"],
    skipVerify: (env) => isTrue(env["BAO_SKIP_VERIFY"] ?? env["VAULT_SKIP_VERIFY"]),
    retries: ["BAO_MAX_RETRIES", "VAULT_MAX_RETRIES"],
    timeout: ["BAO_CLIENT_TIMEOUT", "VAULT_CLIENT_TIMEOUT"],
  },
  cluster: {
    address: ["CONSUL_HTTP_ADDR"],
    fallback: "http://127.0.0.1:8500",
    namespace: ["CONSUL_PARTITION"],
    token: ["CONSUL_HTTP_TOKEN"],
    tokenFile: ["CONSUL_HTTP_TOKEN_FILE"],
    homeFiles: [],
    caCert: ["CONSUL_CACERT"],
    clientCert: ["CONSUL_CLIENT_CERT"],
    clientKey: ["CONSUL_CLIENT_KEY"],
    skipVerify: (env) => isFalse(env["CONSUL_HTTP_SSL_VERIFY"]),
    retries: [],
    timeout: [],
  },
  policy: {
    address: ["TFE_ADDRESS", "TFE_HOSTNAME"],
    fallback: "https://app.terraform.io",
    namespace: [],
    token: ["TFE_TOKEN"],
    tokenFile: [],
    homeFiles: [],
    caCert: [],
    clientCert: [],
    clientKey: [],
    skipVerify: (env) => isTrue(env["TFE_SSL_SKIP_VERIFY"]),
    retries: [],
    timeout: [],
  },
};

const RETRIES = 4;
/** A refused read of a peering takes Consul up to 14 seconds (reference cluster B.11). */
const TIMEOUT_SECONDS = 60;

/** The settings of a connection: a named one, or the service's own from configuration and environment. */
export function settingsOf(
  service: Service,
  name: string | undefined,
  config: Configuration,
  env: Environment,
): Settings {
  if (name === undefined) return complete(service, service, parseEntry(service, config(service)), env, true);
  const entries = parseConnections(config("connections"));
  const entry = entries[name];
  if (entry === undefined) {
    const known = Object.keys(entries);
    const there = known.length > 0 ? `known are ${known.join(", ")}` : "none is configured";
    throw new ProviderError("ConfigError", `connection "${name}" is not in trustplane:connections; ${there}`);
  }
  if (entry.service !== service) {
    throw new ProviderError(
      "ConfigError",
      `connection "${name}" is for service ${entry.service ?? "(unset)"}, not ${service}`,
    );
  }
  return complete(service, name, entry, env, false);
}

function complete(service: Service, name: string, entry: Entry, env: Environment, own: boolean): Settings {
  const defaults = DEFAULTS[service];
  const from = (names: readonly string[]) => (own ? names.map((variable) => env[variable]).find(Boolean) : undefined);
  const number = (names: readonly string[], parse: (text: string) => number | string) =>
    own ? numberFrom(names, parse, env) : undefined;
  const address = entry.address ?? from(defaults.address) ?? (own ? defaults.fallback : undefined);
  if (address === undefined) throw new ProviderError("ConfigError", `connection "${name}" has no address`);
  const tokenFile = entry.tokenFile ?? from(defaults.tokenFile);
  return {
    name,
    configKey: own ? `trustplane:${service}` : `trustplane:connections.${name}`,
    service,
    address: parseAddress(name, address, service === "cluster" && !(own && isTrue(env["CONSUL_HTTP_SSL"]))),
    namespace: entry.namespace ?? entry.partition ?? from(defaults.namespace),
    token: {
      // Consul's own tools prefer the file where the environment names both.
      variables: [
        ...(entry.tokenEnv ? [entry.tokenEnv] : []),
        ...(own && !from(defaults.tokenFile) ? defaults.token : []),
      ],
      files: [
        ...(tokenFile ? [{ path: tokenFile, mustExist: true }] : []),
        ...(own ? defaults.homeFiles.map((file) => ({ path: join(homedir(), file), mustExist: false })) : []),
      ],
      ...(entry.token === undefined ? {} : { configured: entry.token }),
    },
    caCertFile: entry.caCertFile ?? from(defaults.caCert),
    clientCertFile: entry.clientCertFile ?? from(defaults.clientCert),
    clientKeyFile: entry.clientKeyFile ?? from(defaults.clientKey),
    skipVerify: entry.skipTlsVerify ?? (own && defaults.skipVerify(env)),
    retries: entry.maxRetries ?? number(defaults.retries, countOf) ?? RETRIES,
    timeoutMs: 1000 * (entry.timeoutSeconds ?? number(defaults.timeout, parseDuration) ?? TIMEOUT_SECONDS),
    offline: entry.offline ?? false,
    rebuilt: entry.rebuilt ?? false,
  };
}

function parseEntry(key: string, text: string | undefined): Entry {
  return text === undefined ? {} : parsed(`trustplane:${key}`, partialSchema.omit({ service: true }), text);
}

function parseConnections(text: string | undefined): Record<string, Entry> {
  const schema = z.record(z.string(), partialSchema.required({ service: true }));
  return text === undefined ? {} : parsed("trustplane:connections", schema, text);
}

function parsed<T>(key: string, schema: z.ZodType<T>, text: string): T {
  const result = schema.safeParse(jsonOf(key, text));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": "));
  throw new ProviderError("ConfigError", `the configuration ${key} is not valid: ${problems.join("; ")}`);
}

function jsonOf(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(
      "ConfigError",
      `the configuration ${key} is not an object; set it with \`pulumi config set --path ${key}.address …\``,
    );
  }
}

/** Consul's address may lack the scheme, Terraform's host name always does. */
function parseAddress(name: string, text: string, isPlain: boolean): URL {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isPlain ? "http" : "https"}://${text}`;
  if (!URL.canParse(full) || !/^https?:/.test(full)) {
    throw new ProviderError("ConfigError", `the address of connection "${name}" must be an http or https URL`);
  }
  const url = new URL(full);
  if (url.username || url.password) {
    throw new ProviderError(
      "ConfigError",
      `the address of connection "${name}" must not hold credentials; give a token instead`,
    );
  }
  return url;
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(1|t|true)$/i.test(text);
}

function isFalse(text: string | undefined): boolean {
  return text !== undefined && /^(0|f|false)$/i.test(text);
}

/** The number in the first variable that is set; a parser answers a text with what is wrong. */
function numberFrom(names: readonly string[], parse: (text: string) => number | string, env: Environment) {
  const variable = names.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const number = parse(env[variable] ?? "");
  if (typeof number === "number") return number;
  throw new ProviderError("ConfigError", `the environment variable ${variable} ${number}`);
}

function countOf(text: string): number | string {
  return /^\d{1,3}$/.test(text.trim()) ? Number(text) : "must be a small whole number";
}
