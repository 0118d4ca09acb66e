import type { Definition, Values } from "../../provider/core/definition";
import { isLike } from "../../provider/core/is-like";
import { isCurrent, isMeant, type Silence } from "../exceptions/exceptions-file";
import { LINT_RULES, type LintLimits, type Weakness } from "./rules";

/** A resource as a preview or a state has it. */
export interface Linted {
  readonly urn: string;
  readonly name: string;
  readonly id?: string;
  /** `jwt.Role`. */
  readonly class: string;
  readonly definition?: Definition;
  /** Secrets are replaced by "unknown". */
  readonly values: Values;
  /** Properties that the program made secret, which no rule looks at. */
  readonly secretByProgram: readonly string[];
}

/** One note of the review. */
export interface Finding extends Weakness {
  readonly rule: string;
  readonly why: string;
  readonly urn: string;
  readonly id?: string;
  readonly class: string;
  readonly name: string;
}

/** An exception, and how many notes it silences. */
export interface Silencing extends Silence {
  readonly notes: number;
}

/** Properties of a resource that no rule can check. */
export interface Unjudged extends Pick<Linted, "class" | "name" | "urn"> {
  readonly properties: readonly string[];
}

export interface LintResult {
  readonly findings: readonly Finding[];
  /** How many notes exceptions silence. */
  readonly silenced: number;
  /** The exceptions that silence notes. A note counts for the first one that fits. */
  readonly silencedBy: readonly Silencing[];
  /** What cannot be checked because the program keeps it secret. */
  readonly unjudged: readonly Unjudged[];
  /** Exceptions that silence nothing: they have expired, or no note fits. */
  readonly idle: readonly (Silence & { readonly why: "expired" | "unused" })[];
}

export interface LintOptions {
  readonly limits: LintLimits;
  readonly exceptions: readonly Silence[];
  /** Such as 2027-01-31. */
  readonly today: string;
}

/** Longest lifetime that gets no note. */
export const DEFAULT_TTL = "24h";

/** Applies the rules to each resource. The order of the notes depends only on their content. */
export function lint(resources: readonly Linted[], { limits, exceptions, today }: LintOptions): LintResult {
  const all = resources
    .flatMap((resource) => findingsOf(resource, limits))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  const silences = (exception: Silence, finding: Finding) =>
    isLike(exception.rule, finding.rule) && isMeant(exception.resource, { ...finding, type: finding.class });
  const inForce = exceptions.filter((exception) => isCurrent(exception, today));
  const silencers = all.map((finding) => inForce.find((exception) => silences(exception, finding)));
  const findings = all.filter((_finding, index) => silencers[index] === undefined);
  const idle = exceptions
    .filter((exception) => !inForce.includes(exception) || !all.some((finding) => silences(exception, finding)))
    .map((exception) => ({
      ...exception,
      why: inForce.includes(exception) ? ("unused" as const) : ("expired" as const),
    }));
  const silencedBy = inForce
    .map((exception) => ({ ...exception, notes: silencers.filter((silencer) => silencer === exception).length }))
    .filter(({ notes }) => notes > 0);
  return { findings, silenced: all.length - findings.length, silencedBy, unjudged: unjudged(resources), idle };
}

function unjudged(resources: readonly Linted[]): readonly Unjudged[] {
  const isLookedAt = ({ definition }: Linted) => LINT_RULES.some(({ of }) => of.includes(definition?.token ?? ""));
  return resources
    .filter((resource) => resource.secretByProgram.length > 0 && isLookedAt(resource))
    .map(({ class: type, name, urn, secretByProgram }) => ({ class: type, name, urn, properties: secretByProgram }));
}

function findingsOf(
  { urn, name, id, class: type, definition, values }: Linted,
  limits: LintLimits,
): readonly Finding[] {
  return LINT_RULES.filter((rule) => rule.of.includes(definition?.token ?? "")).flatMap((rule) =>
    rule.find(values, limits).map((weakness) => ({
      ...weakness,
      rule: rule.name,
      why: rule.why,
      urn,
      ...(id === undefined ? {} : { id }),
      class: type,
      name,
    })),
  );
}

function keyOf({ class: type, name, urn, rule, property }: Finding): string {
  const order = LINT_RULES.findIndex((each) => each.name === rule);
  return [type, name, urn, String(order).padStart(2, "0"), property].join("\u0000");
}
