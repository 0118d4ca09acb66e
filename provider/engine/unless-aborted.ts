import { ProviderError, whyAborted } from "../core/errors";

const MOMENT_MS = 50;

/** The pause between two looks at what another operation, or another process, is doing. */
export function aMoment(signal?: AbortSignal): Promise<void> {
  return unlessAborted(new Promise<void>((resolve) => setTimeout(resolve, MOMENT_MS)), signal);
}

/** Waits for an answer that others wait for, too: a caller that is cancelled stops waiting, and the request goes on. */
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
