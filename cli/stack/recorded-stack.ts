import * as z from "zod";
import { CONFIG_KEYS } from "../../provider/core/config-keys";
import type { Definition, Values } from "../../provider/core/definition";
import { ProviderError } from "../../provider/core/errors";
import { DEFAULTS } from "../../provider/core/members";
import { parseJson } from "../../provider/core/parse-json";
import { isSealed } from "../../provider/core/secret-envelope";
import { DYNAMIC } from "../../provider/core/type-token";
import { isRecord } from "../../provider/core/unknowns";
import type { SourcePosition } from "../facts/drift/report";
import { stateRows } from "../sources/terraform/state-rows";
import { terraformJson } from "../sources/terraform/terraform-json";
import { otherProvider } from "./not-compared";
import { type RecordedMember, recordedSet } from "./recorded-set";
import { definitionOf, partsOfUrn } from "./resource-type";
import { type Opened, opened } from "./sealed-values";
import type { RecordedProvider, StackRow, StackRows } from "./stack-row";

/** A stack, read from its state: the resources of this package, and the providers that know their servers. */
export interface RecordedStack extends Omit<StackRows, "resources"> {
  readonly resources: readonly ResourceEntry[];
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

/** Kept as they are: a copy of every property would double the memory that a large state takes. */
const propertiesSchema = z.custom<Values>(isRecord);
const resourceSchema = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().default(""),
  custom: z.boolean().default(false),
  delete: z.boolean().default(false),
  external: z.boolean().default(false),
  inputs: propertiesSchema.default({}),
  outputs: propertiesSchema.default({}),
  provider: z.string().default(""),
  additionalSecretOutputs: z.array(z.string()).default([]),
  ignoreChanges: z.array(z.string()).default([]),
  sourcePosition: z.string().optional(),
  stackTrace: z.array(z.unknown()).default([]).transform(ownFrame),
});

/** Reads a state of Pulumi or of Terraform. Throws when the text is not a state. */
export function recordedStack(text: string): RecordedStack {
  const terraform = terraformJson(text);
  const { resources, ...stack } = terraform ? stateRows(terraform) : pulumiRows(text);
  return {
    ...stack,
    // The program does not manage a resource that it only looks up, nor one that waits for its deletion.
    resources: resources.filter(isManaged).map(entryOf),
  };
}

function isManaged({ custom, delete: isLeaving, external }: StackRow): boolean {
  return custom && !isLeaving && !external;
}

function pulumiRows(text: string): StackRows {
  const resources = resourcesIn(parseJson(text)).map((raw) => resourceIn(raw));
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(resources[0]?.urn ?? "") ?? [];
  return {
    name: stack === undefined ? undefined : `${project}/${stack}`,
    resources: resources.filter(isOurs),
    others: resources
      .filter((each) => isManaged(each) && !isOurs(each))
      .flatMap(({ type }) => otherProvider(type) ?? []),
    providers: new Map(
      resources.filter(({ type }) => PROVIDERS.test(type)).map((each) => [each.urn, providerIn(each)]),
    ),
  };
}

/** `pulumi stack export` prints them in `deployment`; the file backend keeps them in `checkpoint.latest`. */
function resourcesIn(state: unknown): readonly unknown[] {
  const { deployment, checkpoint } = isRecord(state) ? state : {};
  const latest = isRecord(checkpoint) ? checkpoint["latest"] : deployment;
  if (!isRecord(latest)) throw notAState();
  const { resources = [] } = latest;
  if (!Array.isArray(resources)) throw notAState();
  return resources;
}

/** Of a resource of another package only is read what it is. */
function resourceIn(raw: unknown): StackRow {
  const type = isRecord(raw) ? raw["type"] : undefined;
  const isNeeded = typeof type === "string" && (isOurs({ type }) || PROVIDERS.test(type));
  const parsed = resourceSchema.safeParse(
    isNeeded || !isRecord(raw) ? raw : { urn: raw["urn"], type, ...flagsOf(raw) },
  );
  if (parsed.success) return parsed.data;
  throw notAState();
}

function flagsOf(raw: Values) {
  return Object.fromEntries(["custom", "delete", "external"].map((name) => [name, raw[name] === true]));
}

function notAState(): ProviderError {
  const ways = "`pulumi stack export` or `terraform state pull` prints, or a terraform.tfstate";
  return new ProviderError("InputError", `this is no state of a stack: give what ${ways}.`);
}

const PROVIDERS = /^pulumi:providers:(pulumi-nodejs|trustplane)$/;
/** Begins the plugin's types, and our keys in the stack's configuration. */
const PREFIX = "trustplane:";

function isOurs({ type }: Pick<StackRow, "type">): boolean {
  return type.startsWith(DYNAMIC) || type.startsWith(PREFIX);
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

/** The provider of dynamic resources has the configuration of the whole stack: only our keys are read. */
function providerIn({ urn, type, inputs }: StackRow): RecordedProvider {
  const prefix = type.endsWith(":trustplane") ? "" : PREFIX;
  const entries = CONFIG_KEYS.map((key) => [key, opened(inputs[prefix + key])] as const);
  const texts = entries
    .filter(([, { value }]) => value !== undefined && value !== null)
    .map(([key, { value }]) => [key, typeof value === "string" ? value : JSON.stringify(value)] as const);
  return {
    name: partsOfUrn(urn).name,
    values: Object.fromEntries(texts),
    encrypted: entries.filter(([, { isEncrypted }]) => isEncrypted).map(([key]) => key),
  };
}

function declarationOf({ sourcePosition, stackTrace }: StackRow): SourcePosition | undefined {
  const own = ownFrame([{ sourcePosition }]) ?? stackTrace;
  const [, file, line] = /^project:\/\/\/(.+)#(\d+)/.exec(own ?? "") ?? [];
  return file === undefined ? undefined : { file, line: Number(line) };
}

/** The line of the program, past the frames of this package and of Pulumi. */
function ownFrame(frames: readonly unknown[]): string | undefined {
  return frames
    .map((frame) => (isRecord(frame) ? frame["sourcePosition"] : undefined))
    .filter((position) => typeof position === "string")
    .find((position) => position.startsWith("project:///") && !/node_modules|\.\./.test(position));
}
