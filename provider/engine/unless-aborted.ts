import { ProviderError, whyAborted } from "../core/errors";

/** Others may wait for the same answer: who is cancelled stops waiting, and the question goes on. */
export function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(new ProviderError("NetworkError", `the wait for an answer was given up: ${whyAborted(signal.reason)}`));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
