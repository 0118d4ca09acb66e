import type { Values } from "../../provider/core/definition.ts";

/** A step of a preview as a test wants it. */
export interface WantedStep {
  readonly op: string;
  /** Module and class: `jwt:Role`. */
  readonly token: string;
  readonly name: string;
  readonly id?: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly outputs?: Values;
  readonly differing?: readonly string[];
  readonly replacing?: readonly string[];
  /** Paths, as the plugin says them. */
  readonly paths?: readonly string[];
}

export interface WantedPreview {
  readonly steps: readonly WantedStep[];
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly unchanged?: number;
}

const STACK = "urn:pulumi:dev::story::pulumi:pulumi:Stack::story-dev";
const typeOf = (token: string) => (token.includes("/") ? token : `pulumi-nodejs:dynamic/trustplane/${token}`);
const urnOf = ({ token, name }: WantedStep) => `urn:pulumi:dev::story::${typeOf(token)}::${name}`;
const state = ({ id = "", outputs }: WantedStep, inputs: Values | undefined) =>
  inputs && { id, inputs: { ...inputs, __provider: "text" }, outputs: outputs ?? inputs };

const detailed = ({ paths }: WantedStep, name: string) =>
  paths ? Object.fromEntries(paths.map((path) => [path, { [name]: "update", inputDiff: false }])) : null;

/** What `pulumi preview --json` prints (CLI 3.250.0). */
export function previewJson({ steps, errors = [], warnings = [], unchanged = 0 }: WantedPreview): string {
  return JSON.stringify({
    steps: [
      { op: "same", urn: STACK, oldState: {}, newState: {}, detailedDiff: null },
      ...steps.map((step) => ({
        op: step.op,
        urn: urnOf(step),
        oldState: state(step, step.before),
        newState: state(step, step.after),
        diffReasons: step.differing,
        replaceReasons: step.replacing,
        detailedDiff: detailed(step, "kind"),
      })),
    ],
    diagnostics: [
      ...errors.map((message) => ({ message: `error: ${message}\n`, severity: "error" })),
      ...warnings.map((message) => ({ message: `warning: ${message}\n\n`, severity: "info#err" })),
    ],
    duration: 1_275_737_541,
    changeSummary: { same: 1 + unchanged },
  });
}

/** What `--event-log` writes. */
export function previewEvents({ steps, errors = [], warnings = [], unchanged = 0 }: WantedPreview): string {
  const events = [
    { resourcePreEvent: { metadata: { op: "same", urn: STACK, old: {}, new: {} } } },
    ...steps.map((step) => ({
      resourcePreEvent: {
        metadata: {
          op: step.op,
          urn: urnOf(step),
          old: state(step, step.before) ?? null,
          new: state(step, step.after) ?? null,
          keys: step.replacing ?? null,
          diffs: step.differing ?? null,
          detailedDiff: detailed(step, "diffKind"),
        },
      },
    })),
    ...errors.map((message) => ({
      diagnosticEvent: { prefix: "error: ", message: `${message}\n`, severity: "error" },
    })),
    ...warnings.map((message) => ({ diagnosticEvent: { message: `warning: ${message}\n`, severity: "info#err" } })),
    { diagnosticEvent: { prefix: "debug: ", message: "not for readers", severity: "debug" } },
    { summaryEvent: { resourceChanges: { same: 1 + unchanged }, result: errors.length > 0 ? "failed" : "succeeded" } },
    { cancelEvent: {} },
  ];
  return `${events.map((event, sequence) => JSON.stringify({ sequence, timestamp: 1, ...event })).join("\n")}\n`;
}
