import { canonicalText } from "../../../provider/core/canonical";
import type { Exceptions, Ignore, Silence } from "./exceptions-file";

/** The entries that an earlier version of the file does not have. An altered entry counts as added. */
export interface AddedEntries {
  readonly ignores: readonly Ignore[];
  isAdded(silence: Silence): boolean;
}

export function addedEntries(now: Exceptions, before: Exceptions): AddedEntries {
  const known = new Set([...before.ignore.map(textOfIgnore), ...before.silence.map(textOfSilence)]);
  return {
    ignores: now.ignore.filter((entry) => !known.has(textOfIgnore(entry))),
    isAdded: (entry) => !known.has(textOfSilence(entry)),
  };
}

function textOfIgnore({ resource, property, reason, expires }: Ignore): string {
  return canonicalText(["ignore", resource, property ?? null, reason, expires]);
}

function textOfSilence({ resource, rule, reason, expires }: Silence): string {
  return canonicalText(["silence", resource, rule, reason, expires]);
}
