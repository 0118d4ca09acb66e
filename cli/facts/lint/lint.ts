import type { Values } from "../../../provider/core/definition";
import { isLike } from "../../../provider/core/is-like";
import { DEFAULTS } from "../../../provider/core/members";
import { wordsFor } from "../../stack/attribute-words";
import type { EvaluatedRecord, Linted } from "../../stack/evaluated-records";
import { classOf } from "../../stack/kinds";
import { type PolicySources, policyLookup } from "../../stack/known-policies";
import { isCurrent, isMeant, type Silence } from "../exceptions/exceptions-file";
import { type LintContext, type LintLimits, SEVERITIES, type Severity, type Weakness } from "./rule";
import { LINT_RULES } from "./rules";
import { issuerLookup, methodLookup } from "./shared-issuers";

/** One note of the review. */
export interface Finding extends Weakness {
  readonly rule: string;
  readonly severity: Severity;
  readonly why: string;
  readonly urn: string;
  readonly id?: string;
  readonly class: string;
  readonly name: string;
  /** Of a set, the records that have the weakness. The property is that of the first one, or of the defaults. */
  readonly records?: readonly string[];
  /** Of a set, the property that is the same for all of them. */
  readonly setting?: string;
}

/** A note that an exception silences. */
export interface SilencedFinding extends Finding {
  readonly reason: string;
  /** What the exception names: two may have one reason. */
  readonly exception: string;
}

/** An exception, and how many notes it silences. */
export interface Silencing extends Silence {
  readonly notes: number;
}

/** Properties of a resource that no rule can check. */
export interface Unchecked extends Pick<Linted, "class" | "name" | "urn"> {
  readonly properties: readonly string[];
  /** The program keeps them secret, or they are known after the update only. */
  readonly why: "secret" | "unknown";
}

export interface LintResult {
  readonly findings: readonly Finding[];
  /** The notes that exceptions silence. */
  readonly silenced: readonly SilencedFinding[];
  /** The exceptions that silence notes. A note counts for the first one that fits. */
  readonly silencedBy: readonly Silencing[];
  /** What cannot be checked. */
  readonly unchecked: readonly Unchecked[];
  /** Exceptions that silence nothing: they have expired, or no note fits. */
  readonly idle: readonly (Silence & { readonly why: "expired" | "unused" })[];
}

export interface LintOptions {
  readonly limits: LintLimits;
  readonly exceptions: readonly Silence[];
  /** What is known of policies beside those among the resources. */
  readonly policies?: Omit<PolicySources, "declared"> & { readonly beside?: readonly Linted[] };
  /** Such as 2027-01-31. */
  readonly today: string;
}

/** Longest lifetime that gets no note. */
export const DEFAULT_TTL = "24h";

/** Applies the rules to each record. The order of the notes depends only on their content. */
export function lint(
  resources: readonly Linted[],
  { limits, exceptions, policies: { beside = [], ...sources } = {}, today }: LintOptions,
): LintResult {
  const all = [...resources, ...beside];
  const declared = policiesIn(all);
  const lookup = policyLookup({ ...sources, declared });
  const configOf = methodLookup(valuesOf("jwt:Config", all), "mount");
  const mountOf = methodLookup(valuesOf("sys:AuthMount", all), "path");
  const contextOf = ({ provider }: Linted): LintContext => ({
    ...limits,
    policyOf: lookup(provider),
    issuerOf: issuerLookup(configOf),
    configOf,
    mountOf,
  });
  const inForce = exceptions.filter((exception) => isCurrent(exception, today));
  const found = resources.flatMap((resource) => findingsOf(resource, contextOf(resource)));
  const notes = foldedByRecord(found, (each) => inForce.find((exception) => silences(exception, each)));
  const findings = notes.filter(({ silencer }) => silencer === undefined).map(({ finding }) => finding);
  const idle = exceptions
    .filter((exception) => !inForce.includes(exception) || !found.some((each) => silences(exception, each)))
    .map((exception) => ({
      ...exception,
      why: inForce.includes(exception) ? ("unused" as const) : ("expired" as const),
    }));
  const silencedBy = inForce
    .map((exception) => ({ ...exception, notes: notes.filter(({ silencer }) => silencer === exception).length }))
    .filter(({ notes }) => notes > 0);
  const silenced = notes.flatMap(({ finding, silencer }) =>
    silencer === undefined ? [] : [{ ...inWords(finding), reason: silencer.reason, exception: silencer.resource }],
  );
  return { findings: findings.map(inWords), unchecked: unchecked(resources), silenced, silencedBy, idle };
}

