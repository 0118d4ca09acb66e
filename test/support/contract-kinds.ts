import { readFileSync } from "node:fs";
import type { Definition } from "../../provider/core/definition.ts";
import { typeToken } from "../../provider/core/type-token.ts";
import { type Shape, shapeOf } from "../../provider/hosts/terraform/shape.ts";
import type { PackageSchema } from "../../provider/hosts/terraform/table.ts";
import { definitionOf } from "./contract-case.ts";
import type { ResourceName } from "./contract-host.ts";

const schema: PackageSchema = JSON.parse(readFileSync("schema/schema.json", "utf8"));

/**
 * The resources that hosts are tried with, where the engine decides: together they have every kind of property
 * (`test/contract/completeness`). What a host adds is the same for every property of a kind.
 */
export const representatives: readonly ResourceName[] = [
  "jwtConfig",
  "cloudRootConfig",
  "sysAuthMount",
  "policyParameter",
  "policyParameterSet",
];

/** What a host tells apart of a property. */
export function kindsOfField(definition: Definition, name: string): readonly string[] {
  const property = schema.resources[typeToken(definition.token)]?.inputProperties?.[name];
  const row = definition.fields[name];
  const secrecy = definition.secrets[name];
  const kinds = [
    property && `shape: ${kindOf(shapeOf(property, schema.types))}`,
    secrecy && `secret: ${typeof secrecy === "string" ? secrecy : Object.keys(secrecy).join()}`,
    definition.writeOnly.includes(name) && "is never shown",
    definition.replaceOn.includes(name) && "replaces without being identity",
    row?.required && "is required",
    row?.isServersChoice && "is the server's choice",
    row?.availability && "is not on every server",
    row?.fallback !== undefined && "has a default",
    row?.place === "local" && "is not sent",
  ];
  return kinds.filter((kind) => typeof kind === "string");
}

const kindOf = (shape: Shape): string => ("item" in shape ? `${shape.kind} of ${kindOf(shape.item)}` : shape.kind);

/** Of each representative the properties that are the first of their kind: what a host does with the others, it does with these. */
const firstOfKind: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const met = new Set<string>();
  const isFirst = (kind: string) => !met.has(kind) && Boolean(met.add(kind));
  const chosen = representatives.map((name) => {
    const definition = definitionOf(name);
    const isIdentity = (field: string) => definition.identity.includes(field);
    const fields = Object.keys(definition.fields).filter((field) =>
      isFirst([isIdentity(field), ...kindsOfField(definition, field)].join()),
    );
    return [name, new Set(fields)] as const;
  });
  return new Map(chosen);
})();

export function isFirstOfKind(name: ResourceName, field: string): boolean {
  return firstOfKind.get(name)?.has(field) ?? false;
}
