import { readFileSync } from "node:fs";
import { parse, YAMLError } from "yaml";
import * as z from "zod";
import { canonicalText } from "../../../provider/core/canonical";
import { ProviderError } from "../../../provider/core/errors";
import { isLike } from "../../../provider/core/is-like";

const entry = z.strictObject({
  /** URN, id, or class and name such as `jwt.Role ci`; `*` stands for any characters. */
  resource: z.string().min(1),
  reason: z.string().trim().min(1, { error: "must say why" }),
  /** First day on which it counts again. */
  expires: z.iso.date({ error: "must be a day such as 2026-12-31" }),
});
const file = z.strictObject({
  /** Differences that are no drift, of a property or of a path into it. Without a property, the whole resource is meant. */
  ignore: z.array(entry.extend({ property: z.string().min(1).optional() })).default([]),
  /** Notes of the review that are silenced, by the name of the rule. */
  silence: z.array(entry.extend({ rule: z.string().min(1) })).default([]),
});

export type Exceptions = z.infer<typeof file>;
export type Ignore = Exceptions["ignore"][number];
export type Silence = Exceptions["silence"][number];

/** What a resource or a record is called in the file. */
export interface Named {
  readonly urn?: string;
  readonly id?: string;
  readonly type: string;
  readonly name?: string;
}

/** Reads a file of exceptions, YAML or JSON. Throws one error that names all problems of the file. */
export function readExceptions(path: string): Exceptions {
  const parsed = file.safeParse(contentOf(path));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: at, message }) =>
    [at.join("."), message].filter(Boolean).join(" "),
  );
  throw new ProviderError("InputError", `the ignore file ${path} is not valid: ${problems.join("; ")}.`);
}

/** True before the day on which it counts again; `today` is a day such as `2026-01-31`. */
export function isCurrent({ expires }: { readonly expires: string }, today: string): boolean {
  return today < expires;
}

export function isMeant(pattern: string, { urn, id, type, name }: Named): boolean {
  return [urn, id, name === undefined ? undefined : `${type} ${name}`].some(
    (text) => text !== undefined && isLike(pattern, text),
  );
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
