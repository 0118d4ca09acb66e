/** A demand of a role that no test shows to matter. */
export interface IdleBound {
  readonly mount: string;
  readonly role: string;
  readonly bound: string;
}

/** The result of one test. */
export interface TestOutcome {
  readonly name: string;
  readonly passed: boolean;
  /** What is not as expected, in sentences. */
  readonly problems: readonly string[];
}

/** Report of `trustplane test`, as `--json` prints it. */
export interface TrustReport {
  readonly result: "passed" | "failed";
  readonly tests: readonly TestOutcome[];
  /** Demands of the tested roles that no test shows to matter: without them every test would end in the same way. */
  readonly untested: readonly IdleBound[];
  /** What was not looked at, in sentences, such as resources of other providers; absent where there is nothing of that kind. */
  readonly notLookedAt?: readonly string[];
}

/** A change of who may become what. */
export interface TrustChange {
  /**
   * What it does to those who log in, the worst first. `opens`: a demand or an issuer that kept others out is gone.
   * `gains`: somebody can do more. `unclear`: it cannot be told, now or from now on, because nobody manages the record any more.
   * `loses`: somebody can do less.
   */
  readonly effect: "opens" | "gains" | "unclear" | "loses";
  /** What changes, as Markdown: every name is code. */
  readonly sentence: string;
  /** The roles and groups that make it so, as Markdown. */
  readonly by: readonly string[];
}
