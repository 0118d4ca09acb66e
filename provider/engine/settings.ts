import * as z from "zod";
import type { TokenSources } from "../auth/token";
import {
  type ConnectionEntry,
  connectionFields,
  SERVICE_NAMES,
  type Service,
  type ServiceDefaults,
  serviceDefaults,
  type TakeOver,
} from "../core/connection-entry";
import { parseWrittenDuration } from "../core/duration";
import { ProviderError } from "../core/errors";
import type { ConnectionLogin } from "../core/login-entry";
import { type HeaderSettings, headerSettings } from "./header-settings";
import { hostTokenFiles } from "./host-token-files";
import { loginOf } from "./login-of";
import { settingProblem } from "./setting-problem";
import { takeOverSetting } from "./take-over-setting";
import { type TlsSettings, tlsSettings } from "./tls-settings";
import { tokenSourcesOf } from "./token-sources";

export type { Service };
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a key of this package, such as `secrets`. */
export interface Configuration {
  (key: string): string | undefined;
  /**
   * Whose it is: the stack's, of which refresh and destroy see that of the last update; the program's, given to an explicit
   * provider; or either, where the host cannot tell.
   */
  readonly of?: "stack" | "program" | "either";
  /** Throws for a server that must not be asked. */
  assertTrusted?(settings: Settings): void;
}

/** How to reach one server, complete. */
export interface Settings {
  readonly name: string;
  /** Where these settings stand in the stack's configuration. */
  readonly configKey: string;
  readonly service: Service;
  readonly address: URL;
  /** What to say where nothing answers at an address that nobody has set. */
  readonly addressAdvice?: string | undefined;
  /** What to say where the environment names another server than the stack's configuration. */
  readonly otherAddress?: string | undefined;
  /** Vault namespace, or Consul partition. */
  readonly namespace: string | undefined;
  readonly token: TokenSources;
  /** How to log in where no token is found. */
  readonly login: ConnectionLogin | undefined;
  readonly tls: TlsSettings;
  readonly headers: HeaderSettings;
  readonly skipVerify: boolean;
  readonly retries: number;
  readonly timeoutMs: number;
  /** Never ask the server which one it is. */
  readonly offline: boolean;
  /** Go where the server redirects to, as far as that is safe. */
  readonly followRedirects: boolean;
  /** The server was rebuilt: what it does not have is gone, although the state was written to another one. */
  readonly rebuilt: boolean;
  /** Whether a new resource takes over a record that somebody else has made. */
  readonly takeOver: TakeOver;
}

/** Connections whose servers were rebuilt, by name, with commas: read at each run, refresh and destroy too. */
const REBUILT = "TRUSTPLANE_REBUILT";

const partialSchema = z.strictObject({ ...connectionFields, service: z.enum(SERVICE_NAMES) }).partial();
type Entry = z.infer<typeof partialSchema>;

const RETRIES = 4;
/** A refused read of a peering takes Consul up to 14 seconds. */
const TIMEOUT_SECONDS = 60;

/** The settings of a connection: a named one, or the service's own from configuration and environment. */
export function settingsOf(
  service: Service,
  name: string | undefined,
  config: Configuration,
  env: Environment,
): Settings {
  const { of = "stack" } = config;
  const described =
    name === undefined
      ? { service, name: service, entry: parseEntry(service, config(service)), isOwn: true, of }
      : { service, name, entry: namedEntry(service, name, config), isOwn: false, of };
  const settings = complete(described, env, takeOverSetting(config("takeOver"), env));
  config.assertTrusted?.(settings);
  return settings;
}

function namedEntry(service: Service, name: string, config: Configuration): Entry {
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
  return entry;
}

/** Refuses a configuration that is not well-formed, also of what is not used yet. */
export function assertConfiguration(config: Configuration): void {
  for (const service of SERVICE_NAMES) parseEntry(service, config(service));
  parseConnections(config("connections"));
  takeOverSetting(config("takeOver"), {});
}

/** A connection as its configuration has it. */
interface Described {
  readonly service: Service;
  readonly name: string;
  readonly entry: Entry;
  /** The service's own, which takes from the environment what its entry does not say. */
  readonly isOwn: boolean;
  readonly of: NonNullable<Configuration["of"]>;
}

