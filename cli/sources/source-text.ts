import type { OtherLogin } from "./other-logins";

/** A state or a preview, and what is not in it, in sentences. */
export interface SourceText {
  readonly text: string;
  /** Of servers, what else gives policies there. */
  readonly logins: readonly OtherLogin[];
  readonly notLookedAt: readonly string[];
}
