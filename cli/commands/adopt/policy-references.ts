import type { Values } from "../../../provider/core/definition";
import { type FoundRecord, keyOf } from "../../sources/servers/found-record";
import { isPolicy } from "../../stack/known-policies";
import { camelCase, identifier, uniqueNames } from "./names";

/** The file with the policies. */
export const POLICIES = "policies";

/** The property that lists policies by name. */
const LISTS: Readonly<Record<string, string>> = { "jwt:Role": "tokenPolicies", "identity:Group": "policies" };

/** Variables of policies to which others refer, by name of the policy, and the file that has them. */
export interface PolicyVariables {
  readonly variables: ReadonlyMap<string, string>;
  readonly file: string;
}

/** Variables of the program's policies that other records list, by name of the policy. */
export function policyVariables(
  records: readonly FoundRecord[],
  names: ReadonlyMap<FoundRecord, string>,
): ReadonlyMap<string, string> {
  const listed = new Set(records.flatMap(({ definition, values }) => listIn(values, LISTS[definition.token])));
  const policies = records.filter(({ definition, values }) => isPolicy(definition) && listed.has(values["name"]));
  const variables = uniqueNames<FoundRecord>(policies, {
    nameOf: (record) => identifier(names.get(record) ?? "", SUFFIX),
    keyOf,
    // A language in which the name is a word of its own puts the suffix behind it.
    isSame: (name) => name.replace(SUFFIX_AT_END, "").toLowerCase(),
  });
  return new Map([...variables].map(([{ values }, name]) => [String(values["name"]), camelCase(name)]));
}

const SUFFIX = "Policy";
const SUFFIX_AT_END = /Policy$/;

/** The list with references to the policies that the program declares; undefined where it declares none of them. */
export function policyReferences(
  { definition, values }: FoundRecord,
  property: string,
  { variables, file }: PolicyVariables,
) {
  if (LISTS[definition.token] !== property) return undefined;
  const items = listIn(values, property).map((name) => {
    const of = variables.get(String(name));
    return of === undefined ? { literal: name } : { of, property: "name", file };
  });
  return items.some((item) => "of" in item) ? { items } : undefined;
}

function listIn(values: Values, property = ""): readonly unknown[] {
  const list = values[property];
  return Array.isArray(list) ? list : [];
}
