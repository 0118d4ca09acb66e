import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../tools/steps/repository.mjs";

/**
 * What Terraform 1.11.4 printed of the program in `test/support/terraform-program.ts`: `test/e2e/terraform-commands.test.ts` records it,
 * and `npm run record -- --format` keeps of it what the command reads.
 */
export type Recording = "state" | "shown-state" | "creation" | "change" | "refresh-only" | "failed";

export function recording(name: Recording): string {
  return readFileSync(join(repository, "test/fixtures/terraform", `${name}.json`), "utf8");
}

interface StateResource {
  type: string;
  name: string;
  module?: string;
  provider: string;
  mode: string;
  instances: Record<string, unknown>[];
}

/** The recorded state after a change of its content. */
export function stateWith(change: (resources: StateResource[]) => void): string {
  const state = JSON.parse(recording("state")) as { resources: StateResource[] };
  change(state.resources);
  return JSON.stringify(state);
}

export interface ResourceChange {
  address: string;
  type: string;
  mode: string;
  change: Record<string, unknown>;
}

/** The recorded plan after a change of its content. */
export function planWith(change: (changes: ResourceChange[], plan: Record<string, unknown>) => void): string {
  const plan = JSON.parse(recording("change")) as { resource_changes: ResourceChange[] };
  change(plan.resource_changes, plan as unknown as Record<string, unknown>);
  return JSON.stringify(plan);
}
