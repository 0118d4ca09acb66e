import * as z from "zod";
import { parseJson } from "../../../provider/core/parse-json";
import { otherProvider } from "../../stack/not-compared";
import { type Preview, previewOf, type RawStep } from "../../stack/preview";
import { rootOf } from "../../stack/property-paths";
import { isOwnType, partsOfUrn } from "../../stack/resource-type";

const values = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);
const state = z
  .object({
    id: z.string().optional(),
    custom: z.boolean().default(false),
    retainOnDelete: z.boolean().default(false),
    inputs: values,
    outputs: values,
  })
  .nullish()
  .transform((value) => value ?? undefined);
const names = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
const details = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => Object.keys(value ?? {}));
const counts = z.record(z.string(), z.number()).default({});

/** What `pulumi preview --json` prints. */
const document = z.object({
  steps: z
    .array(
      z.object({
        op: z.string(),
        urn: z.string(),
        oldState: state,
        newState: state,
        diffReasons: names,
        replaceReasons: names,
        detailedDiff: details,
      }),
    )
    .default([]),
  diagnostics: z.array(z.object({ message: z.string(), severity: z.string().default("") })).default([]),
  changeSummary: counts,
});

const resourceEvent = z
  .object({
    metadata: z.object({
      op: z.string(),
      urn: z.string(),
      old: state,
      new: state,
      keys: names,
      diffs: names,
      detailedDiff: details,
    }),
  })
  .optional();

/** One line of what `--event-log` writes. */
const event = z.object({
  sequence: z.number(),
  resourcePreEvent: resourceEvent,
  resOutputsEvent: resourceEvent,
  diagnosticEvent: z.object({ message: z.string(), severity: z.string(), urn: z.string().optional() }).optional(),
  summaryEvent: z.object({ resourceChanges: counts, result: z.string().default("") }).optional(),
});

/** Reads a preview of Pulumi in either format; undefined when the text is something else. */
export function pulumiPreview(text: string, json: unknown): Preview | undefined {
  const whole = document.safeParse(json);
  // A preview that failed before its first step has diagnostics only.
  if (whole.success && ("steps" in Object(json) || "diagnostics" in Object(json))) return fromDocument(whole.data);
  // One document of another kind. A log has many, or an event.
  if (json !== undefined && !("sequence" in Object(json))) return undefined;
  const lines = text.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => event.safeParse(parseJson(line)));
  const read = events.flatMap(({ data }) => data ?? []);
  // The last line of a run that was killed may be cut.
  return read.length > 0 && read.length >= lines.length - 1 ? fromEvents(read) : undefined;
}

function fromDocument({ steps, diagnostics, changeSummary }: z.infer<typeof document>): Preview {
  const raw = steps.map(
    (step): RawStep => ({
      op: step.op,
      urn: step.urn,
      old: step.oldState,
      new: step.newState,
      differing: differing(step.diffReasons, step.detailedDiff),
      paths: step.detailedDiff,
      replacing: step.replaceReasons,
      other: otherIn(step.urn, step.newState ?? step.oldState),
    }),
  );
  const isPart = isOfTargets(raw, changeSummary);
  return { ...previewOf(ofRefresh(raw, isPart), diagnostics, changeSummary), ...(isPart ? PART : {}) };
}

/** True for `pulumi refresh --preview-only`: in a preview that refreshes first, the stack is a step of the program, too. */
function isRefresh(raw: readonly RawStep[]): boolean {
  const ofStack = raw.filter(({ urn }) => partsOfUrn(urn).type === "pulumi:pulumi:Stack");
  return ofStack.length > 0 && ofStack.every(({ op }) => op === "refresh");
}

/**
 * True for `pulumi refresh --preview-only` with `--target`: it alone has no step of the stack, and none counted. A preview that lists
 * no unchanged resource counts the stack among these.
 */
function isOfTargets(raw: readonly RawStep[], counted: Readonly<Record<string, number>>): boolean {
  const urns = new Set(raw.map(({ urn }) => urn));
  if ([...urns].some((urn) => partsOfUrn(urn).type === "pulumi:pulumi:Stack")) return false;
  const all = Object.values(counted).reduce((sum, count) => sum + count, 0);
  return all > 0 && all <= urns.size;
}

const PART = { part: "refreshed" } as const;

/** A refresh changes no server: what it finds is there already, and it lists all the rest. */
function ofRefresh(
  raw: readonly RawStep[],
  isPart: boolean,
  found: ReadonlyMap<string, RawStep> = new Map(),
): readonly RawStep[] {
  if (!isPart && !isRefresh(raw)) return raw;
  return raw
    .map((step) => found.get(step.urn) ?? step)
    .map((step) => ({ ...step, op: step.op === "refresh" || step.op === "same" ? "same" : "drift" }));
}

function fromEvents(events: readonly z.infer<typeof event>[]): Preview {
  const begun = events.flatMap(({ resourcePreEvent }) => (resourcePreEvent ? stepOf(resourcePreEvent) : []));
  const ended = events.flatMap(({ resOutputsEvent }) => (resOutputsEvent ? stepOf(resOutputsEvent) : []));
  // What a refresh finds is known when it has ended.
  const summary = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  const counted = summary?.resourceChanges ?? {};
  const isPart = isOfTargets(begun, counted);
  const raw = ofRefresh(begun, isPart, new Map(ended.map((step) => [step.urn, step])));
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const preview = { ...previewOf(raw, diagnostics, counted), ...(isPart ? PART : {}) };
  const isCut = summary === undefined;
  const isUnexplained = summary?.result === "failed" && preview.errors.length === 0;
  if (!isCut && !isUnexplained) return preview;
  const error = isCut ? "the preview ended before it was complete" : "the preview failed without a message";
  return { ...preview, errors: [...preview.errors, error] };
}

function stepOf({ metadata }: NonNullable<z.infer<typeof resourceEvent>>): RawStep {
  const { op, urn, old, new: next, keys, diffs, detailedDiff } = metadata;
  return {
    ...{ op, urn, old, new: next, differing: differing(diffs, detailedDiff), paths: detailedDiff, replacing: keys },
    other: otherIn(urn, next ?? old),
  };
}

/** A component has no provider that others could compare it with. */
function otherIn(urn: string, shown: z.infer<typeof state>): string | undefined {
  const { type } = partsOfUrn(urn);
  return shown?.custom && !isOwnType(type) ? otherProvider(type) : undefined;
}

function differing(reasons: readonly string[], detailed: readonly string[]): readonly string[] {
  return [...new Set([...reasons, ...detailed].map(rootOf))].sort();
}
