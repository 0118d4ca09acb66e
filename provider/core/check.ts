import { lacking, type ServerInfo } from "./availability";
import { isEmpty, picked } from "./canonical";
import type { Definition, Values } from "./definition";
import type { Failure } from "./errors";
import { type Field, isUnset, same } from "./field";
import { withFingerprints } from "./fingerprint";
import { step } from "./property-path";
import { withLiveKey } from "./rotation";
import { FINGERPRINT_KEY, FINGERPRINTS } from "./state-names";
import { hasUnknown, isRecord, UNKNOWN } from "./unknowns";

/** Inputs as they are recorded, everything that is wrong with them, and what is worth saying. */
export interface Checked {
  readonly inputs: Values;
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

/** What a check needs to know of a resource or a function. */
export type Checkable = Pick<Definition, "token" | "fields" | "rules" | "secrets"> &
  Partial<Pick<Definition, "rewrite" | "rotation" | "identity" | "writeOnly" | "replaceOn" | "moves">>;

/**
 * Checks what a program wrote, all failures at once, each at its property path, unknown values tolerated.
 * `olds` are the inputs of the last run, or of an import; `server` is what is known of the connected server. What a server
 * has is never wrong: what is recorded already is warned of only.
 */
export function check(definition: Checkable, news: Values, olds: Values = {}, server?: ServerInfo): Checked {
  const given = rewritten(definition, present(news));
  const misnamed = unknownNames(definition, given);
  const failures = misnamed.map(({ failure }) => failure);
  const meant = misnamed.flatMap(({ near }) => near ?? []);
  const warnings = deprecations(definition, news);
  const inputs: Record<string, unknown> = {};
  const wrong = new Set(meant);
  const refuse = (names: readonly string[], found: readonly Failure[]) => {
    for (const { property } of found) wrong.add(property.split(/[.[]/)[0] ?? "");
    if (isRecorded(definition, names, inputs, olds)) warnings.push(...found.map(kept));
    else failures.push(...found);
  };
  for (const [name, field] of Object.entries(definition.fields)) {
    const checked = checkValue(name, field, given[name] ?? field.fallback);
    if (checked.value !== undefined) inputs[name] = checked.value;
    // What another name is probably meant for is not missing.
    if (!meant.includes(name) || given[name] !== undefined) refuse([name], checked.failures);
    const absent =
      server &&
      field.availability &&
      !hasUnknown(inputs[name]) &&
      !isUnset(field, inputs[name]) &&
      lacking(field.availability, server);
    if (absent) refuse([name], [{ property: name, reason: absent }]);
  }
  const refused = new Set(wrong);
  for (const rule of definition.rules) {
    // A rule says nothing about values that are already refused, or not known yet.
    if (rule.on.some((key) => refused.has(key) || hasUnknown(inputs[key]))) continue;
    const found = rule.check(inputs, server);
    if (rule.severity === "error") refuse(rule.on, found);
    else warnings.push(...found);
  }
  const marked = { ...inputs, ...picked(given, [FINGERPRINTS, FINGERPRINT_KEY]) };
  if (failures.length > 0) return { inputs: marked, failures, warnings };
  warnings.push(...otherLetters(definition, news, marked, olds));
  const complete = withFingerprints(definition, marked, olds);
  return { inputs: withLiveKey(definition.rotation, complete, olds), failures, warnings };
}

/** Whether the record has these values already: a server has stored them, or an earlier release has written them. */
function isRecorded(definition: Checkable, names: readonly string[], inputs: Values, olds: Values): boolean {
  const { fields, secrets, identity = [], writeOnly = [], replaceOn = [], moves } = definition;
  // A look-up brings no more than the address.
  if (Object.keys(olds).every((name) => identity.includes(name))) return false;
  // Which record it is decides whether it may be managed, and of what no server shows nobody knows what the record has.
  const others = [...identity, ...replaceOn, ...writeOnly, ...Object.keys(secrets), moves?.property];
  if (names.some((name) => others.includes(name))) return false;
  return names.every((name) => fields[name] === undefined || same(fields[name], inputs[name], olds[name]));
}

function kept({ property, reason }: Failure): Failure {
  return { property, reason: `${reason}. The record has this value already, and keeps it` };
}

/**
 * The inputs in today's form. A rewrite asks what is set, so it sees the form that is recorded: `{}` as a policy document
 * is set, because it is recorded as the text `{}`.
 */
function rewritten(definition: Checkable, inputs: Values): Values {
  if (!definition.rewrite) return inputs;
  const entries = Object.entries(inputs).map(([name, value]) => {
    const field = definition.fields[name];
    return [name, field ? recordedForm(name, field, value) : value] as const;
  });
  return definition.rewrite(Object.fromEntries(entries));
}

/** A value as it is recorded. */
export function recordedForm(name: string, field: Field, written: unknown): unknown {
  return checkValue(name, field, written).value;
}

/** A value as it is recorded, and what is wrong with it. What is wrong, or not known yet, stays as it was written. */
export function checkValue(
  name: string,
  field: Field,
  written: unknown,
): { readonly value: unknown; readonly failures: Failure[] } {
  const failures = written === undefined ? [] : valueFailures(name, field, written);
  const isFinal = written === undefined || failures.length > 0 || hasUnknown(written);
  const value = isFinal ? written : field.normalise(written);
  const isThere = field.mayBeEmpty ? value !== undefined : !isEmpty(value);
  if (!field.required || isThere) return { value, failures };
  const reason = value === undefined ? "is required" : "is required and must not be empty";
  return { value, failures: [{ property: name, reason }] };
}

/** Deprecated properties that the program sets. Its own inputs are searched, as a rewrite removes such properties. */
function deprecations(definition: Checkable, news: Values): Failure[] {
  return Object.entries(definition.fields)
    .filter(([name, field]) => field.deprecated !== undefined && !isEmpty(news[name]))
    .map(([property, field]) => ({ property, reason: `is deprecated: ${field.deprecated}` }));
}

/** Names that the server keeps in other letters than the program, said when they are new: another record may have them. */
function otherLetters({ fields, identity = [] }: Checkable, news: Values, inputs: Values, olds: Values): Failure[] {
  return identity.flatMap((property) => {
    const [field, written, recorded] = [fields[property], news[property], inputs[property]];
    if (!field || typeof written !== "string" || typeof recorded !== "string" || written === recorded) return [];
    const isOther = written.toLowerCase() === recorded.toLowerCase();
    if (!isOther || recordedForm(property, field, olds[property]) === recorded) return [];
    return [{ property, reason: `is ${JSON.stringify(written)}; the server stores it as ${JSON.stringify(recorded)}` }];
  });
}

function valueFailures(name: string, field: Field, value: unknown): Failure[] {
  if (value === UNKNOWN) return [];
  const unfit = textFailures(name, value);
  if (unfit.length > 0) return unfit;
  const result = field.schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues
    .filter((issue) => !hasUnknown(issue.path.reduce(memberOf, value)))
    .map((issue) => ({ property: name + issue.path.map(step).join(""), reason: issue.message }));
}

/** Texts, names of members among them, that no request can carry: they would be changed on the way. */
function textFailures(path: string, value: unknown): Failure[] {
  if (typeof value === "string") {
    return value.isWellFormed() ? [] : [{ property: path, reason: `is ${NO_UNICODE}` }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textFailures(path + step(index), item));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key.isWellFormed()
      ? textFailures(path + step(key), member)
      : [{ property: path, reason: `has a name that is ${NO_UNICODE}` }],
  );
}

const NO_UNICODE = "no Unicode text: it holds half of a character";

function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** Properties that the resource does not have: peers ignore them, and a typing error then goes unnoticed. */
function unknownNames(definition: Checkable, inputs: Values) {
  const names = Object.keys(definition.fields);
  const [, type = ""] = definition.token.split(":");
  return Object.keys(inputs)
    .filter((name) => !names.includes(name) && name !== FINGERPRINTS && name !== FINGERPRINT_KEY)
    .map((name) => {
      // Other tools put the type before a name: `role_name`.
      const near = nearest(name, names) ?? names.find((known) => simplified(type + known) === simplified(name));
      const reason = `is not a property of ${definition.token.replace(":", ".")}${didYouMean(near)}`;
      return { near, failure: { property: name, reason } };
    });
}

export function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : `; did you mean ${near}?`;
}

export function nearest(name: string, names: readonly string[]): string | undefined {
  const far = (known: string) => (simplified(known) === simplified(name) ? 0 : distance(known, name));
  const [best] = names.map((known) => ({ known, edits: far(known) })).sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(2, name.length / 3) ? best.known : undefined;
}

function simplified(name: string): string {
  return name.toLowerCase().replaceAll("_", "").replace(/s$/, "");
}

/** Edits from one word to the other (Levenshtein), where two neighbours that are swapped are one edit. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const changed = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === other;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min((previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1, changed, swapped));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null));
}
