import type { Definition, Values } from "../../provider/core/definition";
import { isCurrent, isLike, isMeant, type Silence } from "../exceptions/exceptions-file";
import { LINT_RULES, type LintLimits, type Weakness } from "./rules";

/** A resource as a preview or a state has it. */
export interface Linted {
  readonly urn: string;
  readonly name: string;
  readonly id?: string;
  /** `jwt.Role`. */
  readonly class: string;
  readonly definition?: Definition;
  readonly values: Values;
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

export interface LintResult {
  readonly findings: readonly Finding[];
  /** How many notes an exception silences. */
  readonly silenced: number;
  /** Exceptions that silence nothing: their day has come, or there is nothing to silence. */
  readonly idle: readonly (Silence & { readonly why: "expired" | "unused" })[];
}

export interface LintOptions {
  readonly limits: LintLimits;
  readonly exceptions: readonly Silence[];
  /** Such as 2027-01-31. */
  readonly today: string;
}

/** Longest lifetime that needs no reason. */
export const DEFAULT_TTL = "24h";

/** Looks at the resources one by one; the order of notes depends on nothing else than what they say. */
export function lint(resources: readonly Linted[], { limits, exceptions, today }: LintOptions): LintResult {
  const all = resources
    .flatMap((resource) => findingsOf(resource, limits))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  const silences = (exception: Silence, finding: Finding) =>
    isLike(exception.rule, finding.rule) && isMeant(exception.resource, { ...finding, type: finding.class });
  const inForce = exceptions.filter((exception) => isCurrent(exception, today));
  const findings = all.filter((finding) => !inForce.some((exception) => silences(exception, finding)));
  const idle = exceptions
    .filter((exception) => !inForce.includes(exception) || !all.some((finding) => silences(exception, finding)))
    .map((exception) => ({
      ...exception,
      why: inForce.includes(exception) ? ("unused" as const) : ("expired" as const),
    }));
  return { findings, silenced: all.length - findings.length, idle };
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
