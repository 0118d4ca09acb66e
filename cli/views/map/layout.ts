import { Graph, type GraphLabel, layout as place } from "@dagrejs/dagre";
import type { Unit } from "../../facts/map/folding";
import { KINDS } from "../../facts/map/kinds";
import type { TrustMap } from "../../facts/map/trust-map";

/** Height of a box, and the space between two, in pixels. The page uses them too. */
export const BOX_HEIGHT = 44;
export const BOX_GAP = 12;

/** The upper edge of each box, so that few lines cross. Its column is that of its kind. */
export function laidOut({ nodes, edges }: TrustMap, units: readonly Unit[]): readonly number[] {
  const graph = new Graph();
  // The ranks are given: that of the column, doubled, because the library has one between two for the texts of lines.
  const label = { rankdir: "LR", ranker: "none", nodesep: BOX_GAP, edgesep: BOX_GAP / 2, ranksep: 80 };
  // Its types do not know the ranker "none", which its code has.
  graph.setGraph(label as unknown as GraphLabel);
  graph.setDefaultEdgeLabel(() => ({}));
  const unitOf = new Map<string, number>();
  for (const [number, { kind, members }] of units.entries()) {
    graph.setNode(String(number), { width: 1, height: BOX_HEIGHT, rank: 2 * KINDS[kind].column });
    for (const member of members) unitOf.set(nodes[member]?.id ?? "", number);
  }
  for (const { from, to } of edges) {
    const [start = 0, end = 0] = [unitOf.get(from), unitOf.get(to)];
    // A line within a column has no length, which the library cannot place.
    if (columnOf(units[start]) < columnOf(units[end])) graph.setEdge(String(start), String(end), {});
  }
  if (units.length > 0) place(graph);
  return units.map((_, number) => Math.round((graph.node(String(number))?.y ?? 0) - BOX_HEIGHT / 2));
}

function columnOf(unit: Unit | undefined): number {
  return unit ? KINDS[unit.kind].column : 0;
}
