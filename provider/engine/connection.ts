import type { FoundToken } from "../auth/token";
import type { Answer, Dialect } from "../dialects/dialect";
import { redactor } from "../http/redact";
import { apiError, recordIn } from "./answer";
import type { ApiRequest, Reply } from "./api-request";
import { assertTenant } from "./assert-tenant";
import { type CollectionOptions, createCollections } from "./collections";
import { createIdentification, type Identification } from "./identification";
import type { Log } from "./log";
import { type Asker, createSender, NOBODY, type SenderOptions } from "./send-request";
import { openSession, type Session } from "./session";
import type { Environment, Settings } from "./settings";
import { unlessAborted } from "./unless-aborted";
import { type Look, REPLICA_MS, waitUntil } from "./wait-until";
import { adviceWithoutToken } from "./without-token";

/** A server that resources talk to, in one namespace or partition of it. */
export interface Connection extends Identification {
  /** `namespace` is that in which this connection asks. */
  readonly settings: Settings;
  ask(request: ApiRequest): Promise<Reply>;
  /** A collection, fetched once for all the records that are looked up in it. */
  collection(path: string, id: string, options?: CollectionOptions): Promise<Reply>;
  /** What was fetched before is old: a write was made, through whatever connection. */
  forget(): void;
}

/** A connection as its settings have it. */
export interface OwnConnection extends Connection {
  /** The same server and login, in the namespace or partition that a record names. */
  within(tenant: string): Connection;
  /** Revokes the token of a login. */
  end(): Promise<void>;
}

/** An answer, and to whom it was given. */
interface Answered {
  readonly asker: Asker;
  readonly place: string | undefined;
  readonly answer: Answer;
}

/** What a connection needs from outside. */
export interface Surroundings extends SenderOptions {
  readonly env: Environment;
  /** Called before a login: what it issues is to be revoked at the end of the run. */
  readonly loggingIn?: (() => void) | undefined;
  /** Called around a write. Two connections may lead to one server, so that what the others know is old as well. */
  readonly writing?: (() => void) | undefined;
}

/** What all namespaces of a server share. */
interface Line {
  readonly dialect: Dialect;
  readonly send: ReturnType<typeof createSender>;
  readonly session: Session;
  readonly identified: ReturnType<typeof createIdentification>;
  readonly log: Log;
  writing(): void;
  warn(warning: string): void;
}

export function openConnection(settings: Settings, dialect: Dialect, surroundings: Surroundings): OwnConnection {
  const { log } = surroundings;
  const send = createSender(settings, dialect, surroundings);
  const identified = createIdentification(settings, dialect, (path) => send({ method: "GET", path }, NOBODY), log);
  const session = openSession(settings, dialect, {
    ...surroundings,
    send,
    assertNamespace: (namespace, request) =>
      assertTenant(dialect, { ...settings, namespace }, identified(namespace), request),
  });
  const warned = new Set<string>();
  const tenants = new Map<string, Connection>();
  const forget = () => {
    for (const each of [own, ...tenants.values()]) each.forget();
  };
  const line: Line = {
    dialect,
    send,
    session,
    identified,
    log,
    writing: surroundings.writing ?? forget,
    warn(warning) {
      if (!warned.has(warning)) log("warning", warning);
      warned.add(warning);
    },
  };
  const own = connectionIn(line, settings, { identity: settings.namespace });
  return {
    ...own,
    forget,
    within(tenant) {
      const known = tenants.get(tenant);
      if (known) return known;
      const { within = () => undefined, isInIdentity = false } = dialect.tenancy ?? {};
      const namespace = within(settings.namespace, tenant);
      const place = { identity: isInIdentity ? namespace : settings.namespace, named: tenant };
      const opened = connectionIn(line, { ...settings, namespace }, place);
      tenants.set(tenant, opened);
      return opened;
    },
    end: session.end,
  };
}

/** Where a connection asks: the tenant of the server's identity, and what the record names of it. */
interface TenantPlace {
  readonly identity: string | undefined;
  readonly named?: string;
}

