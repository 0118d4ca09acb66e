import { type ServiceDefaults, serviceDefaults } from "../core/connection-entry";
import { isProviderError, ProviderError } from "../core/errors";
import type { Answer, Dialect } from "../dialects/dialect";
import { withinRateLimit } from "../http/rate-limit";
import { type Redact, redactor } from "../http/redact";
import { ANY_CA, send } from "../http/send";
import { type Around, CONNECTIONS, createTransport, type Transport } from "../http/transport";
import type { ApiRequest } from "./api-request";
import type { Log } from "./log";
import type { Settings } from "./settings";
import { transportOptions } from "./tls-files";

/** Who asks. */
export interface Asker {
  readonly token: string | undefined;
  readonly namespace: string | undefined;
  readonly redact: Redact;
}

/** Some questions need no credentials: neither a token nor a tenant is sent. */
export const NOBODY: Asker = { token: undefined, namespace: undefined, redact: redactor([]) };

export interface SenderOptions {
  readonly log: Log;
  /** Wraps every request to a server, for example with a rule that refuses to write. */
  readonly around?: ((settings: Settings) => Around) | undefined;
}

/** Puts requests into the API's form and sends them. The transport is opened for the first one. */
export function createSender(settings: Settings, dialect: Dialect, { log, around }: SenderOptions) {
  const info = (text: string) => log("info", text);
  const hide = redactor(settings.headers.secrets);
  const { consistency } = dialect;
  let position: string | undefined;
  let opened: Transport | undefined;
  const transport = () => {
    opened ??= withinRateLimit(
      createTransport({
        ...transportOptions(settings),
        redirects: redirectsOf(settings, dialect),
        ...(around ? { around: around(settings) } : {}),
      }),
      { atOnce: CONNECTIONS, log: info },
    );
    return opened;
  };

  return async (request: ApiRequest, { redact, ...credentials }: Asker): Promise<Answer> => {
    const { method, path, members, mints, signal } = request;
    const located = dialect.located?.(path, credentials.namespace) ?? path;
    const body = members === undefined ? undefined : JSON.stringify(dialect.body(members, { method, path: located }));
    const headers = {
      ...settings.headers.sent,
      "user-agent": "trustplane",
      // Also on a DELETE without a body: one of the APIs refuses it otherwise.
      ...(method === "GET" ? {} : { "content-type": dialect.contentType }),
      ...dialect.headers(credentials),
      ...(position === undefined ? {} : consistency?.headers(position)),
    };
    const url = new URL(baseOf(settings.address) + dialect.prefix + located);
    const answer = await send(
      transport(),
      { method, url, headers, ...(body === undefined ? {} : { body }) },
      {
        retries: settings.retries,
        signal,
        log: info,
        redact: (text) => redact(hide(text)),
        advice: settings.addressAdvice,
        ...(mints ? { mints: true } : {}),
      },
    ).catch((error: unknown) => {
      throw signal?.aborted ? error : withDoctor(error, settings);
    });
    position = consistency?.position(position, answer);
    return answer;
  };
}

/** What an error says in addition where a server could not be reached. */
export const SEE_DOCTOR = " `trustplane doctor` says why.";

function withDoctor(error: unknown, settings: Settings): unknown {
  if (!isProviderError(error) || error.code !== "NetworkError") return error;
  const said = error.message.replace(ANY_CA, () => caOf(settings)).replace(/[.?]?$/, (end) => end || ".");
  return new ProviderError("NetworkError", said + SEE_DOCTOR);
}

/** Where this connection has its CA from, or would have it. No variable counts for one that has a name of its own. */
function caOf({ name, service, tls }: Settings): string {
  const { environment }: ServiceDefaults = serviceDefaults[service];
  const variable = name === service ? environment.caCertFile?.at(-1) : undefined;
  const { value, namedBy } = tls.ca;
  return value === undefined && variable !== undefined ? `${variable}, or ${namedBy}` : namedBy;
}

function redirectsOf({ followRedirects }: Settings, { hasStandbys }: Dialect) {
  if (!followRedirects) return "none";
  return hasStandbys ? "active node" : "own origin";
}

function baseOf(address: URL): string {
  return (address.origin + address.pathname).replace(/\/+$/, "");
}
