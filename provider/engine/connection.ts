import { type FoundToken, findToken } from "../auth/token";
import type { ServerInfo } from "../core/availability";
import type { Definition, Values } from "../core/definition";
import type { Answer, Dialect, Expects } from "../dialects/dialect";
import { withinRateLimit } from "../http/rate-limit";
import { type Redact, redactor } from "../http/redact";
import { send } from "../http/send";
import { type Around, CONNECTIONS, createTransport, type HttpRequest } from "../http/transport";
import { apiError, recordIn } from "./answer";
import { type CollectionOptions, createCollections } from "./collections";
import { createIdentification } from "./identification";
import type { Environment, Settings } from "./settings";
import { transportOptions } from "./tls-files";
import { adviceWithoutToken } from "./without-token";

export type Log = (level: "info" | "warning", message: string) => void;

/** What is sent: a path below the API's prefix, and the members of the body. */
export interface Request {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly members?: unknown;
  readonly values?: Values;
  readonly mints?: boolean | undefined;
  /**
   * What a successful answer must hold; any other one is an error, so that a page of a proxy is not taken for a missing
   * record. For a read it is what the API answers to that path, for a write anything.
   */
  readonly expects?: Expects | undefined;
  /** Texts that no message repeats, whatever the server says; the connection's token is always among them. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back: a record or collection, nothing, or "not there". */
export type Reply =
  | {
      readonly kind: "found";
      readonly record: unknown;
      readonly filtered: boolean;
      readonly next?: string | undefined;
      /** What the server made for the caller, where it makes such things. */
      readonly issued?: Values | undefined;
    }
  | {
      readonly kind: "absent";
      /** Not even that in which the record would be is there: a mount. */
      readonly isHomeless?: boolean;
    };

/** A server that resources talk to. */
export interface Connection {
  readonly settings: Settings;
  call(request: Request): Promise<Reply>;
  /** A collection, fetched once for all the records that are looked up in it. */
  collection(path: string, id: string, options?: CollectionOptions): Promise<Reply>;
  /** Which server this is; asked until it says so. Undefined when it does not. */
  server(signal?: AbortSignal): Promise<ServerInfo | undefined>;
  /** Why `server` does not know it: what was answered the last time, or that nothing was. */
  whyUnknown(): string;
}

/** What a connection needs from outside. */
export interface Surroundings {
  readonly env: Environment;
  readonly log: Log;
  /** What every request to a server passes, such as a rule that refuses to write. */
  readonly around?: ((settings: Settings) => Around) | undefined;
}

export function openConnection(settings: Settings, dialect: Dialect, { env, log, around }: Surroundings): Connection {
  const transport = lazily(() =>
    withinRateLimit(
      createTransport({
        ...transportOptions(settings),
        redirects: redirectsOf(settings, dialect),
        ...(around ? { around: around(settings) } : {}),
      }),
      { atOnce: CONNECTIONS, log: (text) => log("info", text) },
    ),
  );
  const credentials = lazily(() => findCredentials(settings, env, log));
  const collections = createCollections(call);
  const identification = createIdentification(
    settings,
    dialect,
    (path) => answerTo({ method: "GET", path }, NOBODY),
    log,
  );
  const warned = new Set<string>();

  async function answerTo(request: Request, { redact, ...credentials }: Asker): Promise<Answer> {
    const body =
      request.members === undefined ? undefined : JSON.stringify(dialect.body(request.members, request.values ?? {}));
    return send(
      transport(),
      {
        method: request.method,
        url: new URL(trimmed(settings.address) + dialect.prefix + request.path),
        headers: {
          "user-agent": "trustplane",
          // Also on a DELETE without a body: one of the APIs refuses it otherwise (reference cluster-and-policy A.5).
          ...(request.method === "GET" ? {} : { "content-type": dialect.contentType }),
          ...dialect.headers(credentials),
        },
        ...(body === undefined ? {} : { body }),
      },
      {
        retries: settings.retries,
        signal: request.signal,
        log: (text) => log("info", text),
        redact,
        ...(request.mints ? { mints: true } : {}),
      },
    );
  }

  /** A write makes snapshots old from before it is sent, however it ends: it may have been done without an answer. */
  async function call(request: Request): Promise<Reply> {
    if (request.method === "GET") return replyTo(request);
    collections.forget();
    try {
      return await replyTo(request);
    } finally {
      collections.forget();
    }
  }

  async function replyTo(request: Request): Promise<Reply> {
    const { token, place } = (await credentials()) ?? {};
    const redact = redactor([token, ...(request.secrets ?? [])]);
    const own = { token, namespace: settings.namespace, redact };
    const answer = await answerTo(request, own);
    if (dialect.isAbsent(answer)) return { kind: "absent" };
    const asked = { request, redact, tokenPlace: place };
    const doubt = dialect.doubt?.(request, answer);
    if (doubt && request.method !== "POST") {
      const second = await answerTo({ method: "GET", path: doubt.path, signal: request.signal }, own);
      if (doubt.settles(second)) return { kind: "absent", isHomeless: true };
      throw apiError(dialect, asked, answer, doubt.otherwise);
    }
    if (answer.status < 200 || answer.status > 299) {
      const advice = token === undefined ? adviceWithoutToken(settings, dialect, request, answer) : undefined;
      throw apiError(dialect, asked, answer, advice);
    }
    const { json, record, warnings } = recordIn(dialect, asked, answer);
    for (const warning of warnings) warnOnce(warning);
    const [issued, filtered] = [dialect.issued?.(json), dialect.isFiltered?.(answer) ?? false];
    return { kind: "found", record, filtered, next: dialect.nextPage?.(json), issued };
  }

  function warnOnce(warning: string): void {
    if (warned.has(warning)) return;
    warned.add(warning);
    log("warning", warning);
  }

  return {
    settings,
    call,
    collection: (path, id, { expects, signal } = {}) =>
      collections.show(path, id, { expects: expects ?? dialect.answers({ method: "GET", path }), signal }),
    ...identification,
  };
}

/** Who asks. Without credentials a server is asked as by anybody: no token, and no tenant. */
interface Asker {
  readonly token: string | undefined;
  readonly namespace: string | undefined;
  readonly redact: Redact;
}

const NOBODY: Asker = { token: undefined, namespace: undefined, redact: redactor([]) };

function redirectsOf({ followRedirects }: Settings, { hasStandbys }: Dialect) {
  if (!followRedirects) return "none";
  return hasStandbys ? "active node" : "own origin";
}

/** The dialect of a definition decides the service. */
export const SERVICES = { vault: "secrets", consul: "cluster", tfe: "policy" } as const satisfies Record<
  Definition["dialect"],
  Settings["service"]
>;

async function findCredentials(settings: Settings, env: Environment, log: Log): Promise<FoundToken | undefined> {
  const found = await findToken(settings.token, env);
  if (found?.from === "configuration") {
    log(
      "warning",
      `the token of connection "${settings.name}" comes from the stack's configuration; refresh and destroy use the one of the last update. Prefer an environment variable or \`tokenFile\`.`,
    );
  }
  return found;
}

function trimmed(address: URL): string {
  return (address.origin + address.pathname).replace(/\/+$/, "");
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
