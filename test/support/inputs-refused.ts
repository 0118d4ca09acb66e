import type { Failure } from "../../provider/core/errors.ts";

/** What is wrong with the program's arguments, all of it. */
export class InputsRefused extends Error {
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(failures.map(({ property, reason }) => `${property} ${reason}`).join("; "));
    this.failures = failures;
  }
}
