import type { ConnectionEntry, ServiceDefaults } from "../core/connection-entry";
import { ProviderError } from "../core/errors";
import { type ConnectionLogin, loginSchema } from "../core/login-entry";

type Environment = Readonly<Record<string, string | undefined>>;

/** One connection, as far as its login goes. */
interface LoginOwner {
  readonly configKey: string;
  readonly entry: { readonly [K in "token" | "tokenEnv" | "tokenFile" | "login"]?: ConnectionEntry[K] | undefined };
  /** What asks for a login in the environment; none where the environment is about another server. */
  readonly variables: ServiceDefaults["loginVariables"];
  /** The entry is the stack's, or may be: a login that the run asks for comes before its own. */
  readonly isOfStack: boolean;
}

interface FoundLogin {
  readonly login: ConnectionLogin | undefined;
  /** The run asks for it, so that it comes before a token that its environment happens to have. */
  readonly isOfRun: boolean;
}

/** How a connection logs in: as the job says in which the program runs, or else as the configuration says. */
export function loginOf({ configKey, entry, variables, isOfStack }: LoginOwner, env: Environment): FoundLogin {
  const named = (["token", "tokenEnv", "tokenFile"] as const).find((field) => entry[field] !== undefined);
  if (entry.login !== undefined && named !== undefined)
    throw new ProviderError("ConfigError", `${configKey} has both login and ${named}: remove one of them`);
  const isAsked = named === undefined && (entry.login === undefined || isOfStack);
  const ofRun = isAsked && variables !== undefined ? loginIn(variables, env) : undefined;
  return { login: ofRun ?? entry.login, isOfRun: ofRun !== undefined };
}

function loginIn(variables: NonNullable<ServiceDefaults["loginVariables"]>, env: Environment) {
  const fields = Object.entries(variables).flatMap(([field, name]) => (env[name] ? [[field, env[name]]] : []));
  if (!env[variables.role]) return undefined;
  const login = { method: "jwt", ...Object.fromEntries(fields) };
  const checked = loginSchema.safeParse(login);
  if (checked.success) return checked.data;
  // The others are any text.
  throw new ProviderError(
    "ConfigError",
    `the environment variable ${variables.mount} must be the path of an auth method`,
  );
}
