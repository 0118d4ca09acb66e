import { setTimeout as sleep } from "node:timers/promises";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { type Operation, observe, titleOf } from "./operation";

const BUDGET_MS = 60_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
const PROGRESS_EVERY_MS = 10_000;

/** Waits until the server has made of a written record what it should, as of a peering that becomes ACTIVE. */
export async function awaitReady(operation: Operation, values: Values, written: Values): Promise<void> {
  const { definition, log, signal } = operation;
  const start = Date.now();
  let told = start;
  let pause = FIRST_PAUSE_MS;
  for (let record: Values | undefined = written; ; record = await observe(operation, values)) {
    const state = record && definition.pending?.(record);
    if (state === undefined) return;
    const now = Date.now();
    if (now - start >= BUDGET_MS) {
      throw new ProviderError(
        "ApiError",
        `it is still ${state} after ${BUDGET_MS / 1000} s. Find out why on the server; the next run goes on waiting.`,
        { status: 200 },
      );
    }
    if (now - told >= PROGRESS_EVERY_MS) {
      log("info", `${titleOf(definition, values)} is ${state} for ${Math.round((now - start) / 1000)} s, waiting`);
      told = now;
    }
    await sleep(pause, undefined, signal ? { signal } : {});
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
