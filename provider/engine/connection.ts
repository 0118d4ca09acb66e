import { readFileSync } from "node:fs";
import { type FoundToken, findToken } from "../auth/token";
import type { ServerInfo } from "../core/availability";
import type { Definition, Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { parseJson } from "../core/parse-json";
import type { Answer, Dialect } from "../dialects/dialect";
import { adviceOn } from "../dialects/dialect";
import { askedWaitMs, send } from "../http/send";
import { type Around, createTransport, type HttpRequest } from "../http/transport";
import type { Environment, Settings } from "./settings";

export type Log = (level: "info" | "warning", message: string) => void;

/** What is sent: a path below the API's prefix, and the members of the body. */
export interface Request {
  readonly method: HttpRequest["method"];
  readonly path: string;
  readonly members?: unknown;
  readonly values?: Values;
  readonly mints?: boolean | undefined;
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
  collection(path: string, id: string, signal?: AbortSignal): Promise<Reply>;
  /** Which server this is; asked at most once. Undefined when it does not say. */
  server(signal?: AbortSignal): Promise<ServerInfo | undefined>;
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
    createTransport({ ...transportOptions(settings), ...(around ? { around: around(settings) } : {}) }),
  );
  const credentials = lazily(() => findCredentials(settings, env, log));
  const snapshots = new Map<string, Snapshot>();
  let identified: Promise<ServerInfo | undefined> | undefined;

  /** Without credentials the server is asked as by anybody: no token, and no tenant. */
  async function answerTo(request: Request, credentials: Credentials = NOBODY): Promise<Answer> {
    const body =
      request.members === undefined ? undefined : JSON.stringify(dialect.body(request.members, request.values ?? {}));
    const options = { retries: settings.retries, signal: request.signal, log: (text: string) => log("info", text) };
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
      { ...options, ...(request.mints ? { mints: true } : {}) },
    );
  }

  async function call(request: Request): Promise<Reply> {
    const own = { token: (await credentials())?.token, namespace: settings.namespace };
    const answer = await answerTo(request, own);
    if (request.method !== "GET") snapshots.clear();
    if (dialect.isAbsent(answer)) return { kind: "absent" };
    const doubt = dialect.doubt?.(request, answer);
    if (doubt && request.method !== "POST") {
      const second = await answerTo({ method: "GET", path: doubt.path, signal: request.signal }, own);
      if (doubt.settles(second)) return { kind: "absent", isHomeless: true };
      throw apiError(dialect, request, answer, doubt.otherwise);
    }
    if (answer.status < 200 || answer.status > 299) throw apiError(dialect, request, answer);
    const json = jsonOf(request, answer);
    const record = json === undefined ? undefined : dialect.record(json);
    const [issued, filtered] = [dialect.issued?.(json), dialect.isFiltered?.(answer) ?? false];
    return { kind: "found", record, filtered, next: dialect.nextPage?.(json), issued };
  }

  async function allPages(path: string, signal: AbortSignal | undefined): Promise<Reply> {
    const page = await call({ method: "GET", path, signal });
    if (page.kind === "absent" || !page.next || !Array.isArray(page.record)) return page;
    const rest = await allPages(page.next, signal);
    // A page that is gone by now was emptied meanwhile.
    return rest.kind === "absent" ? page : { ...page, record: [...page.record, ...[rest.record].flat()] };
  }

  return {
    settings,
    call,
    collection(path, id, signal) {
      const known = snapshots.get(path);
      if (known && !known.shownTo.has(id) && Date.now() - known.takenAt < SNAPSHOT_MS) {
        known.shownTo.add(id);
        return known.reply;
      }
      const reply = allPages(path, signal);
      snapshots.set(path, { reply, takenAt: Date.now(), shownTo: new Set([id]) });
      // A failure is not kept: the next one to ask tries again.
      reply.catch(() => snapshots.delete(path));
      return reply;
    },
    server(signal) {
      identified ??= identify(settings, dialect, (path) => answerTo({ method: "GET", path }), log);
      return unlessAborted(identified, signal);
    },
  };
}

type Credentials = Parameters<Dialect["headers"]>[0];

const NOBODY: Credentials = { token: undefined, namespace: undefined };

/** A collection as it was. It answers each record once, so whoever looks again sees what is there by then. */
interface Snapshot {
  readonly reply: Promise<Reply>;
  readonly takenAt: number;
  readonly shownTo: Set<string>;
}

const SNAPSHOT_MS = 10_000;

/** The dialect of a definition decides the service. */
export const SERVICES = { vault: "secrets", consul: "cluster", tfe: "policy" } as const satisfies Record<
  Definition["dialect"],
  Settings["service"]
>;

/** Others may wait for the same answer: who is cancelled stops waiting, and the question goes on. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function identify(
  settings: Settings,
  dialect: Dialect,
  ask: (path: string) => Promise<Answer>,
  log: Log,
): Promise<ServerInfo | undefined> {
  const at = { host: settings.address.host, namespace: settings.namespace };
  if (!dialect.probe) return dialect.server(undefined, at);
  if (settings.offline) return undefined;
  try {
    return dialect.server(await ask(dialect.probe), at);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log(
      "warning",
      `the ${settings.name} server was not checked: ${reason} (\`offline: true\` in ${settings.configKey} keeps it from being asked)`,
    );
    return undefined;
  }
}

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

/** The JSON of a successful answer; undefined when it has none to give. */
function jsonOf(request: Request, answer: Answer): unknown {
  if (answer.status === 204 || answer.text.trim() === "") return undefined;
  const json = parseJson(answer.text);
  if (json !== undefined) return json;
  const what = looksLikeHtml(answer) ? "an HTML page, perhaps from a proxy" : "no JSON";
  throw new ProviderError(
    "ResponseError",
    `the server answered ${answer.status} with ${what} (${request.method} ${plain(request.path)}). Check the address.`,
  );
}

function apiError(dialect: Dialect, request: Request, answer: Answer, otherwise?: string): ProviderError {
  const details = looksLikeHtml(answer)
    ? ["an HTML page, perhaps from a proxy; check the address"]
    : dialect.details(answer);
  const hint = otherwise ?? adviceOn(dialect, request, answer);
  const what = [String(answer.status), details.join("; ")].filter(Boolean).join(" ");
  const message = `${what} (${request.method} ${plain(request.path)}).${hint ? ` ${hint}` : ""}`;
  const retryAfterMs = askedWaitMs(answer);
  return new ProviderError("ApiError", message, {
    status: answer.status,
    details,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function looksLikeHtml(answer: Answer): boolean {
  return /text\/html/.test(answer.headers["content-type"] ?? "") || /^\s*<(!doctype|html)/i.test(answer.text);
}

function plain(path: string): string {
  return path.replace(/\?.*/, "");
}

function trimmed(address: URL): string {
  return (address.origin + address.pathname).replace(/\/+$/, "");
}

function transportOptions(settings: Settings) {
  const pem = (path: string | undefined, what: string) => {
    if (path === undefined) return undefined;
    try {
      return readFileSync(path, "utf8");
    } catch {
      throw new ProviderError("ConfigError", `the ${what} of connection "${settings.name}" cannot be read: ${path}`);
    }
  };
  const parts = {
    ca: pem(settings.caCertFile, "CA file"),
    clientCertificate: pem(settings.clientCertFile, "client certificate"),
    clientKey: pem(settings.clientKeyFile, "client key"),
  };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), skipVerify: settings.skipVerify, timeoutMs: settings.timeoutMs };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
