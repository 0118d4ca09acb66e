import type { ServerName } from "./scenario.mts";

/** An answer of the embedded server that stays another one than the real server's. */
export interface Difference {
  readonly server: ServerName;
  /** Service and topic, as the file of the recordings is named. */
  readonly scenario: string;
  readonly step: string;
  readonly reason: string;
}

/** Steps of one scenario that differ for one reason. */
export function differing(
  { server, scenario }: Pick<Difference, "server" | "scenario">,
  reason: string,
  steps: readonly string[],
): Difference[] {
  return steps.map((step) => ({ server, scenario, step, reason }));
}
