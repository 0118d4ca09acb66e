import type { Entry, Goal } from "./entry.ts";
import type { Step } from "./pulumi.ts";
import type { Operation } from "./run.ts";
import type { Disturbance } from "./way.ts";

/** What a command has said, what its preview has shown, and what it has done. */
export interface Told {
  readonly said: string[];
  readonly shown: string[];
  readonly steps: Step[];
}

/** The CLI of a host, with the state that it keeps. */
export interface Cli {
  readonly stack: {
    readonly entries: readonly Entry[];
    entry(urn: string): Entry | undefined;
    /** Takes a resource out of the state, and leaves its record. */
    forget(urn: string): void;
  };
  /** Throws RunFailed. What it has told until then counts. */
  run(operation: Operation, disturbance: Disturbance, told: Told): Promise<void>;
  /** What the next run would do. */
  preview(): Promise<readonly Step[]>;
  import(goal: Goal, id: string): Promise<void>;
}
