import { findIdentityToken } from "../../provider/auth/identity-token";
import { ProviderError } from "../../provider/core/errors";
import { send } from "../../provider/http/send";
import { createTransport } from "../../provider/http/transport";
import { readText } from "../io/read-text";
import { say, type Terminal } from "../io/terminal";

const TIMEOUT_MS = 30_000;
const RETRIES = 4;

/** Which token is asked for. */
export interface TokenSource {
  readonly token?: string;
  readonly tokenEnv?: string;
  readonly audience?: string;
  /** Each may name the standard input, too. */
  readonly file?: string | undefined;
  readonly state?: string | undefined;
  readonly preview?: string | undefined;
}

/** The JWT to explain: that of a file or the standard input, or the one with which the provider would log in here. */
export async function givenToken(flags: TokenSource, terminal: Terminal): Promise<string> {
  const { token, tokenEnv, file, ...paths } = flags;
  if (token !== undefined && tokenEnv !== undefined)
    throw new ProviderError("ConfigError", "--token and --token-env both name a token: give one of them.");
  const flag = (["state", "preview"] as const).find((name) => paths[name] === "-");
  if (token === "-" && (flag !== undefined || file === "-"))
    throw new ProviderError(
      "ConfigError",
      `${flag === undefined ? "the file" : `--${flag}`} and --token both name the standard input: name a file for one.`,
    );
  const jwt = token === undefined ? await tokenOfJob(flags, terminal) : await readText(token, terminal);
  if (jwt.trim() !== "") return jwt;
  throw new ProviderError(
    "InputError",
    "there is no token: name its file with --token or its variable with --token-env, or run this in a CI job that has one.",
  );
}

async function tokenOfJob({ tokenEnv, audience }: TokenSource, terminal: Terminal): Promise<string> {
  const transport = createTransport({ timeoutMs: TIMEOUT_MS });
  const log = (message: string) => say(message, terminal);
  const named = {
    ...(tokenEnv === undefined ? {} : { jwtEnv: tokenEnv }),
    ...(audience === undefined ? {} : { audience }),
  };
  const found = await findIdentityToken(
    { method: "jwt", ...named },
    { env: process.env, ask: (request) => send(transport, request, { retries: RETRIES, mints: false, log }) },
  );
  return found?.jwt ?? "";
}
