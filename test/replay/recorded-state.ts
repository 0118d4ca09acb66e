import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Values } from "../../provider/core/definition.ts";

/** A resource as Terraform has kept it, with the arguments that made it, scrubbed of what differs from run to run. */
export interface RecordedState {
  /** Terraform's name of the resource. */
  readonly type: string;
  /** By the names of the tables. */
  readonly args: Values;
  readonly schemaVersion: number;
  /** Without what is null: an upgrade takes what is missing for that. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly private: Readonly<Record<string, unknown>>;
}

export const recordedStatesFile = join(__dirname, "../fixtures/terraform/recorded-states.json");

/** In the order in which they were made. */
export function readRecordedStates(): readonly RecordedState[] {
  return JSON.parse(readFileSync(recordedStatesFile, "utf8"));
}
