import { UNKNOWN } from "../../../provider/core/unknowns";
import { alike, firstOf } from "../../text/lists";
import { codeSpan } from "../../text/markdown";
import { shortLine } from "../../text/visible-text";
import { NOT_SHOWN, shownName } from "./not-shown";
import type { TrustChange } from "./report";

/** A change, without whose it is. */
export type Said = Omit<TrustChange, "by">;

/** The worst first. */
const EFFECTS: readonly TrustChange["effect"][] = ["opens", "gains", "unclear", "loses"];

/** The same change by several roles is one. The worst come first, and of these the one of most roles. */
export function inOrderOfWeight(changes: readonly TrustChange[]): readonly TrustChange[] {
  return alike(changes, ({ effect, sentence }) => [effect, sentence])
    .map(([first, ...others]) => ({
      ...first,
      by: [...new Set([first, ...others].flatMap(({ by }) => by))].sort(),
    }))
    .sort(
      (a, b) =>
        EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect) ||
        b.by.length - a.by.length ||
        (a.sentence < b.sentence ? -1 : 1),
    );
}

/** A change in one line of Markdown. */
export function trustLine({ sentence, by }: TrustChange): string {
  return by.length === 0 ? sentence : `${sentence} By ${firstOf(by)}.`;
}

/** Longer names and values are cut; the differences below have them whole. */
const LONGEST_NAME = 120;

/** A name, or a value, as it stands in a sentence. */
export function code(value: unknown): string {
  if (value === UNKNOWN) return NOT_SHOWN;
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return codeSpan(shortLine(shownName(text), LONGEST_NAME));
}

/** More than these are counted. */
const MOST = 5;

/** Names and values of a sentence, with a word before the last one. */
export function listed(parts: readonly string[], word: "and" | "or"): string {
  const shown = parts.length > MOST ? [...parts.slice(0, MOST), `${parts.length - MOST} more`] : parts;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${word} ${shown.at(-1)}`;
}

/** Names of properties, with the verb that fits: `a and b are secret, or not known yet`. */
export function hiddenText(names: readonly string[]): string {
  return `${listed(names, "and")} ${names.length === 1 ? "is" : "are"} secret, or not known yet`;
}

/** Policies by their names. */
export function policiesText(names: readonly unknown[]): string {
  return listed(names.map(code), "and");
}
