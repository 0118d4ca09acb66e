import type { TrustChange } from "../../facts/trust/report";
import { trustLine } from "../../facts/trust/trust-change";
import type { Section } from "./fitted";

/** Who gains or loses which policy, at the start of a comment. */
export function trustSection(changes: readonly TrustChange[]): Section {
  return {
    title: "**Who can become what**",
    lines: changes.map((change) => `* ${trustLine(change)}`),
    most: 30,
    gap: "\n",
    rest: (missing) => `* ${missing} more changes of trust: the resources below have them.`,
  };
}
