import { setTimeout as sleep } from "node:timers/promises";
import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { type Operation, observe, titleOf } from "./operation";

const BUDGET_MS = 60_000;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 500;
const PROGRESS_EVERY_MS = 10_000;

/**
 * Waits until the server has made of a written record what it should, as of a peering that becomes ACTIVE. Answers the
 * record as it is then; undefined when it is gone. It asks again and again: Consul wakes no blocking query for a state
 * (reference cluster B.11).
 */
export async function untilReady(operation: Operation, values: Values, written: Values): Promise<Values | undefined> {
  const { definition, log, signal } = operation;
  const start = Date.now();
  let told = start;
  let pause = FIRST_PAUSE_MS;
  for (let record: Values | undefined = written; ; record = await observe(operation, values)) {
    const pending = record && definition.pending?.(record, values);
    if (pending === undefined) return record;
    const { state, wanted, todo } = pending;
    const now = Date.now();
    if (now - start >= BUDGET_MS) {
      const still = `it is still ${state}, not ${wanted}, after ${BUDGET_MS / 1000} s`;
      throw new ProviderError("ApiError", `${still}. ${todo} The next run goes on waiting.`, { status: 200 });
    }
    if (now - told >= PROGRESS_EVERY_MS) {
      const seconds = Math.round((now - start) / 1000);
      log("info", `${titleOf(definition, values)} is ${state} after ${seconds} s; waiting until it is ${wanted}`);
      told = now;
    }
    await sleep(pause, undefined, signal ? { signal } : {}).catch(() => {
      const cancelled = `the wait until it is ${wanted} was cancelled; it is ${state}`;
      throw new ProviderError("NetworkError", `${cancelled}. The next run goes on waiting.`);
    });
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
