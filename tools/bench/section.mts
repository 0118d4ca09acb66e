/** What the measurements of one run share. */
export interface BenchContext {
  /** How many roles the large stack has. */
  readonly roles: number;
  /** A folder that is removed at the end of the run. */
  readonly folder: string;
  /** A shell command that does the same with another provider. */
  readonly peer?: string | undefined;
  /** Shows what is being measured, and for how long; what `work` answers comes back. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}

/** One part of the report: it measures, and writes down what it has measured. */
export interface Section {
  /** As `--only` calls it. */
  readonly name: string;
  readonly title: string;
  /** Answers Markdown below the title. */
  measure(context: BenchContext): Promise<string>;
}
