import type { Definition } from "../../provider/core/definition";
import { DYNAMIC, dynamicTypeToken, typeToken } from "../../provider/core/type-token";
import { resourceName } from "../../provider/hosts/terraform/names";
import { definitions } from "../../provider/resources";
import { isAddress, partsOfAddress } from "./address";

/** By type: that of the dynamic classes, that of the plugin, and that of Terraform. */
const byType = new Map<string, Definition>(
  Object.values(definitions).flatMap((definition: Definition) => [
    [dynamicTypeToken(definition.token), definition],
    [typeToken(definition.token), definition],
    [resourceName(definition.token), definition],
  ]),
);

/** The table of a resource of this package; undefined for what other packages manage. */
export function definitionOf(type: string): Definition | undefined {
  return byType.get(type);
}

/** True for the resources of this package, also of a newer release. */
export function isOwnType(type: string): boolean {
  return type.startsWith(DYNAMIC) || /^trustplane[:_]/.test(type);
}

/** `jwt.Role` for a resource of this package; the type as it is for others. */
export function classOf(type: string): string {
  if (!isOwnType(type)) return type;
  const token = definitionOf(type)?.token ?? type.replace(DYNAMIC, "").replace(PLUGIN, "$1:");
  return token.replace(":", ".");
}

const PLUGIN = /^trustplane:(\w+)\/\w+:/;

/** What a URN tells. `stack` is empty where it does not. */
export interface UrnParts {
  readonly stack: string;
  readonly type: string;
  readonly name: string;
}

/** The parts of `urn:pulumi:<stack>::<project>::<parents$type>::<name>`, or of an address of Terraform. */
export function partsOfUrn(urn: string): UrnParts {
  if (isAddress(urn)) return { stack: "", ...partsOfAddress(urn) };
  const [, stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "urn::").split("::");
  return { stack: `${project}/${stack}`, type: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}
