import { readFileSync } from "node:fs";
import { parse, YAMLError } from "yaml";
import * as z from "zod";
import { ProviderError } from "../../provider/core/errors";
import type { IdleEntry, IgnoredBecause } from "./report";

const entrySchema = z.strictObject({
  /** URN, id, or class and name such as `jwt.Role ci`; `*` stands for any characters. */
  resource: z.string().min(1),
  /** Property or path into it; all of the resource when absent. */
  property: z.string().min(1).optional(),
  reason: z.string().trim().min(1, { error: "must say why" }),
  /** First day on which it counts again. */
  expires: z.iso.date({ error: "must be a day such as 2026-12-31" }),
});
const fileSchema = z.strictObject({ ignore: z.array(entrySchema) });
type Entry = z.infer<typeof entrySchema>;

/** What a resource or a record is called in an ignore file. */
export interface Named {
  readonly urn?: string;
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** The entries of an ignore file, which remember whether they were of use. */
export interface IgnoreList {
  /** Why the whole resource does not count. */
  whole(named: Named): IgnoredBecause | undefined;
  /**
   * Why a property does not count. Where entries name parts of it, `differsWithout` says whether anything differs beside
   * them.
   */
  part(
    named: Named,
    property: string,
    differsWithout: (paths: readonly string[]) => boolean,
  ): IgnoredBecause | undefined;
  /** Entries that hid nothing, once everything was compared. */
  idle(): readonly IdleEntry[];
}

/** Reads an ignore file; `today` is a day such as `2026-01-31`. Throws for what cannot be understood, all at once. */
export function readIgnoreFile(path: string, today: string): IgnoreList {
  return ignoreList(entriesIn(path), today);
}

export function ignoreList(entries: readonly Entry[], today: string): IgnoreList {
  const current = entries.filter(({ expires }) => today < expires);
  const used = new Set<Entry>();
  const use = (entry: Entry | undefined) => {
    if (entry === undefined) return undefined;
    used.add(entry);
    return { reason: entry.reason, expires: entry.expires };
  };
  const of = (named: Named) => current.filter((entry) => isMeant(entry.resource, named));
  return {
    whole: (named) => use(of(named).find(({ property }) => property === undefined)),
    part(named, property, differsWithout) {
      const entries = of(named);
      const whole = entries.find((entry) => entry.property === undefined || entry.property === property);
      if (whole) return use(whole);
      const inside = entries.filter((entry) => rootOf(entry.property ?? "") === property);
      const paths = inside.map((entry) => entry.property ?? "");
      if (inside.length === 0 || differsWithout(paths)) return undefined;
      return inside.map(use)[0];
    },
    idle() {
      const left = entries.filter((entry) => !used.has(entry));
      return left.map((entry) => {
        const { resource, property, reason, expires } = entry;
        const why = current.includes(entry) ? "unused" : "expired";
        return { resource, ...(property === undefined ? {} : { property }), reason, expires, why };
      });
    },
  };
}

/** The property that a path leads into. */
export function rootOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

function isMeant(pattern: string, { urn, id, type, name }: Named): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const whole = new RegExp(`^${escaped}$`);
  return [urn, id, name === undefined ? undefined : `${type} ${name}`].some(
    (text) => text !== undefined && whole.test(text),
  );
}

function entriesIn(path: string): readonly Entry[] {
  const parsed = fileSchema.safeParse(contentOf(path));
  if (parsed.success) return parsed.data.ignore;
  const problems = parsed.error.issues.map(({ path: at, message }) =>
    [at.join("."), message].filter(Boolean).join(" "),
  );
  throw new ProviderError("InputError", `the ignore file ${path} is not valid: ${problems.join("; ")}.`);
}

function contentOf(path: string): unknown {
  try {
    // A day stays a text: YAML 1.2 has no dates.
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    const what = error instanceof YAMLError ? `is no YAML: ${error.message}` : "cannot be read";
    throw new ProviderError("InputError", `the ignore file ${path} ${what}.`);
  }
}
