import { CloudFailure } from "../cloud/cloud-failure";
import { Failure, Refusal } from "../framework/refusal";

/** Runs a step whose error becomes the engine's own, a 500 unless the step said otherwise, behind the given words. */
export function failingAs<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Failure(`${prefix}${error.message}`, error instanceof Failure ? { status: error.status } : {});
  }
}

/** Runs a step whose error is the engine's answer, behind the given words: a 400, or 502 where the cloud is asked too often. */
export function refusingAs<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const status = error instanceof CloudFailure && error.isThrottling && prefix !== "" ? 502 : 400;
    throw new Refusal(`${prefix}${error.message}`, { status });
  }
}
