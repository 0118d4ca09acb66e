import type { FunctionTable } from "./function-table";
import { functionNames, functionSchemas } from "./provider-functions";
import { holdsAny, type Member, type Shape } from "./shape";
import type { Attribute, ResourceTable, Tables } from "./table";
import { typeOf } from "./value";

const MARKDOWN = 1;
const NESTING = { single: 1, list: 2, map: 4 };
const CAPABILITIES = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true };

const KEPT_BY_OLDER = "Terraform and OpenTofu before 1.11 keep it in the state.";

/** The answer to `GetProviderSchema`. */
export function schemaAnswer({ resources, dataSources, ephemerals, lists, provider, wording }: Tables): object {
  const schemas = [...resources].map(([name, table]) => [name, resourceSchema(table, wording)]);
  const functions = (tables: Tables["dataSources"]) =>
    Object.fromEntries([...tables].map(([name, table]) => [name, functionSchema(table, wording)]));
  const description =
    "How the servers are reached. What is not set comes from the environment of the servers' own tools.";
  return {
    provider: schemaOf(description, provider, wording),
    resourceSchemas: Object.fromEntries(schemas),
    dataSourceSchemas: functions(dataSources),
    ephemeralResourceSchemas: functions(ephemerals),
    listResourceSchemas: Object.fromEntries(
      [...lists].map(([name, { description, inputs }]) => [name, schemaOf(description, inputs, wording)]),
    ),
    functions: functionSchemas(),
    serverCapabilities: CAPABILITIES,
  };
}

export function metadataAnswer({ resources, dataSources, ephemerals, lists }: Tables): object {
  const names = (tables: ReadonlyMap<string, unknown>) => [...tables.keys()].map((typeName) => ({ typeName }));
  return {
    serverCapabilities: CAPABILITIES,
    resources: names(resources),
    dataSources: names(dataSources),
    ephemeralResources: names(ephemerals),
    listResources: names(lists),
    functions: functionNames(),
  };
}

function functionSchema({ description, inputs, results }: FunctionTable, wording: (text: string) => string): object {
  return schemaOf(description, [...inputs, ...results], wording);
}

function resourceSchema(
  { description, inputs, outputs, own }: ResourceTable,
  wording: (text: string) => string,
): object {
  return schemaOf(description, [...own, ...inputs, ...outputs], wording);
}

function schemaOf(description: string, attributes: readonly Attribute[], wording: (text: string) => string): object {
  const shown = attributes.map((attribute) => attributeSchema(attribute, wording));
  return { version: 0, block: { version: 0, description, descriptionKind: MARKDOWN, attributes: shown } };
}

function attributeSchema(attribute: Attribute, wording: (text: string) => string): object {
  const { name, shape, isRequired, isOptional, isComputed, isWriteOnly, isSensitive, deprecated } = attribute;
  const asked = { required: isRequired, optional: isOptional, computed: isComputed };
  const said = { ...asked, writeOnly: isWriteOnly, sensitive: isSensitive || isWriteOnly, deprecated };
  const texts = [attribute.description, membersIn(shape), isWriteOnly ? KEPT_BY_OLDER : ""];
  const description = texts.filter((text) => text !== "").join(" ");
  return { name, description, descriptionKind: MARKDOWN, ...said, ...typed(shape, wording) };
}

function memberSchema(member: Member, wording: (text: string) => string): object {
  const { attribute, shape, description, isRequired, isSecret } = member;
  return {
    name: attribute,
    description: wording(description),
    descriptionKind: MARKDOWN,
    required: isRequired,
    optional: !isRequired,
    sensitive: isSecret,
    ...typed(shape, wording),
  };
}

/** Records have attributes of their own, with descriptions; everything else has a type. */
function typed(shape: Shape, wording: (text: string) => string): object {
  const record = "item" in shape ? shape.item : shape;
  if (holdsAny(shape)) return { type: json("dynamic") };
  if (record.kind !== "record") return { type: json(typeOf(shape)) };
  const nesting = "item" in shape ? NESTING[shape.kind] : NESTING.single;
  return { nestedType: { nesting, attributes: record.members.map((member) => memberSchema(member, wording)) } };
}

/** What a record has, where Terraform has no place to say it. */
function membersIn(shape: Shape): string {
  const record = "item" in shape ? shape.item : shape;
  if (record.kind !== "record" || !holdsAny(shape)) return "";
  const names = record.members.map(({ attribute, isRequired }) => `\`${attribute}\`${isRequired ? " (required)" : ""}`);
  return `Members: ${names.join(", ")}.`;
}

function json(type: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}
