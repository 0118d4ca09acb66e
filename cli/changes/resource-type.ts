import type { Definition } from "../../provider/core/definition";
import { DYNAMIC, dynamicTypeToken, typeToken } from "../../provider/core/type-token";
import { definitions } from "../../provider/resources";

/** By type, both that of the dynamic classes and that of the plugin. */
const byType = new Map<string, Definition>(
  Object.values(definitions).flatMap((definition: Definition) => [
    [dynamicTypeToken(definition.token), definition],
    [typeToken(definition.token), definition],
  ]),
);

/** The table of a resource of this package; undefined for what other packages manage. */
export function definitionOf(type: string): Definition | undefined {
  return byType.get(type);
}

/** `jwt.Role` for a resource of this package, the type as it is for others. */
export function classOf(type: string): string {
  return definitionOf(type)?.token.replace(":", ".") ?? type.replace(DYNAMIC, "");
}

/** The stack, type and name in a URN: `urn:pulumi:<stack>::<project>::<parents$type>::<name>`. */
export function partsOfUrn(urn: string): { readonly stack: string; readonly type: string; readonly name: string } {
  const [, stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "urn::").split("::");
  return { stack: `${project}/${stack}`, type: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}
