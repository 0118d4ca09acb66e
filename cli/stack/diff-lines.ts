import { FINGERPRINT_KEY } from "../../provider/core/state-names";
import { isRecord, UNKNOWN } from "../../provider/core/unknowns";
import { firstOf } from "../text/lists";
import { shownAddress } from "../text/shown-address";
import { shortLine, visibleLine } from "../text/visible-text";
import type { ShownChange } from "./property-changes";
import { HIDDEN } from "./shown-records";

/** Longer values are cut, and the text says so. */
const LONGEST_VALUE = 2000;
const LONGEST_PATH = 500;

/** Internal values of hosts and provider. They are never shown, also where a program or another package copied them to. */
const KEPT_BACK = new Set<string>([FINGERPRINT_KEY, "__provider"]);

const NOT_KNOWN = "(not known yet)";
const NOT_ALL = " (differs in what is not shown)";

/** Changes as the lines of a unified diff: the old value, then the new one. */
export function diffLines(changes: readonly ShownChange[]): readonly string[] {
  return changes.flatMap(({ path, isSecret, records, isRemoved, ...values }) => {
    const isKeptBack = KEPT_BACK.has(/[^.]*$/.exec(path)?.[0] ?? "");
    const shown = (value: unknown) => (isKeptBack ? HIDDEN : isSecret ? String(value) : shownValue(value, path));
    const shared = records ? ` in ${records.length} records (${firstOf(records)})` : "";
    const name = shortLine(path, LONGEST_PATH) + shortLine(shared, LONGEST_PATH);
    // What only the server has is not in a preview.
    if (isRemoved && !("before" in values)) return [`- ${name}: (not in the program)`];
    const isChanged = "before" in values && "after" in values && !isSecret && !isKeptBack;
    const isShownAlike = isChanged && values.before !== values.after && shown(values.before) === shown(values.after);
    return [
      ...("before" in values ? [`- ${name}: ${shown(values.before)}`] : []),
      ...("after" in values ? [`+ ${name}: ${shown(values.after)}${isShownAlike ? NOT_ALL : ""}`] : []),
    ];
  });
}

/** Properties whose addresses may hold a user, a password or a key in the query, as Pulumi and as Terraform name them. */
const ADDRESS =
  /^(?!.*(bound_?claims|claim_?mappings)\.)(.*\.)?(oidc_?discovery_?url|jwks_?url|bound_?issuer|iam_?endpoint|sts_?(fallback_?)?endpoints?)$/i;

/** A value in one line: JSON, or words for what is not known yet. Of an address, what may be shown. */
export function shownValue(value: unknown, path = ""): string {
  if (value === UNKNOWN) return NOT_KNOWN;
  const text = visibleLine(JSON.stringify(shownMember(path.replace(/(\[\d*\])+$/, ""), value)) ?? "(not set)");
  if (text.length <= LONGEST_VALUE) return text;
  return `${shortLine(text, LONGEST_VALUE)} (${text.length - LONGEST_VALUE} more characters)`;
}

function shownMember(name: string, value: unknown): unknown {
  if (KEPT_BACK.has(name)) return HIDDEN;
  if (value === UNKNOWN) return NOT_KNOWN;
  if (typeof value === "string") return ADDRESS.test(name) ? shownAddress(value) : value;
  if (Array.isArray(value)) return value.map((each) => shownMember(name, each));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shownMember(key, member)]));
}
