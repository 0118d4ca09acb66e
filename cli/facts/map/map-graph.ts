import { createHash } from "node:crypto";
import { ProviderError } from "../../../provider/core/errors";
import { UNKNOWN } from "../../../provider/core/unknowns";
import { shortLine } from "../../text/visible-text";
import { KIND_NAMES } from "./kinds";
import type { MapBound, MapEdge, MapFinding, MapNode, MapResource, NodeKind } from "./trust-map";

/** Where a record is. Records of different places are different nodes, whatever their names. */
export type Place = Pick<MapNode, "connection" | "namespace" | "partition" | "provider">;

/** What a record adds to its node, or names on the way to another one. */
export interface About {
  /** What it is called on the map, where that is not the name that makes it unique. */
  readonly title?: string;
  readonly facts?: readonly string[];
  readonly resource?: MapResource | undefined;
}

export interface EdgeAbout {
  readonly bounds?: readonly MapBound[];
  readonly capabilities?: readonly string[];
}

/** A map that is being made. Naming a node twice makes it once. */
export interface MapGraph {
  /** Answers the id. */
  node(kind: NodeKind, name: string, place: Place, about?: About): string;
  edge(from: string, to: string, about?: EdgeAbout): void;
  nodes(): readonly MapNode[];
  edges(): readonly MapEdge[];
}

/** More would be no map, and no browser would show it. */
const MOST_EDGES = 500_000;
const LONGEST_TEXT = 200;
const MOST_TEXTS = 30;

export function createMapGraph(): MapGraph {
  const nodes = new Map<string, Draft>();
  const edges = new Map<string, MapEdge>();
  return {
    node(kind, name, place, { title = name, facts = [], resource } = {}) {
      const id = idOf(kind, name, place);
      const known = nodes.get(id) ?? { id, kind, name: said(title), ...placed(place), facts: [], resources: [] };
      nodes.set(id, known);
      known.facts.push(...facts.map(said).filter((fact) => !known.facts.includes(fact)));
      if (resource) known.resources.push(resource);
      return id;
    },
    edge(from, to, { bounds = [], capabilities } = {}) {
      if (edges.size >= MOST_EDGES)
        throw new ProviderError(
          "InputError",
          `the map would have more than ${MOST_EDGES} lines: policies with paths such as * meet too many cloud roles.`,
        );
      const key = `${from}\n${to}`;
      const known = edges.get(key);
      const shown = bounds.map(({ property, text }) => ({ property: said(property), text: said(text) }));
      const news = shown.filter(({ text }) => !known?.bounds.some((each) => each.text === text));
      const all = [...(known?.capabilities ?? []), ...(capabilities ?? [])];
      const words = all.length === 0 ? {} : { capabilities: [...new Set(all)].sort() };
      edges.set(key, { from, to, bounds: shortened([...(known?.bounds ?? []), ...news]), ...words });
    },
    nodes: () =>
      sortedBy([...nodes.values()], ({ kind, id }) => `${String(KIND_NAMES.indexOf(kind)).padStart(2, "0")} ${id}`).map(
        (draft): MapNode => ({ ...draft, facts: draft.facts.slice(0, MOST_TEXTS), findings: [] }),
      ),
    edges: () => sortedBy([...edges.values()], ({ from, to }) => `${from}\n${to}`),
  };
}

interface Draft extends Omit<MapNode, "findings"> {
  readonly facts: string[];
  readonly resources: MapResource[];
}

/** A text from a record as the map has it: short, in one line, without invisible characters. */
export function said(text: string): string {
  return shortLine(text.replaceAll(UNKNOWN, "(not known)"), LONGEST_TEXT);
}

export function shortFinding({ rule, what, why }: MapFinding): MapFinding {
  return { rule, what: said(what), why };
}

function shortened(bounds: readonly MapBound[]): readonly MapBound[] {
  const more = bounds.length - MOST_TEXTS;
  return more > 0 ? [...bounds.slice(0, MOST_TEXTS), { property: "", text: `and ${more} more` }] : bounds;
}

const LONGEST_ID = 300;

/** Unique for kind, name and place. A question mark begins the place, so a name has none. */
function idOf(kind: NodeKind, name: string, place: Place): string {
  const whole = encodeURI(`${kind}:${name}`.toWellFormed()).replaceAll("?", "%3F");
  const query = new URLSearchParams(Object.entries(placed(place))).toString();
  const id = query === "" ? whole : `${whole}?${query}`;
  if (id.length <= LONGEST_ID) return id;
  return `${id.slice(0, LONGEST_ID)}~${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}

function placed(place: Place): Record<string, string> {
  return Object.fromEntries(
    Object.entries(place).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [[name, said(value)]],
    ),
  );
}

/** Numbers in texts count as numbers: `team-2` comes before `team-10`. */
export function sortedBy<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const keyed = all.map((each) => [numbered(keyOf(each)), each] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, each]) => each);
}

/** The text itself at the end tells `01` and `1` apart. */
function numbered(text: string): string {
  return `${text.replace(/\d+/g, (digits) => digits.padStart(12, "0"))}\n${text}`;
}
