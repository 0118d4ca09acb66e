import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { TokenSources } from "../auth/token";
import {
  type ConnectionEntry,
  connectionFields,
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
} from "../core/connection-entry";
import { parseDuration } from "../core/duration";
import { ProviderError } from "../core/errors";

export type { Service };
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

const partialSchema = z.strictObject({ ...connectionFields, service: z.enum(SERVICE_NAMES) }).partial();
type Entry = z.infer<typeof partialSchema>;

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

/** Refuses a configuration that is not well-formed, also of what is not used yet. */
export function assertConfiguration(config: Configuration): void {
  for (const service of SERVICE_NAMES) parseEntry(service, config(service));
  parseConnections(config("connections"));
}

function complete(service: Service, name: string, entry: Entry, env: Environment, own: boolean): Settings {
  const defaults: ServiceDefaults = serviceDefaults[service];
  const variables = (field: keyof ConnectionEntry) => (own ? (defaults.environment[field] ?? []) : []);
  const from = (field: keyof ConnectionEntry) =>
    variables(field)
      .map((variable) => env[variable])
      .find(Boolean);
  const number = (field: keyof ConnectionEntry, parse: (text: string) => number | string) =>
    numberFrom(variables(field), parse, env);
  const address = entry.address ?? from("address") ?? (own ? defaults.address : undefined);
  if (address === undefined) throw new ProviderError("ConfigError", `connection "${name}" has no address`);
  const tokenFile = entry.tokenFile ?? from("tokenFile");
  const homeFile = own ? defaults.homeFile : undefined;
  return {
    name,
    configKey: own ? `trustplane:${service}` : `trustplane:connections.${name}`,
    service,
    address: parseAddress(name, address, service === "cluster" && !(own && isTrue(env["CONSUL_HTTP_SSL"]))),
    namespace: entry.namespace ?? entry.partition ?? (defaults.tenant && from(defaults.tenant)),
    token: {
      // Consul's own tools prefer the file where the environment names both.
      variables: [...(entry.tokenEnv ? [entry.tokenEnv] : []), ...(from("tokenFile") ? [] : variables("token"))],
      files: [
        ...(tokenFile ? [{ path: tokenFile, mustExist: true }] : []),
        ...(homeFile ? [{ path: join(homedir(), homeFile), mustExist: false }] : []),
      ],
      ...(entry.token === undefined ? {} : { configured: entry.token }),
    },
    caCertFile: entry.caCertFile ?? from("caCertFile"),
    clientCertFile: entry.clientCertFile ?? from("clientCertFile"),
    clientKeyFile: entry.clientKeyFile ?? from("clientKeyFile"),
    skipVerify: entry.skipTlsVerify ?? (own && skipsVerify(service, variables("skipTlsVerify"), env)),
    retries: entry.maxRetries ?? number("maxRetries", countOf) ?? RETRIES,
    timeoutMs: 1000 * (entry.timeoutSeconds ?? number("timeoutSeconds", parseDuration) ?? TIMEOUT_SECONDS),
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

/** Consul's variable asks for the verification, the others' for leaving it out. */
function skipsVerify(service: Service, variables: readonly string[], env: Environment): boolean {
  if (service === "cluster") return isFalse(env["CONSUL_HTTP_SSL_VERIFY"]);
  return isTrue(variables.map((variable) => env[variable]).find((text) => text !== undefined));
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
