import type { Values } from "../core/definition";
import { type Operation, observe, patience, titleOf } from "./operation";
import { type Look, waitUntil } from "./wait-until";

const BUDGET_MS = 60_000;

/**
 * Waits until the server has made of a written record what it should, as of a peering that becomes ACTIVE. Answers the
 * record as it is then; undefined when it is gone. It asks again and again: Consul wakes no blocking query for a state
 * (reference cluster B.11).
 */
export async function untilReady(operation: Operation, values: Values, written: Values): Promise<Values | undefined> {
  const { definition, log, signal } = operation;
  const otherwise = "The next run goes on waiting.";
  let known: Values | undefined = written;
  const look = async (): Promise<Look<Values | undefined>> => {
    const record = known ?? (await observe(operation, values));
    known = undefined;
    const pending = record && definition.pending?.(record, values);
    return pending === undefined ? { done: record } : { pending };
  };
  const budgetMs = patience(operation, BUDGET_MS);
  return waitUntil({ title: titleOf(definition, values), budgetMs, otherwise, log, signal }, look);
}
