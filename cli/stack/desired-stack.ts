import type { Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { definitions } from "../../provider/resources";
import { firstOf } from "../text/lists";
import { type EvaluatedRecord, evaluated, type Linted } from "./evaluated-records";
import { isPolicy } from "./known-policies";
import { assertSomeOurs, leftOut, othersText } from "./not-compared";
import type { Preview, PreviewStep } from "./preview";
import { isOwnType } from "./resource-type";
import { isState } from "./state";

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
export function desired(stack: Preview): DesiredStack {
  const { leftOut, unknown, unsettled } = gapsIn(stack);
  const resources = lintedSteps([...stack.steps, ...stack.same]);
  const left = [...leftByPreview(stack), ...lintedSteps(isState(stack) ? stack.leaving : [])];
  const isEmpty = resources.length + left.length === 0;
  if (isEmpty) assertWhole({ leftOut: [...leftOut, ...unknown] });
  return {
    resources,
    left,
    before: policiesBefore(stack.steps),
    groups: groupsIn(stack),
    leftOut,
    notLookedAt: [
      ...leftOut,
      ...unknown,
      ...unsettled,
      ...(isEmpty ? [emptyText(stack)] : []),
      ...[othersText(stack.others, "looked at") ?? []].flat(),
    ],
  };
}

/** What an answer about a stack is not about, in sentences. */
export interface Gaps {
  /** What a preview counts and does not show. */
  readonly leftOut: readonly string[];
  /** Resources of a newer release. */
  readonly unknown: readonly string[];
  /** What servers may have by a run that did not come to its end. */
  readonly unsettled: readonly string[];
}

/** @throws InputError for a preview that failed, as some resources are missing from it, and for what has no resource of ours. */
export function gapsIn(stack: Preview): Gaps {
  assertMade(stack);
  if (!isState(stack)) assertSomeOurs("preview", ownSteps(stack), stack.others);
  const types = [...stack.steps, ...stack.same].filter(({ type, definition }) => !definition && isOwnType(type));
  const names = firstOf([...new Set(types.map(({ type }) => type))]);
  const newer = `this release does not know ${names}, and does not look at it: use a newer one`;
  return {
    leftOut: leftOutText(stack),
    unknown: types.length === 0 ? [] : [newer],
    unsettled: isState(stack) ? stack.unsettled : [],
  };
}

function assertMade({ errors }: Preview): void {
  if (errors.length === 0) return;
  const what = "the preview failed, so some resources are missing from it";
  throw new ProviderError("InputError", `${what}: correct it first.`);
}

/** Why there is nothing to look at: an answer that finds nothing is none about another stack. */
function emptyText({ steps }: Preview): string {
  const deleted = steps.filter(({ operation, definition }) => definition && operation === "delete").length;
  if (deleted === 0)
    return "there is no resource of trustplane to look at: check that it is the right stack, or server";
  const all = deleted === 1 ? "the one resource" : `all ${deleted} resources`;
  return `the preview deletes ${all} of trustplane, and the answer is about what is there after it`;
}

function groupsIn(stack: Preview): DesiredStack["groups"] {
  const groups = (isState(stack) ? stack.same : []).filter(
    ({ definition }) => definition?.token === definitions.identityGroup.token,
  );
  return new Map(
    groups.map(({ urn, values }) => {
      const { desired, recorded } = values();
      return [String(recorded["groupId"]), { urn, name: String(desired["name"]) }];
    }),
  );
}

/** How many resources of ours there are; those that a preview leaves out may be of ours. */
export function ownSteps({ steps, same, unlisted }: Preview): number {
  return [...steps, ...same].filter(({ type }) => isOwnType(type)).length + unlisted;
}

function leftOutText(preview: Preview): readonly string[] {
  const left = leftOut(preview);
  return left ? [`${left.what}: ${left.todo}`] : [];
}

/** @throws InputError for a preview without what does not change: an answer would take it for what is not there. */
export function assertWhole({ leftOut: [text] }: Pick<DesiredStack, "leftOut">): void {
  if (text !== undefined) throw new ProviderError("InputError", `${text}.`);
}

/** Those that servers will have: of the program, and what a preview leaves there. */
export function recordsOf({ resources, left }: Pick<DesiredStack, "resources" | "left">): readonly EvaluatedRecord[] {
  return [...resources, ...left].flatMap(({ records }) => records);
}

/** The same of a preview. @throws InputError when it failed, and when it leaves out what does not change. */
export function desiredRecords(preview: Preview): readonly EvaluatedRecord[] {
  assertMade(preview);
  const resources = lintedSteps([...preview.steps, ...preview.same]);
  assertWhole({ leftOut: leftOutText(preview) });
  return recordsOf({ resources, left: leftByPreview(preview) });
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
