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
}
