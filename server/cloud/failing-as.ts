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

/** Runs a step whose error is the engine's answer, a 400, behind the given words. */
export function refusingAs<T>(prefix: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Refusal(`${prefix}${error.message}`);
  }
}
