import * as z from "zod";
import { CONFIG_KEYS } from "../../../provider/core/config-keys";
import type { Values } from "../../../provider/core/definition";
import { ProviderError } from "../../../provider/core/errors";
import { isRecord } from "../../../provider/core/unknowns";
import { otherProvider } from "../../stack/not-compared";
import { classOf, isOwnType, partsOfUrn } from "../../stack/resource-type";
import { opened } from "../../stack/sealed-values";
import type { RecordedProvider, StackRow, StackRows } from "../../stack/stack-row";
import { isManaged, ownFrame } from "../../stack/state";

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

/** The rows of a state of Pulumi; undefined for another document. @throws InputError for one whose resources cannot be read. */
export function pulumiRows(json: unknown): StackRows | undefined {
  const deployment = deploymentIn(json);
  const resources = resourcesIn(deployment)?.map(resourceIn);
  if (resources === undefined) return undefined;
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(resources[0]?.urn ?? "") ?? [];
  return {
    name: stack === undefined ? undefined : `${project}/${stack}`,
    resources: resources.filter(isOurs),
    pending: pendingIn(deployment),
    others: resources
      .filter((each) => isManaged(each) && !isOurs(each))
      .flatMap(({ type }) => otherProvider(type) ?? []),
    providers: new Map(
      resources.filter(({ type }) => PROVIDERS.test(type)).map((each) => [each.urn, providerIn(each)]),
    ),
  };
}

/** `pulumi stack export` prints the resources in `deployment`; the file backend keeps them in `checkpoint.latest`. */
function deploymentIn(state: unknown): Values | undefined {
  const { deployment, checkpoint } = isRecord(state) ? state : {};
  const latest = isRecord(checkpoint) ? checkpoint["latest"] : deployment;
  return isRecord(latest) ? latest : undefined;
}

function resourcesIn(deployment: Values | undefined): readonly unknown[] | undefined {
  if (deployment === undefined) return undefined;
  const { resources = [] } = deployment;
  return Array.isArray(resources) ? resources : undefined;
}

/** An update that was killed leaves them. */
function pendingIn(deployment: Values | undefined): readonly string[] {
  const all = deployment?.["pending_operations"];
  return (Array.isArray(all) ? all : []).flatMap((each: unknown) => {
    const { resource, type: operation } = isRecord(each) ? each : {};
    const urn = isRecord(resource) ? String(resource["urn"]) : "";
    const { type, name } = partsOfUrn(urn);
    return isOurs({ type }) ? [`${String(operation)} ${classOf(type)} ${name}`] : [];
  });
}

/** Of a resource of another package only is read what it is. */
function resourceIn(raw: unknown): StackRow {
  const type = isRecord(raw) ? raw["type"] : undefined;
  const isNeeded = typeof type === "string" && (isOurs({ type }) || PROVIDERS.test(type));
  const parsed = resourceSchema.safeParse(
    isNeeded || !isRecord(raw) ? raw : { urn: raw["urn"], type, ...flagsOf(raw) },
  );
  if (parsed.success) return parsed.data;
  throw new ProviderError("InputError", "this is no state of a stack: one of its resources has no URN or no type.");
}

function flagsOf(raw: Values) {
  return Object.fromEntries(["custom", "delete", "external"].map((name) => [name, raw[name] === true]));
}

const PROVIDERS = /^pulumi:providers:(pulumi-nodejs|trustplane)$/;
/** Begins our keys in the stack's configuration. */
const PREFIX = "trustplane:";

function isOurs({ type }: Pick<StackRow, "type">): boolean {
  return isOwnType(type);
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
