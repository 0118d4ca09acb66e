import { CloudFailure } from "../cloud/cloud-failure";
import { Failure, Refusal } from "../framework/refusal";

/** Runs a step. Its error becomes a Failure with the prefix: a 500, unless the step said otherwise. */
export function failingAs<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Failure(`${prefix}${error.message}`, error instanceof Failure ? { status: error.status } : {});
  }
}

/** Runs a step. Its error becomes a Refusal with the prefix: a 400, or 502 when the cloud throttles. */
export function refusingAs<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const status = error instanceof CloudFailure && error.isThrottling && prefix !== "" ? 502 : 400;
    throw new Refusal(`${prefix}${error.message}`, { status });
  }
}
