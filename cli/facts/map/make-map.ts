import { ProviderError } from "../../../provider/core/errors";
import type { DesiredStack } from "../../stack/desired-stack";
import type { Linted } from "../../stack/evaluated-records";
import { partsOfUrn } from "../../stack/resource-type";
import type { DriftReport } from "../drift/report";
import type { Silence } from "../exceptions/exceptions-file";
import { lint } from "../lint/lint";
import { addCloud } from "./add-cloud";
import { addClusters } from "./add-clusters";
import { addLogins } from "./add-logins";
import { marked } from "./add-marks";
import { addPolicies } from "./add-policies";
import { createMapGraph, type MapGraph, sortedBy } from "./map-graph";
import { narrowed } from "./narrowed";
import { type PlacedRecord, placedRecords } from "./placed-records";
import type { LeftOut, TrustMap } from "./trust-map";

export interface MapOptions {
  /** Longest lifetime that gets no note, in seconds. */
  readonly maxTtl: number;
  readonly exceptions: readonly Silence[];
  readonly drift: DriftReport | undefined;
  /** Patterns of nodes: the map then has only them, what reaches them, and what they reach. */
  readonly only: readonly string[];
  /** Such as 2027-01-31. */
  readonly today: string;
}

const MOST_NODES = 10_000;
const MOST_EDGES = 40_000;

/**
 * The map of the trust that a state or a preview wants.
 *
 * @throws InputError for another text, and for a map that is too large to be shown.
 */
export function makeMap(
  { resources, left, before, groups, notLookedAt }: DesiredStack,
  { maxTtl, exceptions, drift, only, today }: MapOptions,
): TrustMap {
  const records = placedRecords([...resources, ...left]);
  const graph = graphOf(records, new Map([...groups].map(([id, { urn }]) => [id, urn])));
  const { findings } = lint(resources, { limits: { ttlSeconds: maxTtl }, exceptions, policies: { before }, today });
  const nodes = marked(graph.nodes(), records, { findings, drift });
  const stack = resources[0] && partsOfUrn(resources[0].urn).stack;
  const map = narrowed(
    {
      format: "trustplane-trust-map/1",
      ...(stack ? { stack } : {}),
      nodes,
      edges: graph.edges(),
      ...(notLookedAt.length === 0 ? {} : { notLookedAt }),
      leftOut: leftOut(resources, new Set(nodes.flatMap((node) => node.resources.map(({ urn }) => urn)))),
    },
    only,
  );
  if (map.nodes.length > MOST_NODES || map.edges.length > MOST_EDGES)
    throw new ProviderError(
      "InputError",
      `the map would have ${map.nodes.length} records and ${map.edges.length} lines, and a map has ${MOST_NODES} and ${MOST_EDGES} at most: choose a part of it with --only.`,
    );
  return map;
}

/** Who reaches what by these records. */
export function graphOf(records: readonly PlacedRecord[], groupIds: ReadonlyMap<string, string> = new Map()): MapGraph {
  const graph = createMapGraph();
  addLogins(graph, records);
  const policies = addPolicies(graph, records, groupIds);
  addCloud(graph, records, policies);
  addClusters(graph, records);
  return graph;
}

function leftOut(resources: readonly Linted[], shown: ReadonlySet<string>): readonly LeftOut[] {
  const others = Map.groupBy(
    resources.filter(({ urn, records }) => !shown.has(urn) && records.length > 0),
    (each) => each.class,
  );
  return sortedBy([...others], ([name]) => name).map(([name, all]) => ({ class: name, count: all.length }));
}