/** A note in the words of the tool that the user has. What it quotes stays. */
function inWords(finding: Finding): Finding {
  const { path, text } = wordsFor(finding.urn);
  const { property, setting, what, why } = finding;
  // Records of a set have the properties that its defaults have.
  const inDefaults = (own: string) => path(`${DEFAULTS}.${own}`).slice(DEFAULTS.length + 1);
  const settingOf = (own: string) => (own.startsWith(`${DEFAULTS}.`) ? path(own) : inDefaults(own));
  return {
    ...finding,
    property: path(property),
    ...(setting === undefined ? {} : { setting: settingOf(setting) }),
    what: what.replace(/^[^"]*/, text),
    why: text(why),
  };
}

/** Whether a note is as severe as this, or more. */
export function isAtLeast({ severity }: Finding, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
}

/** The values of the policies among resources. */
export function policiesIn(resources: readonly Linted[]): readonly Values[] {
  return valuesOf("sys:Policy", resources);
}

function valuesOf(token: string, resources: readonly Linted[]): readonly Values[] {
  return resources
    .filter(({ definition }) => definition.token === token)
    .flatMap(({ records }) => records.map(({ values }) => values));
}

/** What a rule found in a record. */
interface FoundInRecord {
  readonly finding: Finding;
  readonly record: EvaluatedRecord;
}

interface Judgement {
  readonly finding: Finding;
  readonly silencer: Silence | undefined;
}

/** An exception may name the resource, or a record of a set as it would name a single resource. */
function silences(exception: Silence, { finding, record }: FoundInRecord): boolean {
  if (!isLike(exception.rule, finding.rule)) return false;
  const { of, definition } = record;
  return (
    isMeant(exception.resource, { ...finding, type: finding.class }) ||
    (of !== undefined && isMeant(exception.resource, { ...of, type: classOf(definition) }))
  );
}

/** One note for all records of a set that have the same weakness, in the order of the notes. */
function foldedByRecord(
  found: readonly FoundInRecord[],
  silencerOf: (each: FoundInRecord) => Silence | undefined,
): readonly Judgement[] {
  const silencers = new Map(found.map((each) => [each, silencerOf(each)]));
  const numbers = new Map([...new Set(silencers.values())].map((silencer, number) => [silencer, number]));
  const groups = Map.groupBy(found, (each) => {
    const { urn, rule, property, what } = each.finding;
    const origin = each.record.of?.isFromDefaults(property);
    return JSON.stringify([urn, rule, property, what, origin, numbers.get(silencers.get(each))]);
  });
  return [...groups.values()]
    .flatMap((group): Judgement[] => {
      const [first] = group;
      return first ? [{ finding: ofAll(group, first), silencer: silencers.get(first) }] : [];
    })
    .sort((a, b) => (keyOf(a.finding) < keyOf(b.finding) ? -1 : keyOf(a.finding) > keyOf(b.finding) ? 1 : 0));
}

function ofAll(group: readonly FoundInRecord[], { finding, record: { of } }: FoundInRecord): Finding {
  if (of === undefined) return finding;
  const { property } = finding;
  const setting = of.isFromDefaults(property) ? `${DEFAULTS}.${property}` : property;
  return {
    ...finding,
    property: group.length > 1 && setting !== property ? setting : of.pathOf(property),
    setting,
    records: group.flatMap(({ record }) => record.of?.name ?? []),
  };
}

function unchecked(resources: readonly Linted[]): readonly Unchecked[] {
  const isLookedAt = ({ definition: { token, members } }: Linted) =>
    LINT_RULES.some(({ of }) => of.includes(members?.of.token ?? token));
  return resources.filter(isLookedAt).flatMap(({ class: type, name, urn, secretByProgram, notKnown }) => {
    const each = (paths: readonly string[], why: Unchecked["why"]): readonly Unchecked[] =>
      paths.length === 0 ? [] : [{ class: type, name, urn, properties: paths.map(wordsFor(urn).path), why }];
    return [...each(secretByProgram, "secret"), ...each(notKnown, "unknown")];
  });
}

function findingsOf({ urn, name, id, class: type, records }: Linted, context: LintContext): readonly FoundInRecord[] {
  return records.flatMap((record) =>
    LINT_RULES.filter((rule) => rule.of.includes(record.definition.token)).flatMap((rule) =>
      rule.find(record.values, context).map((weakness) => ({
        record,
        finding: {
          ...weakness,
          rule: rule.name,
          severity: rule.severity,
          why: rule.why,
          urn,
          ...(id === undefined ? {} : { id }),
          class: type,
          name,
        },
      })),
    ),
  );
}

function keyOf({ class: type, name, urn, rule, property }: Finding): string {
  const order = LINT_RULES.findIndex((each) => each.name === rule);
  return [type, name, urn, String(order).padStart(2, "0"), property].join("\u0000");
}
