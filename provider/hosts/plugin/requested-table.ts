import { didYouMean } from "../../core/check";
import type { Definition } from "../../core/definition";
import { ProviderError } from "../../core/errors";
import type { FunctionDefinition } from "../../core/function";
import { typeToken } from "../../core/type-token";
import { functions } from "../../functions";
import { definitions } from "../../resources";

const resources = new Map<string, Definition>(byToken(definitions));
const invokables = new Map<string, FunctionDefinition>(byToken(functions));

/** The table of the resource that a URN is about: `urn:pulumi:stack::project::parent$type::name`. */
export function resourceOf(urn: string): Definition {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const [name = "", short = ""] = type.split(/:(?=[^:]*$)/);
  const near = [...resources.keys()].find((known) => known.startsWith(`${name}/`) && known.endsWith(`:${short}`));
  return found(resources.get(type), `resource ${type}${didYouMean(near)}`);
}

/** The table of the function of this token. */
export function functionOf(token: string): FunctionDefinition {
  return found(invokables.get(token), `function ${token}`);
}

function byToken<T extends { readonly token: string }>(tables: Readonly<Record<string, T>>): [string, T][] {
  return Object.values(tables).map((table) => [typeToken(table.token), table]);
}

function found<T>(table: T | undefined, what: string): T {
  if (table !== undefined) return table;
  throw new ProviderError("InputError", `this version of trustplane has no ${what}`);
}
