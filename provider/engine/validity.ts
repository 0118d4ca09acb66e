import { callerIdentityRequest, verdictIn } from "../auth/caller-identity";
import { ProviderError } from "../core/errors";
import type { CloudCaller } from "../core/function";
import type { Pending } from "../core/stage";
import { send } from "../http/send";
import { createTransport } from "../http/transport";
import type { Log } from "./log";
import type { Settings } from "./settings";
import { type Look, waitUntil } from "./wait-until";

/** New keys are known within seconds, and rarely later than a minute. */
const BUDGET_MS = 120_000;
/** The cloud runs many machines, and each learns of a new key by itself: one that accepts it does not speak for all. */
const IN_A_ROW = 5;
const CHECK = "Check `stsEndpoint` and `stsRegion`: they must match the cloud that the mount uses.";

/** For whom the cloud is asked, and how. */
export interface ValidityWait {
  /** Whose credentials they are, in messages. */
  readonly title: string;
  readonly settings: Pick<Settings, "retries" | "timeoutMs">;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** Waits until the cloud takes the credentials, as its token service says. */
export async function untilValid(caller: CloudCaller, wait: ValidityWait): Promise<void> {
  const { title, settings, log, signal } = wait;
  const { retries, timeoutMs } = settings;
  const transport = createTransport({ timeoutMs });
  let accepted = 0;
  const look = async (): Promise<Look<void>> => {
    const request = await callerIdentityRequest(caller);
    const answer = await send(transport, request, { retries, signal, log: (text) => log("info", text) });
    const verdict = verdictIn(answer);
    accepted = verdict.is === "valid" ? accepted + 1 : 0;
    if (verdict.is === "valid")
      return accepted < IN_A_ROW ? pending(`accepted ${accepted} times`) : { done: undefined };
    if (verdict.is === "notYet") return pending(`refused (${verdict.code})`);
    const { status } = answer;
    const said = `${request.url.origin} answered ${status} ${verdict.code} to GetCallerIdentity`;
    throw new ProviderError("ApiError", `${said}. ${CHECK}`, { status });
  };
  const otherwise = "The credentials are given back.";
  await waitUntil({ title: `the access key of ${title}`, budgetMs: BUDGET_MS, otherwise, log, signal }, look);
}

function pending(state: string): { readonly pending: Pending } {
  return { pending: { state, wanted: "valid", todo: CHECK } };
}
