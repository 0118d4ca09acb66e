import { ProviderError } from "../core/errors";
import { askedWaitMs, LONGEST_WAIT_MS, waitIn } from "./send";
import type { HttpAnswer, Transport } from "./transport";

export interface RateLimitOptions {
  /** Requests at once. */
  readonly atOnce: number;
  readonly log: (message: string) => void;
}

/** How long a request is repeated while the server refuses it and says each time when to come back. */
const PATIENCE_MS = 10 * 60_000;
/** Clocks are rounded: a request that comes a moment early is refused again. */
const GUARD_MS = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Keeps the requests of one connection within the limit that the server announces in its headers. A refusal that says
 * when to come back pauses all of them. It counts as no attempt: the server did nothing, so it is safe to send again.
 */
export function withinRateLimit(send: Transport, { atOnce, log }: RateLimitOptions): Transport {
  const gate = createGate(atOnce);
  let isSaid = false;
  return async (request, signal) => {
    for (let firstRefusal: number | undefined; ; ) {
      await gate.enter({ isFirst: firstRefusal !== undefined, signal });
      const answer = await send(request, signal).catch((error: unknown) => {
        gate.leave();
        throw error;
      });
      gate.leave(answer);
      const asked = answer.status === 429 ? askedWaitMs(answer) : undefined;
      if (asked === undefined || asked > LONGEST_WAIT_MS) return answer;
      firstRefusal ??= Date.now();
      const what = `${request.method} ${request.url.pathname}`;
      const limit = announcedLimit(answer);
      if (Date.now() - firstRefusal > PATIENCE_MS) throw outOfPatience(what, limit);
      if (!isSaid) log(`${what}: ${limit} is used up; waiting as long as the server asks`);
      isSaid = true;
    }
  };
}

/** The rate limit in words, with its number where the server says it. */
export function announcedLimit({ headers }: Pick<HttpAnswer, "headers">): string {
  const limit = countIn(headers["x-ratelimit-limit"]);
  return `the rate limit${limit === undefined ? "" : ` of ${limit} requests a second`}`;
}

function outOfPatience(what: string, limit: string): ProviderError {
  const minutes = PATIENCE_MS / 60_000;
  const message = `${limit} has left no room for it in ${minutes} minutes (${what}). Run again later, or with a lower --parallel.`;
  return new ProviderError("ApiError", message, { status: 429 });
}

interface Waiting {
  readonly go: () => void;
}

interface Gate {
  /** Ends when a request may be sent. A request that was refused before goes first. */
  enter(turn: { readonly isFirst: boolean; readonly signal: AbortSignal | undefined }): Promise<void>;
  /** Makes room, and learns from the answer. */
  leave(answer?: HttpAnswer): void;
}

function createGate(atOnce: number): Gate {
  const queue: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let [running, most, wellDone] = [0, atOnce, 0];
  /** Some servers announce what they do not enforce: what they say counts from the first refusal on. */
  let isEnforced = false;
  /** What the server has said of the window that ends then. */
  let [limit, left, windowEnds] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  let [pausedUntil, refusals] = [0, 0];

  /** How long nobody may send; undefined where only the end of a running request changes that. */
  function waitMs(now: number): number | undefined {
    if (running >= most) return undefined;
    if (!isEnforced) return 0;
    if (now < pausedUntil) return pausedUntil - now;
    // Until an answer tells more of the next window, as many may run as fit into it.
    if (now >= windowEnds) return limit - running > 0 ? 0 : undefined;
    return left > 0 ? 0 : windowEnds - now;
  }

  function letGo(): void {
    clearTimeout(timer);
    while (queue.length > 0) {
      const pause = waitMs(Date.now());
      if (pause === undefined) return;
      if (pause > 0) {
        timer = setTimeout(letGo, pause);
        return;
      }
      running++;
      left--;
      queue.shift()?.go();
    }
  }

  function learn(answer: HttpAnswer): void {
    const now = Date.now();
    const remaining = countIn(answer.headers["x-ratelimit-remaining"], 0);
    const reset = waitIn(answer.headers["x-ratelimit-reset"], now);
    limit = countIn(answer.headers["x-ratelimit-limit"]) ?? limit;
    if (remaining !== undefined && reset !== undefined && reset <= LONGEST_WAIT_MS) {
      // Those under way may not be counted yet. Answers come in any order: within a window the lowest number counts.
      left = Math.min(now < windowEnds ? left : Number.POSITIVE_INFINITY, remaining - running);
      windowEnds = Math.max(windowEnds, now + reset + GUARD_MS);
    }
    if (answer.status === 429) slowDown(answer, now);
    else refusals = 0;
    // Without a number in the headers, the number at once is what adapts.
    if (answer.status < 400 && ++wellDone >= most) [most, wellDone] = [Math.min(atOnce, most + 1), 0];
  }

  function slowDown(answer: HttpAnswer, now: number): void {
    const asked = askedWaitMs(answer, now);
    isEnforced = true;
    // Those that were under way together are refused together: that is one refusal.
    if (now >= pausedUntil) {
      refusals++;
      if (limit === Number.POSITIVE_INFINITY) [most, wellDone] = [Math.max(1, Math.floor((running + 1) / 2)), 0];
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (refusals - 1));
    // Nobody waits for longer than a minute: such a refusal is final.
    if ((asked ?? 0) > LONGEST_WAIT_MS) return;
    pausedUntil = Math.max(pausedUntil, now + (asked ? Math.max(asked + GUARD_MS, pause / 2) : pause));
  }

  return {
    enter({ isFirst, signal }) {
      return new Promise((resolve, reject) => {
        const stop = () => {
          queue.splice(queue.indexOf(waiting), 1);
          letGo();
          reject(signal?.reason);
        };
        const waiting = {
          go: () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          },
        };
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", stop, { once: true });
        if (isFirst) queue.unshift(waiting);
        else queue.push(waiting);
        letGo();
      });
    },
    leave(answer) {
      running--;
      if (answer) learn(answer);
      letGo();
    },
  };
}

function countIn(text: string | undefined, least = 1): number | undefined {
  const count = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isInteger(count) && count >= least ? count : undefined;
}
