import { type LoginOptions, type Proof, proofOf } from "../auth/login";
import type { FoundToken } from "../auth/token";
import { during, ProviderError } from "../core/errors";
import type { ConnectionLogin } from "../core/login-entry";
import { parseJson } from "../core/parse-json";
import { trimSlashes } from "../core/rows";
import { requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import type { Answer, Dialect, IssuedToken, Logins } from "../dialects/dialect";
import { redactor } from "../http/redact";
import { LATER, send as sendOnce } from "../http/send";
import { createTransport } from "../http/transport";
import { apiError, saidIn } from "./answer";
import type { ApiRequest } from "./api-request";
import { isWhole } from "./assert-tenant";
import type { Log } from "./log";
import type { Asker } from "./send-request";
import type { Environment, Settings } from "./settings";
import { clientCertificateOf } from "./tls-files";

/** Whose token a connection sends, from the first request to the end of the run. */
export interface Session {
  /** Undefined where there is none: some servers need none. All callers wait for one login. */
  token(): Promise<FoundToken | undefined>;
  /** The token after one that the server does not know any more; undefined where there is no other to be had. */
  tokenAfter(refused: string): Promise<FoundToken | undefined>;
  /** Revokes what a login has issued. The next request logs in again. */
  end(): Promise<void>;
}

export interface SessionOptions {
  readonly env: Environment;
  readonly log: Log;
  readonly send: (request: ApiRequest, asker: Asker) => Promise<Answer>;
  /** Refuses a request to a namespace that the server cannot have. */
  readonly assertNamespace?: ((namespace: string | undefined, request: ApiRequest) => Promise<void>) | undefined;
  /** Called before the first login: there is something to do at the end of the run. */
  readonly loggingIn?: (() => void) | undefined;
}

/** A login, and the server that is logged in to. */
export interface LoginAt {
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly login: ConnectionLogin;
  readonly logins: Logins;
}

/** A token of a login, and when it is to be replaced. */
interface Held extends FoundToken {
  readonly issued: IssuedToken;
  readonly dueMs: number;
  readonly endsMs: number;
}

/** A token is renewed when this part of its time is over. */
const RENEWED_AFTER = 2 / 3;
/** Between two attempts to replace it. */
const SHORTEST_PAUSE_MS = 1_000;
/** Pulumi gives a provider five seconds for its end, and requests under way have had two of them. */
const LONGEST_END_MS = 2_000;
/** What a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

/** A session whose token comes from a login. Nothing is asked before the first request. */
export function openLogin(
  { settings, dialect, login, logins }: LoginAt,
  { env, log, send, loggingIn, assertNamespace }: SessionOptions,
): Session {
  const namespace = namespaceOf(settings, login);
  const title = `the login of connection "${settings.name}" by ${login.method}`;
  /** What is to be revoked at the end. */
  const revocable = new Set<string>();
  let current: Promise<Held> | undefined;
  let unwrapped: Promise<string> | undefined;
  let isAnnounced = false;
  /** Gives up what is asked between here and the end of the run. */
  let run = new AbortController();
  /** Who asks for a token meanwhile waits: a login would be of the next run, which may never come. */
  let ending: Promise<void> | undefined;

  const proofOptions: LoginOptions = {
    env,
    ask: (request) =>
      sendOnce(createTransport({ timeoutMs: settings.timeoutMs }), request, {
        retries: settings.retries,
        signal: run.signal,
        redact: redactor([request.headers["authorization"]]),
      }),
    certificate: () => ({
      address: settings.address,
      pem: clientCertificateOf(settings),
      setting: settings.tls.certificate.namedBy,
    }),
    // It works once, and a second login needs the secret ID again.
    unwrap(token) {
      unwrapped ??= unwrap(token).catch((error: unknown) => {
        unwrapped = undefined;
        throw error;
      });
      return unwrapped;
    },
  };

  async function unwrap(token: string): Promise<string> {
    const answer = await asked({ method: "POST", path: logins.unwrap ?? "", mints: true }, token, []);
    const secretId = memberOf(dialect.record(parseJson(answer.text)), "secret_id");
    if (typeof secretId === "string" && secretId !== "") return secretId;
    throw new ProviderError("ResponseError", "what the token unwraps holds no secret ID of AppRole");
  }

  async function asked(
    request: ApiRequest,
    token: string | undefined,
    secrets: readonly string[],
    advice?: Proof["advice"],
  ) {
    const redact = redactor([token, ...settings.headers.secrets, ...secrets]);
    await assertNamespace?.(namespace, request);
    const answer = await send({ ...request, signal: run.signal }, { token, namespace, redact });
    if (answer.status >= 200 && answer.status <= 299) return answer;
    // What stands before the server, or a server that is not ready, says nothing of the proof.
    const isRefusal = answer.status >= 400 && !LATER.has(answer.status);
    const comparison = isRefusal ? advice?.(saidIn(dialect, answer, redact).join(" ")) : undefined;
    throw apiError(dialect, { request, redact, tokenPlace: title }, answer, comparison);
  }

  async function logIn(): Promise<Held> {
    try {
      if (!isAnnounced) loggingIn?.();
      isAnnounced = true;
      const { members, secrets, advice } = await proofOf(login, proofOptions);
      const mount = (login.mount ?? login.method).replace(/^\/+|\/+$/g, "");
      const [path, body] = [requestPath(logins.path, { mount }), logins.members(mount, members)];
      const request: ApiRequest = { method: "POST", path, members: body, mints: true };
      return held(await asked(request, undefined, secrets, advice));
    } catch (error) {
      throw during(title, error);
    }
  }

  function held(answer: Answer): Held {
    const issued = issuedIn(logins, answer);
    if (!issued.isBatch) revocable.add(issued.token);
    const lastsMs = issued.seconds > 0 ? issued.seconds * 1000 : Number.POSITIVE_INFINITY;
    const [dueMs, endsMs] = [Date.now() + lastsMs * RENEWED_AFTER, Date.now() + lastsMs];
    return { token: issued.token, from: "login", place: title, namespace, issued, dueMs, endsMs };
  }

  /** The same token for longer, or another one where that cannot be, as at the end of its longest time. */
  async function renewed(old: Held): Promise<Held> {
    const { token, issued, endsMs } = old;
    if (logins.renew !== undefined && issued.renewable && !issued.isBatch) {
      const request: ApiRequest = { method: "POST", path: logins.renew, members: {}, signal: run.signal };
      const answer = await send(request, asker(token)).catch(() => undefined);
      const longer = answer?.status === 200 ? logins.issued(parseJson(answer.text)) : undefined;
      if (answer && longer?.token === token && longer.seconds > issued.seconds / 2) return held(answer);
    }
    return logIn().catch((error: unknown) => {
      const leftMs = endsMs - Date.now();
      // What works until its end is not to be lost to a proof that has expired, or to a short outage.
      if (leftMs > 0) return { ...old, dueMs: Date.now() + Math.max(leftMs / 2, SHORTEST_PAUSE_MS) };
      throw error;
    });
  }

  const asker = (token: string): Asker => ({
    token,
    namespace,
    redact: redactor([token, ...settings.headers.secrets]),
  });

  /** One for all that ask at the same time, also where it fails: a hundred resources are one failed login. */
  async function token(): Promise<Held> {
    await ending;
    current ??= logIn();
    const asked = current;
    const now = await asked;
    if (now.dueMs <= Date.now() && current === asked) current = renewed(now);
    return current ?? now;
  }

  async function revoke(token: string, signal: AbortSignal): Promise<void> {
    const answer = await send({ method: "POST", path: logins.end, members: {}, signal }, asker(token)).catch(
      () => undefined,
    );
    const isDone = answer && ((answer.status >= 200 && answer.status <= 299) || logins.isUnknown(answer));
    if (!isDone)
      log(
        "warning",
        `the token of ${title} could not be revoked (status ${answer?.status ?? "none"}); it ends by itself.`,
      );
  }

  return {
    token,
    async tokenAfter(refused) {
      await ending;
      const asked = current;
      const now = await asked;
      if (now?.token === refused && current === asked) {
        revocable.delete(refused);
        current = logIn();
      }
      return current;
    },
    end() {
      ending ??= logOut().finally(() => {
        ending = undefined;
      });
      return ending;
    },
  };

  async function logOut(): Promise<void> {
    const ended = run;
    const timer = setTimeout(() => ended.abort(), LONGEST_END_MS);
    // While one login is waited for, a renewal may take its place.
    for (let last: typeof current; last !== current; ) {
      last = current;
      await last?.catch(() => {});
    }
    [current, isAnnounced, run] = [undefined, false, new AbortController()];
    const tokens = [...revocable];
    revocable.clear();
    await Promise.all(tokens.map((token) => revoke(token, ended.signal)));
    clearTimeout(timer);
  }
}

/** The token in the answer to a login. @throws ResponseError where it has none that can be sent */
export function issuedIn({ issued }: Logins, { status, text }: Answer): IssuedToken {
  const found = issued(parseJson(text));
  if (found !== undefined && TOKEN.test(found.token)) return found;
  throw new ProviderError("ResponseError", `the server answered ${status} without a token. Check the address.`);
}

function memberOf(record: unknown, name: string): unknown {
  return isRecord(record) ? record[name] : undefined;
}

/** Where the auth method is. All that is about the token itself is asked there, too. */
function namespaceOf({ namespace }: Settings, login: ConnectionLogin): string | undefined {
  if (login.namespace === undefined) return namespace;
  return isWhole(login.namespace) ? undefined : trimSlashes(login.namespace);
}
