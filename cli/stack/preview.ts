import { picked } from "../../provider/core/canonical";
import type { Definition, Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { IS_TAKEN_OVER, WILL_BE_REFUSED } from "../../provider/core/take-over-words";
import { own } from "../text/own-member";
import { visibleText } from "../text/visible-text";
import { type Explained, explainedSet } from "./explained-set";
import type { ShownChange } from "./property-changes";
import { rootOf } from "./property-paths";
import { isBookkeeping, resourceChanges } from "./resource-changes";
import { classOf, definitionOf, partsOfUrn } from "./resource-type";

/** What a run will do with a stack. A state is the preview of a run that does nothing. */
export interface Preview {
  /** Project and stack; absent when the preview failed before it knew them. */
  readonly stack?: string;
  /** In order of weight: what is replaced or deleted first. */
  readonly steps: readonly PreviewStep[];
  /** Unchanged resources, as far as the preview lists them; `unchanged` counts all. */
  readonly same: readonly PreviewStep[];
  readonly unchanged: number;
  /** Resources that the preview counts, or has in the state beside it, and does not list. */
  readonly unlisted: number;
  /** Of a plan for a part of the program, or a refresh of a part of the stack, what keeps the rest out. How much that is it does not say. */
  readonly part?: "targets" | "deferred" | "refreshed";
  /** The providers of the listed resources that are of other packages, one for each. */
  readonly others: readonly string[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What the provider says of records that are there and are taken over. */
  readonly takesOver: readonly string[];
  /** What it says of updates that will be refused. They are no warnings. */
  readonly refused: readonly string[];
}

/** `forget`: out of the state; the record stays on the server. `refresh`: into the state as the server has it, or does not have it. */
export const OPERATIONS = ["delete", "replace", "forget", "update", "import", "create", "refresh", "same"] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What becomes of one resource. */
export interface PreviewStep {
  readonly operation: Operation;
  readonly urn: string;
  readonly type: string;
  /** `jwt.Role`. */
  readonly class: string;
  readonly name: string;
  readonly id?: string;
  readonly definition?: Definition;
  /** The URN of its provider, where a state has it. */
  readonly provider?: string;
  /** Inputs before and after. */
  readonly before?: Values;
  readonly after?: Values;
  readonly changes: readonly ShownChange[];
  /** Properties that Pulumi reports as different although the values that it shows are equal. */
  readonly unexplained: readonly string[];
  /** Only internal properties of hosts and provider differ. */
  readonly isBookkeepingOnly: boolean;
  /** Properties that make it a replacement. */
  readonly replacing: readonly string[];
  /** The record as it was stays on the server, and nothing manages it. */
  readonly leaves: boolean;
}

/** One state of a resource, as in both formats. */
export interface RecordedState {
  readonly id?: string | undefined;
  readonly inputs?: Values | undefined;
  readonly outputs?: Values | undefined;
  readonly retainOnDelete?: boolean | undefined;
}

/** One step, as in both formats. */
export interface RawStep {
  readonly op: string;
  readonly urn: string;
  readonly old?: RecordedState | undefined;
  readonly new?: RecordedState | undefined;
  readonly differing: readonly string[];
  /** The same with their paths, where the provider says them. */
  readonly paths: readonly string[];
  readonly replacing: readonly string[];
  /** The provider of a resource of another package. */
  readonly other?: string | undefined;
}

/** By Pulumi's operation. `none`: parts of a replacement, which `replace` covers, and what changes nothing. */
const MEANING: Readonly<Record<string, Operation | "none">> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  import: "import",
  "import-replacement": "replace",
  same: "same",
  forget: "forget",
  "create-replacement": "none",
  "delete-replaced": "none",
  "remove-pending-replace": "none",
  read: "none",
  "read-replacement": "none",
  discard: "none",
  "discard-replaced": "none",
  refresh: "none",
  // Found by a run that only refreshes.
  drift: "refresh",
};

/** The steps of a preview in an order that does not depend on which resource the engine came to first. */
export function previewSteps(steps: readonly RawStep[]): readonly PreviewStep[] {
  const found = steps.flatMap((step) => previewStep(step) ?? []);
  const byUrn = new Map(found.map((step) => [`${step.operation} ${step.urn}`, step]));
  const weight = ({ operation, class: type, name, urn }: PreviewStep) =>
    [OPERATIONS.indexOf(operation), type, name, urn] as const;
  return [...byUrn.values()].sort((a, b) => inOrder(weight(a), weight(b)));
}

export function inOrder(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  const [left = 0, right = 0] = [a[at], b[at]];
  return at < 0 ? 0 : left < right ? -1 : 1;
}

/** What a reader of a format has found: the steps, what the tool said, and how many resources it counted. */
export function previewOf(
  raw: readonly RawStep[],
  diagnostics: readonly { readonly message: string; readonly severity: string }[],
  summary: Readonly<Record<string, number>>,
): Preview {
  const steps = previewSteps(raw);
  const urn = raw.find((step) => step.urn.startsWith("urn:pulumi:"))?.urn;
  const stackItself = raw.some(({ op, urn: each }) => op === "same" && partsOfUrn(each).type === "pulumi:pulumi:Stack");
  const counted = summary["same"] ?? 0;
  const isTakenOver = (message: string) => message.includes(IS_TAKEN_OVER);
  const isRefused = (message: string) => message.includes(`: ${WILL_BE_REFUSED}`);
  const messages = (is: (message: string, severity: string) => boolean) => [
    ...new Set(
      diagnostics
        .filter(({ message, severity }) => is(message, severity))
        .map(({ message }) =>
          visibleText(message)
            .replace(/^(error|warning|info): /, "")
            .trim(),
        ),
    ),
  ];
  return {
    ...(urn === undefined ? {} : { stack: partsOfUrn(urn).stack }),
    steps: steps.filter(({ operation }) => operation !== "same"),
    same: steps.filter(({ operation }) => operation === "same"),
    unchanged: Math.max(0, counted - (stackItself ? 1 : 0)),
    unlisted: Math.max(0, counted - new Set(raw.filter(({ op }) => op === "same").map((step) => step.urn)).size),
    others: [...new Map(raw.map(({ urn, other }) => [urn, other])).values()].flatMap((other) => other ?? []),
    errors: messages((_, severity) => severity === "error"),
    warnings: messages(
      (message, severity) => isWarning(message, severity) && !isTakenOver(message) && !isRefused(message),
    ).sort(),
    takesOver: messages((message, severity) => severity !== "error" && isTakenOver(message)).sort(),
    refused: messages((message, severity) => severity !== "error" && isRefused(message)).sort(),
  };
}

/** A dynamic provider writes its warnings to its standard streams. */
function isWarning(message: string, severity: string): boolean {
  return severity === "warning" || /^warning: /.test(message);
}

/** A preview that wrote no JSON: its output and its log are shown as errors. */
export function failedPreview(text: string, log: string): Preview {
  // JSON is not shown: it may hold secrets, which only the reader of a whole document masks.
  const cut = /^\s*[[{]/m.test(text)
    ? "the JSON of the preview cannot be read: it was cut, or other text is inside it"
    : text;
  const words = [cut, log].map((each) => visibleText(each).trim()).filter((each) => each !== "");
  const errors = words.length > 0 ? words : ["the preview wrote nothing"];
  return { ...EMPTY, errors };
}

export const EMPTY: Preview = {
  ...{ steps: [], same: [], unchanged: 0, unlisted: 0, others: [] },
  ...{ errors: [], warnings: [], takesOver: [], refused: [] },
};

/** True for the stack itself and for providers: they are not shown. */
function isStackOrProvider(type: string): boolean {
  return type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers:");
}

function previewStep(raw: RawStep): PreviewStep | undefined {
  const meaning = own(MEANING, raw.op);
  const { type, name } = partsOfUrn(raw.urn);
  if (meaning === undefined) throw unknownAction("preview", raw.op, name);
  if (meaning === "none" || isStackOrProvider(type)) return undefined;
  const leaves = meaning === "forget" || raw.old?.retainOnDelete === true;
  const operation = meaning === "delete" && leaves ? "forget" : meaning;
  const definition = definitionOf(type);
  const [before, after] = [raw.old?.inputs, raw.new?.inputs];
  const id = raw.old?.id || raw.new?.id;
  const found = operation === "same" || operation === "forget" ? [] : resourceChanges(definition, before, after);
  const reported = raw.differing.filter((property) => !found.some(({ path }) => rootOf(path) === property));
  const differing = reported.filter((property) => !isBookkeeping(property));
  const { changes, unexplained } = definition?.members
    ? explainedSet(definition, definition.members, { ...raw, found })
    : explained(definition, raw, { found, differing });
  return {
    operation,
    urn: raw.urn,
    type,
    class: classOf(type),
    name,
    ...(id ? { id } : {}),
    ...(definition === undefined ? {} : { definition }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    changes,
    unexplained,
    isBookkeepingOnly: found.length + differing.length === 0 && reported.length > 0,
    replacing: raw.replacing.filter((property) => !isBookkeeping(rootOf(property))),
    leaves: leaves && (operation === "forget" || operation === "replace"),
  };
}

/** What becomes of a resource cannot be told: its change must not be left out in silence. */
export function unknownAction(of: "preview" | "plan", action: string, name: string): ProviderError {
  const what = `the ${of} has an action that this release does not know, ${JSON.stringify(action)} of ${name}`;
  return new ProviderError("InputError", `${what}: use a newer release of trustplane.`);
}

interface Differing {
  readonly found: readonly ShownChange[];
  readonly differing: readonly string[];
}

/** A value that changed on the server is in the outputs only. */
function explained(definition: Definition | undefined, raw: RawStep, { found, differing }: Differing): Explained {
  const changedOnServer = differing.flatMap((property) =>
    resourceChanges(definition, picked(raw.old?.outputs ?? {}, [property]), picked(raw.new?.inputs ?? {}, [property])),
  );
  return {
    changes: [...found, ...changedOnServer],
    unexplained: differing.filter((property) => !changedOnServer.some(({ path }) => rootOf(path) === property)),
  };
}