function complete({ service, name, entry, isOwn, of }: Described, env: Environment, takeOver: TakeOver): Settings {
  const defaults: ServiceDefaults = serviceDefaults[service];
  const variables = (field: keyof ConnectionEntry) => (isOwn ? (defaults.environment[field] ?? []) : []);
  const from = (field: keyof ConnectionEntry) =>
    variables(field)
      .map((variable) => env[variable])
      .find(Boolean);
  const number = (field: keyof ConnectionEntry, parse: (text: string) => number | string) =>
    numberFrom(variables(field), parse, env);
  const { tlsVariable, noRedirectVariables = [] } = defaults;
  const isPlain = tlsVariable !== undefined && !(isOwn && isTrue(env[tlsVariable]));
  const ambientAddress = from("address") ?? (isOwn ? defaults.address : undefined);
  const text = entry.address ?? ambientAddress;
  if (text === undefined) throw new ProviderError("ConfigError", `connection "${name}" has no address`);
  const address = parseAddress(name, text, isPlain);
  const configKey = isOwn ? `trustplane:${service}` : `trustplane:connections.${name}`;
  // A stack has one such connection; of a program's providers each may be about another server.
  const isAmbientServer =
    isOwn && (of !== "program" || hrefOf(text, isPlain) === hrefOf(ambientAddress ?? text, isPlain));
  const isOtherAddress = isOwn && of !== "program" && hrefOf(from("address") ?? text, isPlain) !== address.href;
  const variablesOfLogin = isAmbientServer ? defaults.loginVariables : undefined;
  const { login, isOfRun } = loginOf(
    { configKey, entry, variables: variablesOfLogin, isOfStack: of !== "program" },
    env,
  );
  return {
    name,
    configKey,
    service,
    address,
    addressAdvice:
      text === entry.address || from("address") ? undefined : defaultAdvice(configKey, variables("address")),
    otherAddress: isOtherAddress
      ? `${configKey}.address is ${address.origin}, which is used; ${variables("address").find((name) => env[name])} names another server`
      : undefined,
    namespace: entry.namespace ?? entry.partition ?? (defaults.tenant && from(defaults.tenant)),
    token: tokenSourcesOf({
      configKey,
      entry,
      isLoginOfRun: isOfRun,
      host: address.host,
      // A name that nobody has proved to have is no host.
      isProvedHost: address.protocol === "https:",
      hostTokens: defaults.hostTokens,
      hostFiles: defaults.hostTokens ? hostTokenFiles(defaults.hostTokens, { env }) : [],
      defaults: isOwn ? defaults : undefined,
      ambientFile: from("tokenFile"),
      isAmbientServer,
      mayBeOld: isOwn && of === "stack",
    }),
    login,
    tls: tlsSettings(configKey, entry, (field) => variables(field).find((variable) => env[variable]), env),
    headers: headerSettings({ configKey, entry, defaults, isAmbientServer: isAmbientServer && !isOtherAddress }, env),
    skipVerify: entry.skipTlsVerify ?? (isOwn && skipsVerify(defaults, env)),
    retries: entry.maxRetries ?? number("maxRetries", countOf) ?? RETRIES,
    timeoutMs: 1000 * (entry.timeoutSeconds ?? number("timeoutSeconds", parseWrittenDuration) ?? TIMEOUT_SECONDS),
    offline: entry.offline ?? false,
    followRedirects: !noRedirectVariables.some((variable) => isTrue(env[variable])),
    rebuilt: (entry.rebuilt ?? false) || namesIn(env[REBUILT]).includes(name),
    takeOver: entry.takeOver ?? takeOver,
  };
}

function defaultAdvice(configKey: string, variables: readonly string[]): string {
  return `No address is set, so this is the default: set ${variables.join(" or ")}, or ${configKey}.address.`;
}

/** Names of other providers' connections stand there, too: nobody knows them all, and a wrong one permits nothing. */
function namesIn(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").map((name) => name.trim());
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
  const problems = result.error.issues.map((issue) =>
    [issue.path.join("."), settingProblem(issue)].filter(Boolean).join(": "),
  );
  throw new ProviderError("ConfigError", `the configuration ${key} is not valid: ${problems.join("; ")}`);
}

function jsonOf(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderError(
      "ConfigError",
      `the configuration ${key} is not an object; set it with \`pulumi config set --plaintext --path ${key}.address …\``,
    );
  }
}

/** Consul's address may lack the scheme, Terraform's host name always does. */
function withScheme(text: string, isPlain: boolean): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isPlain ? "http" : "https"}://${text}`;
}

/** Undefined for what is no address: who uses it is told. */
function hrefOf(text: string, isPlain: boolean): string | undefined {
  const full = withScheme(text, isPlain);
  return URL.canParse(full) ? new URL(full).href : undefined;
}

const NO_SOCKET =
  "which is not supported: let the server or its agent listen on a port of this machine too, such as 127.0.0.1:8100, and give http://127.0.0.1:8100";

function parseAddress(name: string, text: string, isPlain: boolean): URL {
  const full = withScheme(text, isPlain);
  if (full.startsWith("unix://"))
    throw new ProviderError("ConfigError", `the address of connection "${name}" is a Unix socket, ${NO_SOCKET}`);
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
  const [, own] = /\/(v1|api\/v2|ui(?:\/vault\b.*)?)\/*$/.exec(url.pathname) ?? [];
  if (own !== undefined) {
    throw new ProviderError(
      "ConfigError",
      `the address of connection "${name}" ends in /${own}: leave that out, trustplane adds the paths of its requests`,
    );
  }
  return url;
}

function skipsVerify({ verifyVariable, environment }: ServiceDefaults, env: Environment): boolean {
  if (verifyVariable !== undefined) return isFalse(env[verifyVariable]);
  const variables = environment.skipTlsVerify ?? [];
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