/** Every request of a record passes here. */
function connectionIn(line: Line, settings: Settings, { identity, named }: TenantPlace): Connection {
  const { dialect, send, session, writing } = line;
  const collections = createCollections(ask);
  const identification = line.identified(identity);

  /** A write makes snapshots old from before it is sent, however it ends: it may have been done without an answer. */
  async function ask(request: ApiRequest): Promise<Reply> {
    await assertTenant(dialect, settings, identification, request);
    if (request.method === "GET") return replyTo(request);
    writing();
    try {
      return await replyTo(request);
    } finally {
      writing();
    }
  }

  function replyTo(request: ApiRequest): Promise<Reply> {
    const [title, until] = [`${request.method} ${request.path}`, Date.now() + REPLICA_MS];
    const look = async (): Promise<Look<Reply>> => {
      const reply = await replyNow(request, Date.now() < until);
      return reply === "late" ? { pending: { state: "not known to a node", wanted: "known" } } : { done: reply };
    };
    const { log } = line;
    return waitUntil({ title, budgetMs: 2 * REPLICA_MS, otherwise: "Run again.", log, signal: request.signal }, look);
  }

  /** `late` where another node knows what this one does not. */
  async function replyNow(request: ApiRequest, isPatient: boolean): Promise<Reply | "late"> {
    const { asker, place, answer } = await askedBy(request);
    const { token, redact } = asker;
    if (dialect.isAbsent(answer)) return { kind: "absent" };
    const asked = { request, redact, tokenPlace: place, tenant: named };
    const doubt = dialect.doubt?.(request, answer);
    if (doubt && request.method !== "POST") {
      const second = await send({ method: "GET", path: doubt.path, signal: request.signal }, asker);
      if (doubt.isGone(second)) return { kind: "absent", missing: doubt.missing };
      if (isPatient && request.method === "GET" && doubt.isLate?.(second)) return "late";
      throw apiError(dialect, asked, answer, doubt.otherwise);
    }
    if (answer.status < 200 || answer.status > 299) {
      const advice = token === undefined ? adviceWithoutToken(settings, dialect, request, answer) : undefined;
      throw apiError(dialect, asked, answer, advice);
    }
    const { json, record: shown, warnings } = recordIn(dialect, asked, answer);
    if (!request.isAwaited) for (const warning of warnings) line.warn(warning);
    const [issued, filtered] = [dialect.issued?.(json), dialect.isFiltered?.(answer) ?? false];
    const seenFrom = named === undefined ? dialect.tenancy?.seenFrom : undefined;
    const record = seenFrom ? seenFrom(settings.namespace ?? "", shown) : shown;
    return { kind: "found", record, filtered, next: dialect.nextPage?.(json), issued };
  }

  async function askedBy(request: ApiRequest): Promise<Answered> {
    if (request.token === undefined) {
      return answerTo(request, await unlessAborted(session.token(), request.signal));
    }
    // No login makes another token of that one.
    return answerTo(request, { token: request.token, place: "the token that was issued" }, true);
  }

  /** A token that the server does not know any more is replaced once: what it refused was not done. */
  async function answerTo(
    request: ApiRequest,
    credentials: Pick<FoundToken, "token" | "place"> | undefined,
    isSecond = false,
  ): Promise<Answered> {
    const { token, place } = credentials ?? {};
    const redact = redactor([token, ...settings.headers.secrets, ...(request.secrets ?? [])]);
    const asker = { token, namespace: settings.namespace, redact };
    const answer = await send(request, asker);
    if (token !== undefined && !isSecond && dialect.logins?.isUnknown(answer)) {
      const another = await unlessAborted(session.tokenAfter(token), request.signal);
      if (another) return answerTo(request, another, true);
    }
    return { asker, place, answer };
  }

  return {
    settings,
    ask,
    collection: (path, id, { expects, signal } = {}) =>
      collections.show(path, id, { expects: expects ?? dialect.answers({ method: "GET", path }), signal }),
    forget: collections.forget,
    ...identification,
  };
}
