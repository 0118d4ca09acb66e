import { setTimeout as sleep } from "node:timers/promises";
import { askedWaitMs, LONGEST_WAIT_MS } from "../../provider/http/send";
import type { Around } from "../../provider/http/transport";

const SHORTEST_PAUSE_MS = 500;

/**
 * At most `width` requests at once to one server. When it answers 429, all of them wait for as long as it asks, and then
 * half as many go on: each alone would only be refused again, until its attempts are used up.
 */
export function paced(width: number): Around {
  let [most, running, resumeAt] = [width, 0, 0];
  const waiting: (() => void)[] = [];
  const free = () => {
    running--;
    while (running + 1 <= most && waiting.length > 0) {
      running++;
      waiting.shift()?.();
    }
  };
  const enter = () => {
    if (running < most) {
      running++;
      return undefined;
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  return (send) => async (request, signal) => {
    await enter();
    try {
      const pauseMs = resumeAt - Date.now();
      if (pauseMs > 0) await sleep(pauseMs, undefined, signal ? { signal } : {});
      const answer = await send(request, signal);
      if (answer.status === 429) slowDown(Math.max(askedWaitMs(answer) ?? 0, SHORTEST_PAUSE_MS));
      return answer;
    } finally {
      free();
    }
  };

  function slowDown(pauseMs: number): void {
    // Those that were under way together are refused together: that is one refusal.
    if (Date.now() >= resumeAt) most = Math.max(1, Math.floor(most / 2));
    // Nobody waits for longer: such a refusal is final.
    if (pauseMs <= LONGEST_WAIT_MS) resumeAt = Math.max(resumeAt, Date.now() + pauseMs);
  }
}
