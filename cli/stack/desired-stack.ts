import type { Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { definitions } from "../../provider/resources";
import { firstOf } from "../text/lists";
import { type EvaluatedRecord, evaluated, type Linted } from "./evaluated-records";
import { isPolicy } from "./known-policies";
import { assertSomeOurs, leftOut, othersText } from "./not-compared";
import { type Preview, type PreviewStep, sameStep } from "./preview";
import { isOwnType } from "./resource-type";

/** What servers will have after a preview, or by a state. */
export interface DesiredStack {
  readonly resources: readonly Linted[];
  /** What a preview leaves on the server, or an interrupted run has left there, although the program does not have it any more: who gets in by it still does. */
  readonly left: readonly Linted[];
  /** Policies as they were before a preview. */
  readonly before: readonly Values[];
  /** Groups by the server's ids. A preview does not say them. */
  readonly groups: ReadonlyMap<string, { readonly urn: string; readonly name: string }>;
  /** What a preview counts and does not show, in sentences. */
  readonly leftOut: readonly string[];
  /** What was not looked at, in sentences. */
  readonly notLookedAt: readonly string[];
}

/**
 * @throws InputError for a preview that failed, as some resources are missing from it, for what has no resource of ours, and for
 * a preview whose resources of ours may all be among those that it leaves out.
 */
export function desired(preview: Preview): DesiredStack {
  const resources = wantedResources(preview);
  const waiting = (preview.state?.leaving ?? []).map((entry) => sameStep(entry.recorded()));
  const left = [...leftByPreview(preview), ...lintedSteps(waiting)];
  if (!preview.state) assertSomeOurs("preview", ownSteps(preview), preview.others);
  const unseen = leftOutText(preview);
  const strange = unknownKinds(preview);
  const isEmpty = resources.length + left.length === 0;
  if (isEmpty) assertWhole({ leftOut: [...unseen, ...strange] });
  return {
    resources,
    left,
    before: policiesBefore(preview.steps),
    groups: groupsIn(preview),
    leftOut: unseen,
    notLookedAt: [
      ...unseen,
      ...strange,
      ...(preview.state?.unsettled ?? []),
      ...(isEmpty ? [emptyText(preview)] : []),
      ...notLookedAtOf(preview.others),
    ],
  };
}

/** Why there is nothing to look at: an answer that finds nothing is none about another stack. */
function emptyText({ steps }: Preview): string {
  const deleted = steps.filter(({ operation, definition }) => definition && operation === "delete").length;
  if (deleted === 0)
    return "there is no resource of trustplane to look at: check that it is the right stack, or server";
  const all = deleted === 1 ? "the one resource" : `all ${deleted} resources`;
  return `the preview deletes ${all} of trustplane, and the answer is about what is there after it`;
}

function groupsIn({ state }: Preview): DesiredStack["groups"] {
  const groups = (state?.resources ?? []).filter(({ token }) => token === definitions.identityGroup.token);
  return new Map(
    groups.map((entry) => {
      const { urn, inputs, outputs } = entry.recorded();
      return [String(outputs["groupId"]), { urn, name: String(inputs["name"]) }];
    }),
  );
}

/** How many resources of ours a preview has; those that it leaves out may be of ours. */
export function ownSteps({ steps, same, unlisted, state }: Preview): number {
  if (state) return state.resources.length;
  return [...steps, ...same].filter(({ type }) => isOwnType(type)).length + unlisted;
}

/** Resources of a newer release, in sentences. */
export function unknownKinds({ steps, same }: Preview): readonly string[] {
  const types = [...steps, ...same].flatMap(({ type, definition }) => (definition || !isOwnType(type) ? [] : [type]));
  if (types.length === 0) return [];
  return [`this release does not know ${firstOf([...new Set(types)])}, and does not look at it: use a newer one`];
}

export function leftOutText(preview: Preview): readonly string[] {
  const left = leftOut(preview);
  return left ? [`${left.what}: ${left.todo}`] : [];
}

/** @throws InputError for a preview without what does not change: an answer would take it for what is not there. */
export function assertWhole({ leftOut: [text] }: Pick<DesiredStack, "leftOut">): void {
  if (text !== undefined) throw new ProviderError("InputError", `${text}.`);
}

function notLookedAtOf(others: readonly string[]): readonly string[] {
  return [othersText(others, "looked at") ?? []].flat();
}

function wantedResources({ steps, same, errors }: Preview): readonly Linted[] {
  if (errors.length > 0)
    throw new ProviderError(
      "InputError",
      "the preview failed, so some resources are missing from it: correct it first.",
    );
  return lintedSteps([...steps, ...same]);
}

/** Those that servers will have: of the program, and what a preview leaves there. */
export function recordsOf({ resources, left }: Pick<DesiredStack, "resources" | "left">): readonly EvaluatedRecord[] {
  return [...resources, ...left].flatMap(({ records }) => records);
}

/** The same of a preview. @throws InputError when it failed, and when it leaves out what does not change. */
export function wantedByPreview(preview: Preview): readonly EvaluatedRecord[] {
  const records = recordsOf({ resources: wantedResources(preview), left: leftByPreview(preview) });
  assertWhole({ leftOut: leftOutText(preview) });
  return records;
}

/** The resources after the steps of a preview, without deleted ones. Notes quote values, so secrets are removed. */
export function lintedSteps(steps: readonly PreviewStep[]): readonly Linted[] {
  return steps.flatMap((step) => lintedStep(step, step.after));
}

function leftByPreview({ steps }: Preview): readonly Linted[] {
  return steps.flatMap((step) => (step.leaves ? lintedStep(step, step.before) : []));
}

function lintedStep(
  { urn, name, id, class: type, definition, provider }: PreviewStep,
  values: Values | undefined,
): Linted[] {
  if (values === undefined || definition === undefined) return [];
  return [
    {
      urn,
      name,
      ...(id === undefined ? {} : { id }),
      class: type,
      definition,
      ...(provider === undefined ? {} : { provider }),
      ...evaluated(definition, values),
    },
  ];
}

/** The policies that the program had. */
export function policiesBefore(steps: readonly PreviewStep[]): readonly Values[] {
  return steps.flatMap(({ definition, before }) => (before && isPolicy(definition) ? [before] : []));
}
