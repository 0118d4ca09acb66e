import { type CloudCaller, callerIdentityRequest } from "../auth/caller-identity";
import type { Pending } from "../core/definition";
import { ProviderError } from "../core/errors";
import { send } from "../http/send";
import { createTransport } from "../http/transport";
import type { Call } from "./call";
import { type Look, waitUntil } from "./wait-until";

/** New keys are known within seconds, and rarely later than a minute. */
const BUDGET_MS = 120_000;
/** The cloud is many machines, each of which learns of a key on its own: one that knows it is not all. */
const IN_A_ROW = 5;
/** What a cloud says of a key that it does not know yet, or while it has too much to do. */
const NOT_YET =
  /^(InvalidClientTokenId|InvalidAccessKeyId|UnrecognizedClientException|Throttling\w*|ServiceUnavailable)$/;

/** Waits until the cloud takes the credentials, as its token service says. */
export async function untilValid({ connection, log, signal }: Call, caller: CloudCaller, title: string): Promise<void> {
  const { retries, timeoutMs } = connection.settings;
  const transport = createTransport({ timeoutMs });
  let row = 0;
  const look = async (): Promise<Look<void>> => {
    const request = await callerIdentityRequest(caller);
    const answer = await send(transport, request, { retries, signal, log: (text) => log("info", text) });
    if (answer.status === 200 && /<GetCallerIdentityResult/.test(answer.text)) {
      row += 1;
      return row >= IN_A_ROW ? { done: undefined } : { pending: stillRefused(`accepted ${row} times`) };
    }
    row = 0;
    const code = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1];
    if (code !== undefined && NOT_YET.test(code)) return { pending: stillRefused(`refused (${code})`) };
    const what = `${answer.status} ${code ?? "without a reason"}`;
    throw new ProviderError("ApiError", `${request.url.origin} answered ${what} to GetCallerIdentity. ${CHECK}`, {
      status: answer.status,
    });
  };
  await waitUntil({ title: `the access key of ${title}`, budgetMs: BUDGET_MS, otherwise: "", log, signal }, look);
}

const CHECK = "Check `stsEndpoint` and `stsRegion`: they are to be those of the cloud that the mount uses.";

function stillRefused(state: string): Pending {
  return { state, wanted: "valid", todo: CHECK };
}
