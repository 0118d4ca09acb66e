import { type FoundToken, findToken } from "../auth/token";
import { ProviderError } from "../core/errors";
import type { ConnectionLogin } from "../core/login-entry";
import type { Dialect, Logins } from "../dialects/dialect";
import { openLogin, type Session, type SessionOptions } from "./login-session";
import type { Settings } from "./settings";

export type { Session };

/** The token that a connection is given, or that of its login. */
export function openSession(settings: Settings, dialect: Dialect, options: SessionOptions): Session {
  const { login } = settings;
  let found: Promise<FoundToken | undefined> | undefined;
  const findOnce = () => {
    found ??= findCredentials(settings, options);
    return found;
  };
  if (login === undefined) return { token: findOnce, tokenAfter: async () => undefined, end: async () => {} };
  const logins = openLogin({ settings, dialect, login, logins: loginsOf(settings, dialect, login) }, options);
  return {
    // A token of the environment comes before the login of a configuration.
    token: async () => (await findOnce()) ?? logins.token(),
    tokenAfter: async (refused) => ((await findOnce()) === undefined ? logins.tokenAfter(refused) : undefined),
    end: logins.end,
  };
}

function loginsOf(
  { configKey, service }: Settings,
  { logins, tenancy }: Dialect,
  { method, namespace }: ConnectionLogin,
): Logins {
  if (namespace !== undefined && tenancy?.property !== "namespace")
    throw new ProviderError("ConfigError", `login in ${configKey}: ${service} has no namespaces; leave out namespace`);
  if (logins?.methods.includes(method)) return logins;
  const known = logins ? `it has ${logins.methods.join(", ")}` : "give a token";
  throw new ProviderError("ConfigError", `login in ${configKey}: ${service} has no login by ${method}; ${known}`);
}

async function findCredentials(settings: Settings, { env, log }: SessionOptions): Promise<FoundToken | undefined> {
  const found = await findToken(settings.token, env);
  if (found?.from === "configuration") {
    log(
      "warning",
      `the token of connection "${settings.name}" comes from the stack's configuration; refresh and destroy use the one of the last update. Prefer an environment variable or \`tokenFile\`.`,
    );
  }
  return found;
}
