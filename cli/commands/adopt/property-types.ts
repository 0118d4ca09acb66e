import type { Definition } from "../../../provider/core/definition";
import { typeToken } from "../../../provider/core/type-token";
import type { ResourceTable } from "../../../provider/hosts/terraform/table";
import { packagedJson } from "../../io/package-manifest";
import { terraformTables } from "../../stack/terraform-tables";

/** A type as the package's schema says it. What makes the schema is not in the package. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

/** Terraform's form of a resource; undefined where Terraform does not get it. */
export function terraformTable({ token }: Pick<Definition, "token">): ResourceTable | undefined {
  return [...terraformTables().resources.values()].find(({ definition }) => definition.token === token);
}

/** A type that has a name: words to choose from, or a record. */
export interface NamedType {
  readonly module: string;
  readonly name: string;
  readonly members?: Readonly<Record<string, TypeSpec>>;
}

interface PackageSpec {
  readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, TypeSpec>> }>>;
  readonly types: Readonly<Record<string, { readonly properties?: Readonly<Record<string, TypeSpec>> }>>;
}

let read: PackageSpec | undefined;

/** The package's schema, from which the SDKs of other languages are made. */
function schema(): PackageSpec {
  read ??= packagedJson("schema", "schema.json") as PackageSpec | undefined;
  if (read === undefined) throw new Error("the package has lost its schema/schema.json");
  return read;
}

/** The type of a resource's property. */
export function typeOfProperty({ token }: Definition, property: string): TypeSpec {
  const type = schema().resources[typeToken(token)]?.inputProperties[property];
  if (!type) throw new Error(`the schema has no ${property} of ${token}`);
  return type;
}

/** The type that a reference leads to; undefined where it takes anything. */
export function namedType({ $ref = "" }: TypeSpec): NamedType | undefined {
  const [, token, module, name] = /^#\/types\/(trustplane:(.*)\/.*:(.*))$/.exec($ref) ?? [];
  if (token === undefined || module === undefined || name === undefined) return undefined;
  const members = schema().types[token]?.properties;
  return { module, name, ...(members ? { members } : {}) };
}
