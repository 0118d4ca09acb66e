import { addedEntries, type Exceptions, readExceptions } from "../../facts/exceptions/exceptions-file";
import { lint } from "../../facts/lint/lint";
import { SEVERITIES } from "../../facts/lint/rule";
import { lintedSteps, policiesBefore } from "../../stack/desired-stack";
import type { Preview } from "../../stack/preview";
import type { Review } from "./review-sections";

const NONE: Exceptions = { ignore: [], silence: [] };

export interface ReviewOptions {
  /** File of exceptions, and that of the base branch. */
  readonly ignore?: string;
  readonly baseIgnore?: string;
  /** Longest lifetime that gets no note, in seconds. */
  readonly maxTtl: number;
}

/** Reviews what a preview changes. The review also shows which exceptions the change itself adds. */
export function reviewOf(preview: Preview, { ignore, baseIgnore, maxTtl }: ReviewOptions): Review {
  const exceptions = ignore === undefined ? NONE : readExceptions(ignore);
  const base = baseIgnore === undefined ? undefined : exceptionsOfBase(baseIgnore);
  const added = base === undefined ? undefined : addedEntries(exceptions, base);
  const { findings, silencedBy, unchecked } = lint(lintedSteps(preview.steps), {
    limits: { ttlSeconds: maxTtl },
    exceptions: exceptions.silence,
    policies: { before: policiesBefore(preview.steps), beside: lintedSteps(preview.same) },
    today: new Date().toISOString().slice(0, 10),
  });
  return {
    // Those that do not fit into the comment are the least severe.
    findings: SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity)),
    unchecked,
    silencedBy: silencedBy.map((silencing) => ({ ...silencing, isAdded: added?.isAdded(silencing) ?? false })),
    addedIgnores: added?.ignores ?? [],
    isCompared: added !== undefined,
  };
}

/** Undefined when the file of the base branch cannot be read: this change may repair it. */
function exceptionsOfBase(path: string): Exceptions | undefined {
  try {
    return readExceptions(path);
  } catch {
    return undefined;
  }
}
