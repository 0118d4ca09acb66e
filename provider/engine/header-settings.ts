import type { ConnectionEntry, ServiceDefaults } from "../core/connection-entry";
import { type ConnectionHeaders, headersSchema } from "../core/connection-headers";
import { ProviderError } from "../core/errors";
import { parseJson } from "../core/parse-json";

/** What every request to a server carries in addition. */
export interface HeaderSettings {
  readonly sent: ConnectionHeaders;
  /** Texts that no message repeats. */
  readonly secrets: readonly string[];
}

/** One connection, as far as its headers go. */
interface HeaderOwner {
  readonly configKey: string;
  readonly entry: { readonly [K in "headers" | "httpAuthEnv"]?: ConnectionEntry[K] | undefined };
  readonly defaults: ServiceDefaults;
  /** The ecosystem's variables are about this very server. */
  readonly isAmbientServer: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The headers of a connection: those of its entry, or those of the environment where that is about the same server, and basic
 * authentication. They may be credentials, so that no other server sees them.
 * @throws ConfigError for a variable that cannot be used, and for basic authentication where the service has none
 */
export function headerSettings(owner: HeaderOwner, env: Environment): HeaderSettings {
  const given = owner.entry.headers ?? (owner.isAmbientServer ? headersIn(owner.defaults, env) : {});
  const userAndPassword = httpAuthOf(owner, env);
  if (userAndPassword === undefined) return { sent: given, secrets: Object.values(given) };
  const basic = Buffer.from(userAndPassword).toString("base64");
  const password = userAndPassword.slice(userAndPassword.indexOf(":") + 1);
  return {
    sent: { ...given, authorization: `Basic ${basic}` },
    secrets: [...Object.values(given), basic, userAndPassword, password],
  };
}

function headersIn({ environment }: ServiceDefaults, env: Environment): ConnectionHeaders {
  const variable = (environment.headers ?? []).find((name) => env[name]);
  if (variable === undefined) return {};
  const parsed = headersSchema.safeParse(parseJson(env[variable] ?? ""));
  if (parsed.success) return parsed.data;
  const form = 'must be a JSON object of texts, such as {"X-Proxy-Key":"…"}';
  const problems = parsed.error.issues.map(({ code, path, message }) =>
    code === "custom" ? `${path.join(".")} ${message}` : form,
  );
  throw new ProviderError("ConfigError", `the environment variable ${variable}: ${[...new Set(problems)].join("; ")}`);
}

/** `user:password`; without a colon it is the user, as Consul's own tools take it. */
function httpAuthOf({ configKey, entry, defaults, isAmbientServer }: HeaderOwner, env: Environment) {
  const { httpAuthVariable } = defaults;
  const { httpAuthEnv } = entry;
  if (httpAuthEnv !== undefined && httpAuthVariable === undefined)
    throw new ProviderError("ConfigError", `httpAuthEnv in ${configKey}: only Consul has it; remove it`);
  const variable = httpAuthEnv ?? (isAmbientServer ? httpAuthVariable : undefined);
  const text = variable === undefined ? undefined : env[variable]?.trim();
  if (!text && httpAuthEnv !== undefined)
    throw new ProviderError(
      "ConfigError",
      `the environment variable ${httpAuthEnv}, which httpAuthEnv in ${configKey} names, is not set or blank: set it to user:password`,
    );
  if (!text) return undefined;
  return text.includes(":") ? text : `${text}:`;
}
