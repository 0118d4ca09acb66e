import { ProviderError } from "../../../provider/core/errors";
import { isLike } from "../../../provider/core/is-like";
import type { TrustMap } from "./trust-map";

/** The part of a map that has to do with some nodes: they themselves, all that reaches them, and all that they reach. */
export function narrowed(map: TrustMap, patterns: readonly string[]): TrustMap {
  if (patterns.length === 0) return map;
  const meant = map.nodes.filter(({ id, name }) => patterns.some((each) => isLike(each, name) || isLike(each, id)));
  if (meant.length === 0)
    throw new ProviderError("InputError", `nothing on the map is called ${patterns.join(" or ")}.`);
  return around(
    map,
    meant.map(({ id }) => id),
  );
}

/** These nodes, by their ids, with all that reaches them and all that they reach. */
export function around<M extends Pick<TrustMap, "nodes" | "edges">>(map: M, start: readonly string[]): M {
  const down = reached(
    start,
    Map.groupBy(map.edges, ({ from }) => from),
    ({ to }) => to,
  );
  const up = reached(
    start,
    Map.groupBy(map.edges, ({ to }) => to),
    ({ from }) => from,
  );
  return {
    ...map,
    nodes: map.nodes.filter(({ id }) => up.has(id) || down.has(id)),
    edges: map.edges.filter(({ from, to }) => (up.has(from) && up.has(to)) || (down.has(from) && down.has(to))),
  };
}

function reached(
  start: readonly string[],
  edges: ReadonlyMap<string, readonly TrustMap["edges"][number][]>,
  end: (edge: TrustMap["edges"][number]) => string,
): ReadonlySet<string> {
  const found = new Set(start);
  // A set is walked in the order of its growth.
  for (const id of found) for (const edge of edges.get(id) ?? []) found.add(end(edge));
  return found;
}
