import type { Definition, Values } from "../../provider/core/definition";
import { DEFAULTS } from "../../provider/core/members";
import { isSealed } from "../../provider/core/secret-envelope";
import { isRecord } from "../../provider/core/unknowns";
import { firstOf } from "../text/lists";
import { EMPTY, type Preview, type PreviewStep } from "./preview";
import type { SourcePosition } from "./record-place";
import { type RecordedMember, recordedSet } from "./recorded-set";
import { classOf, definitionOf, partsOfUrn } from "./resource-type";
import { type Opened, opened } from "./sealed-values";
import { HIDDEN } from "./shown-records";
import type { StackRow, StackRows } from "./stack-row";

/** A state: the preview of a run that changes nothing, and what only a state knows. */
export interface StackState extends Preview {
  readonly same: readonly StateStep[];
  /** Those that still have to be deleted: who gets in by one still does. */
  readonly leaving: readonly StateStep[];
  /** What servers may have by a run that did not come to its end, in sentences. No answer is about it. */
  readonly unsettled: readonly string[];
  /** By the address that a step has of its provider. */
  readonly providers: StackRows["providers"];
  /** What the state lacks for a comparison with the servers. */
  readonly lacks?: string;
}

/** A resource of a state. Its values are read only when they are asked for, because states are large. */
export interface StateStep extends PreviewStep {
  readonly id: string;
  readonly provider: string;
  readonly before: Values;
  readonly after: Values;
  /** Property paths that updates leave alone. */
  readonly ignoreChanges: readonly string[];
  readonly declaredAt: SourcePosition | undefined;
  readonly values: () => StateValues;
}

/** What a state says of a record: that of a resource, or one of a set. */
export interface RecordedValues {
  /** What the program asked for, and what the last write or read recorded. Both lack the encrypted properties. */
  readonly desired: Values;
  readonly recorded: Values;
  /** Properties that are secret in the state, and those of them that are encrypted in this export. */
  readonly secret: ReadonlySet<string>;
  readonly encrypted: ReadonlySet<string>;
}

/** What a state says of a resource. */
export interface StateValues extends RecordedValues {
  /** Of a set. Where an encrypted setting is left out, the rest of the record is there. */
  readonly records: readonly RecordedMember[];
}

export function isState(stack: Preview): stack is StackState {
  return "providers" in stack;
}

/** The state with these rows. The program does not manage a resource that it only looks up, nor one that waits for its deletion. */
export function stateOf({ name, resources, others, pending = [], providers, lacks }: StackRows): StackState {
  const managed = resources.filter(isManaged);
  // Of a replacement that has the same id, the record is the new one's, and stays.
  const ids = new Set(managed.map(({ id }) => id));
  const leaving = resources.filter((each) => each.delete && !ids.has(each.id)).map(stepOf);
  const names = leaving.map((step) => step.id || step.name);
  return {
    ...EMPTY,
    ...(name === undefined ? {} : { stack: name }),
    ...(lacks === undefined ? {} : { lacks }),
    ...{ same: managed.map(stepOf), leaving, others, providers },
    unsettled: [
      ...(names.length === 0 ? [] : [`${LEAVING}: ${firstOf(names)}`]),
      ...(pending.length === 0 ? [] : [`what an interrupted run may have done is not looked at: ${firstOf(pending)}`]),
    ],
  };
}

const LEAVING = "records that still have to be deleted are looked at only for who gets in";

export function isManaged({ custom, delete: isLeaving, external }: StackRow): boolean {
  return custom && !isLeaving && !external;
}

function stepOf(row: StackRow): StateStep {
  const { urn, type, id, provider, ignoreChanges } = row;
  const definition = definitionOf(type);
  return {
    ...{ operation: "same", urn, type, class: classOf(type), name: partsOfUrn(urn).name, id },
    ...(definition === undefined ? {} : { definition }),
    ...{ changes: [], unexplained: [], isBookkeepingOnly: false, replacing: [], leaves: false },
    provider: provider.slice(0, Math.max(0, provider.lastIndexOf("::"))),
    ignoreChanges,
    declaredAt: declarationOf(row),
    get before() {
      return shownInputs(row, definition);
    },
    get after() {
      return shownInputs(row, definition);
    },
    values: () => valuesOf(row, definition),
  };
}

function valuesOf(row: StackRow, definition: Definition | undefined): StateValues {
  const [sealedInputs, sealedOutputs] = [ownProperties(row.inputs), ownProperties(row.outputs)];
  const members = definition?.members;
  const set = members && recordedSet(definition, members, sealedInputs, sealedOutputs);
  // Of what a set's records and defaults hold, each part is opened for itself.
  const isApart = (name: string, value: unknown) =>
    members !== undefined && [members.property, DEFAULTS].includes(name) && !isSealed(value);
  const openedOf = (properties: Values): OpenedProperties =>
    Object.entries(properties).flatMap(([name, value]) => (isApart(name, value) ? [] : [[name, opened(value)]]));
  const [inputs, outputs] = [openedOf(sealedInputs), openedOf(sealedOutputs)];
  const named = (is: (property: Opened) => boolean) =>
    [...inputs, ...outputs].filter(([, property]) => is(property)).map(([name]) => name);
  const encrypted = new Set(named(({ isEncrypted }) => isEncrypted));
  return {
    desired: { ...readable(inputs, encrypted), ...set?.desired },
    recorded: { ...readable(outputs, encrypted), ...set?.recorded },
    records: set?.records ?? [],
    secret: new Set([...named(({ isSecret }) => isSecret), ...row.additionalSecretOutputs]),
    encrypted,
  };
}

type OpenedProperties = readonly (readonly [name: string, property: Opened])[];

/** What the program asked for, as a preview shows it: without secrets. */
function shownInputs(row: StackRow, definition: Definition | undefined): Values {
  const sealed = ownProperties(row.inputs);
  // What is in an envelope hides itself.
  const hidden = [...valuesOf(row, definition).secret].filter((property) => Object.hasOwn(sealed, property));
  return { ...sealed, ...Object.fromEntries(hidden.map((property) => [property, HIDDEN])) };
}

/** Names that begin with two underscores belong to the hosts. */
function ownProperties(properties: Values): Values {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** Leaves out what is encrypted in the inputs or in the outputs: half of it cannot be compared. */
function readable(properties: OpenedProperties, encrypted: ReadonlySet<string>): Values {
  return Object.fromEntries(
    properties.filter(([name]) => !encrypted.has(name)).map(([name, { value }]) => [name, value]),
  );
}

function declarationOf({ sourcePosition, stackTrace }: StackRow): SourcePosition | undefined {
  const own = ownFrame([{ sourcePosition }]) ?? stackTrace;
  const [, file, line] = /^project:\/\/\/(.+)#(\d+)/.exec(own ?? "") ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

/** The line of the program, past the frames of this package and of Pulumi. */
export function ownFrame(frames: readonly unknown[]): string | undefined {
  return frames
    .map((frame) => (isRecord(frame) ? frame["sourcePosition"] : undefined))
    .filter((position) => typeof position === "string")
    .find((position) => position.startsWith("project:///") && !/node_modules|\.\./.test(position));
}
