import type { Definition, Members, Values } from "./definition";
import { isRecord } from "./unknowns";

/** The steps of a property path: a property, and names inside it. `*` stands for all. */
export type IgnoredPath = readonly string[];

/**
 * The values with what the program leaves to others (`ignoreChanges`) as it is in `live`. An item of a list by its number stays
 * as the values have it: nobody knows which item of another list that is.
 */
export function withIgnored(
  { fields }: Definition,
  values: Values,
  live: Values,
  ignored: readonly IgnoredPath[],
): Values {
  const names = Object.keys(fields);
  const paths = ignored.flatMap(([root = "", ...inside]) =>
    root === "*" ? names.map((name) => [name]) : names.includes(root) ? [[root, ...inside]] : [],
  );
  return paths.reduce<Values>((kept, path) => ({ ...withPart(kept, live, path) }), values);
}

/** Of a set, the same for one of its records. */
export function ignoredIn({ property }: Members, record: string, ignored: readonly IgnoredPath[]): IgnoredPath[] {
  const isWithin = ([root, name]: IgnoredPath) => root === property && (name === "*" || name === record);
  return ignored.filter((path) => path.length > 2 && isWithin(path)).map((path) => path.slice(2));
}

function withPart(values: Values, live: Values, [name = "", ...inside]: IgnoredPath): Values {
  if (name === "*") {
    const names = [...new Set([...Object.keys(values), ...Object.keys(live)])];
    return names.reduce((kept, each) => withPart(kept, live, [each, ...inside]), values);
  }
  const part = partOf(values[name], Object.hasOwn(live, name) ? live[name] : undefined, inside);
  const { [name]: _, ...others } = values;
  return part === undefined ? others : { ...values, [name]: part };
}

function partOf(value: unknown, live: unknown, inside: IgnoredPath): unknown {
  if (inside.length === 0) return live;
  if (isRecord(value)) return withPart(value, isRecord(live) ? live : {}, inside);
  if (Array.isArray(value)) return inside.join() === "*" ? live : value;
  if (value !== undefined || !isRecord(live)) return value;
  const part = withPart({}, live, inside);
  return Object.keys(part).length === 0 ? undefined : part;
}
