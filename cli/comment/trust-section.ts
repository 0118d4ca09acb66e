import type { TrustChange } from "../trust/report";
import { trustLine } from "../trust/trust-change";
import type { Section } from "./fitted";

/** More sentences than these are folded. */
const MOST = 30;

/** Who gains or loses which policy, at the start of a comment. Of many sentences those about losses are counted, and no gain. */
export function trustSection(changes: readonly TrustChange[]): Section {
  const lineOf = (change: TrustChange) => `* ${trustLine(change)}`;
  const harmless = new Set(changes.filter(({ effect }) => effect === "loses").map(lineOf));
  const lines = changes.map(lineOf);
  return {
    title: "**Who can become what**",
    lines,
    most: Math.max(MOST, lines.length - harmless.size),
    gap: "\n",
    rest(_, left) {
      const losses = left.filter((line) => harmless.has(line)).length;
      const gains = left.length - losses;
      const parts = [
        ...(gains === 0 ? [] : [`**${gains} more may let somebody in, or give more**`]),
        ...(losses === 0 ? [] : [`${losses} more only take something away`]),
      ];
      return `* ${parts.join("; ")}: the resources below have them.`;
    },
  };
}
