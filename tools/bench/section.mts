import type { Goal } from "./goal.mts";

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

/** What a section has measured. */
export interface Findings {
  /** Markdown below the title. */
  readonly text: string;
  readonly goals: readonly Goal[];
}

/** One part of the report: it measures, and writes down what it has measured. */
export interface Section {
  /** As `--only` calls it. */
  readonly name: string;
  readonly title: string;
  measure(context: BenchContext): Promise<Findings>;
}
