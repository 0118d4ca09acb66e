import type { FoundToken } from "../auth/token";
import type { Answer, Dialect } from "../dialects/dialect";
import { redactor } from "../http/redact";
import { apiError, recordIn } from "./answer";
import type { ApiRequest, Reply } from "./api-request";
import { type CollectionOptions, createCollections } from "./collections";
import { createIdentification, type Identification } from "./identification";
import { type Asker, createSender, NOBODY, type SenderOptions } from "./send-request";
import { openSession } from "./session";
import type { Environment, Settings } from "./settings";
import { unlessAborted } from "./unless-aborted";
import { adviceWithoutToken } from "./without-token";

/** A server that resources talk to. */
export interface Connection extends Identification {
  readonly settings: Settings;
  ask(request: ApiRequest): Promise<Reply>;
  /** A collection, fetched once for all the records that are looked up in it. */
  collection(path: string, id: string, options?: CollectionOptions): Promise<Reply>;
  /** What was fetched before is old: a write was made, through whatever connection. */
  forget(): void;
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

export function openConnection(settings: Settings, dialect: Dialect, surroundings: Surroundings): Connection {
  const { log } = surroundings;
  const send = createSender(settings, dialect, surroundings);
  const collections = createCollections(ask);
  const identification = createIdentification(settings, dialect, (path) => send({ method: "GET", path }, NOBODY), log);
  const session = openSession(settings, dialect, { ...surroundings, send });
  const warned = new Set<string>();
  const { writing = collections.forget } = surroundings;

  /** A write makes snapshots old from before it is sent, however it ends: it may have been done without an answer. */
  async function ask(request: ApiRequest): Promise<Reply> {
    if (request.method === "GET") return replyTo(request);
    writing();
    try {
      return await replyTo(request);
    } finally {
      writing();
    }
  }

  async function replyTo(request: ApiRequest): Promise<Reply> {
    const { asker, place, answer } = await answerTo(request, await unlessAborted(session.token(), request.signal));
    const { token, redact } = asker;
    if (dialect.isAbsent(answer)) return { kind: "absent" };
    const asked = { request, redact, tokenPlace: place };
    const doubt = dialect.doubt?.(request, answer);
    if (doubt && request.method !== "POST") {
      const second = await send({ method: "GET", path: doubt.path, signal: request.signal }, asker);
      if (doubt.isGone(second)) return { kind: "absent", missing: doubt.missing };
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

  /** A token that the server does not know any more is replaced once: what it refused was not done. */
  async function answerTo(
    request: ApiRequest,
    credentials: FoundToken | undefined,
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

  function warnOnce(warning: string): void {
    if (warned.has(warning)) return;
    warned.add(warning);
    log("warning", warning);
  }

  return {
    settings,
    ask,
    collection: (path, id, { expects, signal } = {}) =>
      collections.show(path, id, { expects: expects ?? dialect.answers({ method: "GET", path }), signal }),
    forget: collections.forget,
    end: session.end,
    ...identification,
  };
}
