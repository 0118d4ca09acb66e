import type { Definition, Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { assertSomeOurs, leftOut, notComparedText } from "../changes/not-compared";
import { classOf, partsOfUrn } from "../changes/resource-type";
import { HIDDEN } from "../changes/shown-records";
import type { Preview, PreviewStep } from "../comment/preview";
import { readPreview } from "../comment/read-preview";
import { type RecordedResource, type RecordedStack, recordedStack } from "../drift/recorded-stack";
import { type Judged, type JudgedRecord, judged } from "./judged-records";
import { isPolicy } from "./known-policies";
import type { Linted } from "./lint";

/** What `trustplane lint` looks at. */
export interface LintInput {
  readonly resources: readonly Linted[];
  /** What a preview leaves on the server, although the program does not have it any more: who gets in by it still does. */
  readonly left: readonly Linted[];
  /** Policies as they were before a preview. */
  readonly before: readonly Values[];
  /** What was not looked at, in sentences. */
  readonly notLookedAt: readonly string[];
}

/**
 * The resources in what `pulumi preview --json`, the engine's event log or `pulumi stack export` wrote. Throws for
 * anything else, and for a preview that failed: some resources are missing from it.
 */
export function lintInput(text: string): LintInput {
  const preview = readPreview(text);
  if (preview === undefined) {
    const stack = recordedStack(text);
    assertSomeOurs("state", stack.resources.length, stack.others);
    return { resources: recordedResources(stack), left: [], before: [], notLookedAt: notLookedAtOf(stack.others) };
  }
  const resources = wantedResources(preview);
  assertSomeOurs("preview", ownSteps(preview), preview.others);
  return {
    resources,
    left: leftByPreview(preview),
    before: policiesBefore(preview.steps),
    notLookedAt: [...leftOutText(preview), ...notLookedAtOf(preview.others)],
  };
}

/** How many resources of ours a preview has; those that it leaves out may be of ours. */
export function ownSteps({ steps, same, unlisted }: Preview): number {
  return [...steps, ...same].filter(({ definition }) => definition !== undefined).length + unlisted;
}

function leftOutText(preview: Preview): readonly string[] {
  const left = leftOut(preview);
  return left ? [`${left.what}: ${left.todo}`] : [];
}

/** @throws InputError for a preview without what does not change: an answer would take it for what is not there. */
export function assertWhole(preview: Preview | undefined): void {
  const [text] = preview ? leftOutText(preview) : [];
  if (text !== undefined) throw new ProviderError("InputError", `${text}.`);
}

function notLookedAtOf(others: readonly string[]): readonly string[] {
  return [notComparedText(others) ?? []].flat();
}

function wantedResources({ steps, same, errors }: Preview): readonly Linted[] {
  if (errors.length > 0)
    throw new ProviderError(
      "InputError",
      "the preview failed, so some resources are missing from it: correct it first.",
    );
  return lintedSteps([...steps, ...same]);
}

/** Every record that a preview or a state wants, those of sets one by one. */
export function wantedRecords(text: string): readonly JudgedRecord[] {
  assertWhole(readPreview(text));
  return recordsOf(lintInput(text));
}

/** Those that servers will have: of the program, and what a preview leaves there. */
export function recordsOf({ resources, left }: Pick<LintInput, "resources" | "left">): readonly JudgedRecord[] {
  return [...resources, ...left].flatMap(({ records }) => records);
}

/** The same of a preview. @throws InputError when it failed, and when it leaves out what does not change. */
export function wantedByPreview(preview: Preview): readonly JudgedRecord[] {
  const records = recordsOf({ resources: wantedResources(preview), left: leftByPreview(preview) });
  assertWhole(preview);
  return records;
}

/** The resources after the steps of a preview, without deleted ones. Notes quote values, so secrets are removed. */
export function lintedSteps(steps: readonly PreviewStep[]): readonly Linted[] {
  return steps.flatMap((step) => lintedStep(step, step.after));
}

function leftByPreview({ steps }: Preview): readonly Linted[] {
  return steps.flatMap((step) => (step.leaves ? lintedStep(step, step.before) : []));
}

function lintedStep({ urn, name, id, class: type, definition }: PreviewStep, values: Values | undefined): Linted[] {
  if (values === undefined || definition === undefined) return [];
  return [
    {
      urn,
      name,
      ...(id === undefined ? {} : { id }),
      class: type,
      definition,
      ...judged(definition, values),
    },
  ];
}

/** The policies that the program had. */
export function policiesBefore(steps: readonly PreviewStep[]): readonly Values[] {
  return steps.flatMap(({ definition, before }) => (before && isPolicy(definition) ? [before] : []));
}

function recordedResources(stack: RecordedStack): readonly Linted[] {
  return stack.resources.flatMap((entry) => {
    const resource = entry.recorded();
    const { urn, name, id, definition, provider } = resource;
    if (definition === undefined) return [];
    const type = classOf(partsOfUrn(urn).type);
    return [{ urn, name, id, class: type, definition, provider, ...recordedJudged(definition, resource) }];
  });
}

/** What the program wants of a resource of a state, without secrets. */
export function recordedJudged(definition: Definition, { sealedInputs, secret }: RecordedResource): Judged {
  // What is in an envelope hides itself.
  const hidden = [...secret].filter((property) => Object.hasOwn(sealedInputs, property));
  const values = { ...sealedInputs, ...Object.fromEntries(hidden.map((property) => [property, HIDDEN])) };
  return judged(definition, values);
}
