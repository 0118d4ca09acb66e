import type { MapNode, NodeKind, TrustMap } from "./trust-map";

/** What stands as one box: a node, or alike nodes of one kind. */
export interface Unit {
  readonly kind: NodeKind;
  /** Positions in the map's nodes, in their order. */
  readonly members: readonly number[];
}

/** How much alike nodes must be to be folded. */
interface Fineness {
  /** A node that so many others lead to is not folded. */
  readonly shared: number;
  /** Whether roles with other demands are apart. */
  readonly byDemands: boolean;
  /** How far the surroundings of two nodes must be alike, in steps: on both sides, or only what leads to them. */
  readonly steps: number;
  readonly sides: "both" | "into";
  /** Whether issuers and what they log in to stand by themselves. */
  readonly isSorted: boolean;
}

const NONE = Number.POSITIVE_INFINITY;
const SORTED = { sides: "both", isSorted: true } as const;

/** The first that gives few enough boxes is taken; the last one gives a few for each kind. */
const FINENESSES: readonly Fineness[] = [
  { shared: 2, byDemands: true, steps: 3, ...SORTED },
  { shared: 6, byDemands: true, steps: 2, ...SORTED },
  { shared: 20, byDemands: true, steps: 1, ...SORTED },
  { shared: 20, byDemands: false, steps: 1, ...SORTED },
  { shared: 100, byDemands: false, steps: 1, ...SORTED },
  // Thousands of roles of which no two are alike: those of one auth method.
  { shared: NONE, byDemands: false, steps: 1, sides: "into", isSorted: true },
  { shared: NONE, byDemands: false, steps: 0, sides: "both", isSorted: false },
];

/** Fewer are not folded: they can be read one by one. */
const FEWEST = 4;

/** The boxes of a map: alike nodes are folded until there are few enough to be looked at. */
export function folded(map: TrustMap, most: number): readonly Unit[] {
  const surroundings = surroundingsOf(map);
  let units: readonly Unit[] = [];
  for (const fineness of FINENESSES) {
    units = unitsOf(map, surroundings, fineness);
    if (units.length <= most) break;
  }
  return units;
}

interface Surroundings {
  readonly into: readonly number[][];
  readonly out: readonly number[][];
  /** By node, the properties that are demanded on the ways to it. */
  readonly demands: readonly string[];
}

function surroundingsOf({ nodes, edges }: TrustMap): Surroundings {
  const positions = new Map(nodes.map(({ id }, position) => [id, position]));
  const into = nodes.map((): number[] => []);
  const out = nodes.map((): number[] => []);
  const demands = nodes.map((): string[] => []);
  for (const { from, to, bounds } of edges) {
    const [start, end] = [positions.get(from) ?? 0, positions.get(to) ?? 0];
    out[start]?.push(end);
    into[end]?.push(start);
    demands[end]?.push(...bounds.map(({ property }) => property));
  }
  return { into, out, demands: demands.map((names) => [...new Set(names)].sort().join()) };
}

/** Nodes are of one class when they are of one kind, and lead to and come from nodes of the same classes. */
function unitsOf({ nodes }: TrustMap, { into, out, demands }: Surroundings, fineness: Fineness): readonly Unit[] {
  const { shared, byDemands, steps, sides, isSorted } = fineness;
  const isApart = ({ kind }: MapNode, position: number) =>
    (into[position]?.length ?? 0) >= shared || (isSorted && APART.includes(kind));
  let classes = nodes.map((node, position) =>
    isApart(node, position)
      ? `one ${position}`
      : `${node.kind} ${byDemands && node.kind === "role" ? demands[position] : ""}`,
  );
  for (let step = 0; step < steps; step++) {
    const names = new Map<string, string>();
    const around = (positions: readonly number[] = []) => [...new Set(positions.map((at) => classes[at]))].sort();
    classes = classes.map((own, position) => {
      if (own.startsWith("one ")) return own;
      const whole = JSON.stringify([own, around(into[position]), sides === "both" ? around(out[position]) : []]);
      const name = names.get(whole) ?? `${step} ${names.size}`;
      names.set(whole, name);
      return name;
    });
  }
  const groups = Map.groupBy(nodes.keys(), (position) => `${nodes[position]?.kind} ${classes[position]}`);
  return (
    [...groups.values()]
      .flatMap((members) => (members.length < FEWEST ? members.map((one) => [one]) : [members]))
      .flatMap((members): Unit[] => {
        const first = nodes[members[0] ?? -1];
        return first ? [{ kind: first.kind, members }] : [];
      })
      // The nodes are sorted by kind and id.
      .sort((a, b) => (a.members[0] ?? 0) - (b.members[0] ?? 0))
  );
}

const APART: readonly NodeKind[] = ["issuer", "mount", "engine"];
