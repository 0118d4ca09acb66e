import type { Definition, Values } from "../../provider/core/definition";
import { DEFAULTS } from "../../provider/core/members";
import { isSealed } from "../../provider/core/secret-envelope";
import { DYNAMIC } from "../../provider/core/type-token";
import { isRecord } from "../../provider/core/unknowns";
import { firstOf } from "../text/lists";
import type { SourcePosition } from "./record-place";
import { type RecordedMember, recordedSet } from "./recorded-set";
import { definitionOf, partsOfUrn } from "./resource-type";
import { type Opened, opened } from "./sealed-values";
import { HIDDEN } from "./shown-records";
import type { StackRow, StackRows } from "./stack-row";

/** A stack, read from its state: the resources of this package, and the providers that know their servers. */
export interface RecordedStack extends Omit<StackRows, "resources" | "pending"> {
  readonly resources: readonly ResourceEntry[];
  /** Those that still have to be deleted: who gets in by one still does. */
  readonly leaving: readonly ResourceEntry[];
  /** What servers may have by a run that did not come to its end, in sentences. No answer is about it. */
  readonly unsettled: readonly string[];
}

/** A resource of the state. Its properties are read only when `recorded` is called, because states are large. */
export interface ResourceEntry {
  readonly urn: string;
  /** Module and class: `jwt:Role`. */
  readonly token: string;
  readonly isSet: boolean;
  recorded(): RecordedResource;
}

/** One resource of the state. */
export interface RecordedResource {
  readonly urn: string;
  /** Name in the program. */
  readonly name: string;
  readonly id: string;
  /** Module and class: `jwt:Role`. */
  readonly token: string;
  /** Undefined when this release does not know the class. */
  readonly definition: Definition | undefined;
  /** What the program asked for, and what the last write or read recorded. Both lack the encrypted properties. */
  readonly inputs: Values;
  readonly outputs: Values;
  /** What the program asked for, with secrets in their envelopes. */
  readonly sealedInputs: Values;
  /** Of a set. Where an encrypted setting is left out, the rest of the record is there. */
  readonly records: readonly RecordedMember[];
  /** Properties that are secret in the state, and those of them that are encrypted in this export. */
  readonly secret: ReadonlySet<string>;
  readonly encrypted: ReadonlySet<string>;
  readonly provider: string;
  /** Property paths that updates leave alone. */
  readonly ignoreChanges: readonly string[];
  readonly declaredAt: SourcePosition | undefined;
}

/** What the state says of a record: that of a resource, or one of a set. */
export type Comparable = Pick<RecordedResource, "inputs" | "outputs" | "secret" | "encrypted">;

/** The stack with these rows. The program does not manage a resource that it only looks up, nor one that waits for its deletion. */
export function stackOf({ resources, pending = [], ...stack }: StackRows): RecordedStack {
  const managed = resources.filter(isManaged);
  // Of a replacement that has the same id, the record is the new one's, and stays.
  const ids = new Set(managed.map(({ id }) => id));
  const leaving = resources.filter((each) => each.delete && !ids.has(each.id));
  const names = leaving.map(({ id, urn }) => id || partsOfUrn(urn).name);
  const unsettled = [
    ...(names.length === 0 ? [] : [`${LEAVING}: ${firstOf(names)}`]),
    ...(pending.length === 0 ? [] : [`what an interrupted run may have done is not looked at: ${firstOf(pending)}`]),
  ];
  return { ...stack, unsettled, resources: managed.map(entryOf), leaving: leaving.map(entryOf) };
}

const LEAVING = "records that still have to be deleted are looked at only for who gets in";

export function isManaged({ custom, delete: isLeaving, external }: StackRow): boolean {
  return custom && !isLeaving && !external;
}

function entryOf(resource: StackRow): ResourceEntry {
  const { urn, type } = resource;
  const definition = definitionOf(type);
  const token = definition?.token ?? type.replace(DYNAMIC, "").replace(/^trustplane:(\w+)\/\w+:/, "$1:");
  const isSet = definition?.members !== undefined;
  return { urn, token, isSet, recorded: () => recordedResource(resource, token, definition) };
}

function recordedResource(resource: StackRow, token: string, definition: Definition | undefined): RecordedResource {
  const { urn, id, provider, ignoreChanges } = resource;
  const [sealedInputs, sealedOutputs] = [ownProperties(resource.inputs), ownProperties(resource.outputs)];
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
    urn,
    name: partsOfUrn(urn).name,
    id,
    token,
    definition,
    inputs: { ...readable(inputs, encrypted), ...set?.inputs },
    outputs: { ...readable(outputs, encrypted), ...set?.outputs },
    sealedInputs,
    records: set?.records ?? [],
    secret: new Set([...named(({ isSecret }) => isSecret), ...resource.additionalSecretOutputs]),
    encrypted,
    provider: provider.slice(0, Math.max(0, provider.lastIndexOf("::"))),
    ignoreChanges,
    declaredAt: declarationOf(resource),
  };
}

type OpenedProperties = readonly (readonly [name: string, property: Opened])[];

/** What the program asked for, as a preview shows it: without secrets. */
export function shownInputs({ sealedInputs, secret }: RecordedResource): Values {
  // What is in an envelope hides itself.
  const hidden = [...secret].filter((property) => Object.hasOwn(sealedInputs, property));
  return { ...sealedInputs, ...Object.fromEntries(hidden.map((property) => [property, HIDDEN])) };
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
