import { type ExactJson, isJsonNumber, isJsonObject, type JsonDialect, readExactJson } from "./exact-json";
import { type HclBody, type HclItem, type HclValue, isHclBody, isHclNumber } from "./hcl-body";
import { quotedJson } from "./hcl-tokens";

/**
 * JSON as a body of HCL, with both of two members of one name: a policy that says more than it shows must not be read as
 * less. @throws UnreadableText
 */
export function jsonBody(text: string): HclBody {
  const value = hclOf(readExactJson(text, OF_HCL));
  return typeof value === "object" && isHclBody(value) ? flattened(value) : { items: [] };
}

/** JSON as the server's reader of HCL takes it. What it reads only as it does not look for the end stays refused. */
const OF_HCL: JsonDialect = { textAt: quotedJson, hasLastCommas: true, elementProblem };

/** What the server's reader does not keep in a list: it refuses null, leaves booleans out, and mixes up lists of lists. */
function elementProblem(element: ExactJson): string | undefined {
  if (element === null) return "has null in a list";
  if (typeof element === "boolean") return `has ${element} in a list, which the server leaves out of JSON`;
  return Array.isArray(element) ? "has a list in a list, which the server does not read in JSON" : undefined;
}

function hclOf(value: ExactJson): HclValue {
  // HCL has no null: the server takes it for an empty text.
  if (value === null) return "";
  if (typeof value !== "object" || isJsonNumber(value)) return value;
  if (!isJsonObject(value)) return value.map(hclOf);
  return { items: value.members.map(([name, member]) => ({ keys: [name], value: hclOf(member) })) };
}

/**
 * The items in HCL's form: an object that holds nothing but objects is one entry for each of these, with both keys, and a
 * list of nothing but objects is one for each. `{ "path": { "a": { … } } }` is `path "a" { … }`.
 */
function flattened({ items }: HclBody): HclBody {
  return { items: items.flatMap(unfolded).map(({ keys, value }) => ({ keys, value: within(value) })) };
}

function unfolded({ keys, value }: HclItem): readonly HclItem[] {
  if (typeof value !== "object" || isHclNumber(value)) return [{ keys, value }];
  if (!isHclBody(value)) {
    if (value.length === 0 || !value.every(isHclBody)) return [{ keys, value }];
    return value.flatMap((element) => unfolded({ keys, value: element }));
  }
  const inner = value.items;
  if (inner.length === 0 || !inner.every((item) => isHclBody(item.value))) return [{ keys, value }];
  return inner.flatMap((item) => unfolded({ keys: [...keys, ...item.keys], value: item.value }));
}

function within(value: HclValue): HclValue {
  if (typeof value !== "object" || isHclNumber(value)) return value;
  return isHclBody(value) ? flattened(value) : value.map(within);
}
