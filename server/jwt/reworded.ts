import { TokenFailure } from "./compact-jws";

/** Runs a step, and rewords its TokenFailure. @throws what `wording` makes of a TokenFailure's text */
export async function reworded<T>(wording: (text: string) => Error, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof TokenFailure) throw wording(failure.message);
    throw failure;
  }
}
