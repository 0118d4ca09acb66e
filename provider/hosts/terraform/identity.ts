import { checkValue } from "../../core/check";
import type { Definition } from "../../core/definition";
import { ProviderError, textOf } from "../../core/errors";
import { lookUpProperties } from "../../core/look-up";
import { fill, parse, placeholders, requiredPlaceholders } from "../../core/template";
import { isRecord } from "../../core/unknowns";
import { type Host, recordOf, type Said, tableOf } from "./call";
import { attributeName } from "./names";
import type { Request, WireValue } from "./protocol";
import { ID_ATTRIBUTE, type ResourceTable } from "./table";
import { isUnknownRaw, messageOf, type RawRecord, recordIn } from "./value";

type Call = (host: Host, request: Request) => Promise<Said<object>>;

/** What tells a record from all others, as the values that its id is made of. Terraform keeps it beside the state. */
export function identitySchemas({ tables }: Host): object {
  const schemas = [...tables.resources].map(([name, { definition, ...table }]) => {
    const attributes = identityProperties(definition).map((property) => ({
      name: attributeName(property),
      type: Buffer.from(JSON.stringify("string")),
      description: [...table.inputs, ...table.outputs].find((each) => each.property === property)?.description ?? "",
      requiredForImport: isRequired(definition, property),
      optionalForImport: !isRequired(definition, property),
    }));
    return [name, { version: 0, identityAttributes: attributes }] as const;
  });
  return { identitySchemas: Object.fromEntries(schemas) };
}

/** There has been one form of identities so far. */
export async function upgradeResourceIdentity(host: Host, request: Request): Promise<Said<object>> {
  const { definition } = tableOf(host, request);
  const json = request.rawIdentity?.json ?? new Uint8Array();
  const kept: unknown = JSON.parse(new TextDecoder().decode(json) || "null");
  const names = identityProperties(definition).map(attributeName);
  const identity = names.map((name) => [name, isRecord(kept) ? (kept[name] ?? null) : null] as const);
  return { answer: { upgradedIdentity: { identityData: messageOf(Object.fromEntries(identity)) } } };
}

/**
 * The identity of a record, by its id. Nothing as long as a part of it is unknown: OpenTofu 1.12 writes the identity of a plan
 * to the state of that plan, and ends with `value is not known`.
 */
export function identityOf({ definition }: ResourceTable, record: RawRecord): object | undefined {
  const id = record[ID_ATTRIBUTE];
  if (isUnknownRaw(id)) return undefined;
  const inId = parse(definition.id, String(id)) ?? {};
  const places = lookUpProperties(definition);
  const values = identityProperties(definition).map((property) => {
    const name = attributeName(property);
    if (places.includes(property)) return [name, record[name] ?? null] as const;
    return [name, inId[property] ?? null] as const;
  });
  if (values.some(([, value]) => isUnknownRaw(value))) return undefined;
  return { identityData: messageOf(Object.fromEntries(values)) };
}

/** The id that an import by identity means, as a person would write it. A value may have any form that a program may give it. */
export function idFrom({ definition, typeName }: ResourceTable, data: WireValue | null | undefined): string {
  const identity = recordIn(data?.msgpack);
  const given = identityProperties(definition).map((property) => {
    const field = definition.fields[property];
    const value = identity?.[attributeName(property)] ?? field?.fallback;
    const isUnset = field === undefined || value === undefined;
    return [property, isUnset ? { value, failures: [] } : checkValue(attributeName(property), field, value)] as const;
  });
  const values = Object.fromEntries(given.map(([property, { value }]) => [property, value]));
  const missing = identityProperties(definition).filter((name) => isRequired(definition, name) && !values[name]);
  if (missing.length > 0) {
    const names = missing.map(attributeName).join(" and ");
    throw new ProviderError("InputError", `the identity of ${typeName} needs ${names}`);
  }
  const failures = given.flatMap(([, checked]) => checked.failures);
  if (failures.length > 0)
    throw new ProviderError("InputError", `the identity of ${typeName} is wrong: ${textOf(failures)}`, { failures });
  const places = lookUpProperties(definition).filter((name) => values[name]);
  const query = new URLSearchParams(places.map((name): [string, string] => [name, String(values[name])])).toString();
  return fill(definition.id, values) + (query === "" ? "" : `?${query}`);
}

/** A call with the identity of the record in its answer. */
export function identified(call: Call, state: string, identity: string): Call {
  return async (host, request) => {
    const said = await call(host, request);
    const record = recordOf((Reflect.get(said.answer, state) as WireValue | undefined) ?? null);
    if (!record) return said;
    const typeName = request.typeName || request.targetTypeName;
    return { ...said, answer: { ...said.answer, [identity]: identityOf(tableOf(host, { typeName }), record) } };
  };
}

function identityProperties(definition: Definition): string[] {
  return [...new Set([...placeholders(definition.id), ...lookUpProperties(definition)])];
}

function isRequired(definition: Definition, property: string): boolean {
  return requiredPlaceholders(definition.id).includes(property) && definition.fields[property]?.fallback === undefined;
}
