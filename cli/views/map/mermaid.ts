import { folded, type Unit } from "../../facts/map/folding";
import { counted, KINDS } from "../../facts/map/kinds";
import type { MapBound, TrustMap } from "../../facts/map/trust-map";
import { firstOf } from "../../text/lists";

/** Mermaid refuses more than 500 lines and 50,000 characters, and nobody could read them. */
const MOST_BOXES = 80;
const MOST_LINES = 400;
const MOST_BOUNDS = 3;
const LONGEST = 60;

/** The map as a Mermaid flowchart, with alike records in one box. Boxes with one of these nodes are marked. */
export function mermaidText(map: TrustMap, changed: ReadonlySet<string> = new Set()): string {
  const units = fewEnough(map);
  const unitOf = new Map(
    units.flatMap(({ members }, number) => members.map((member) => [map.nodes[member]?.id ?? "", number] as const)),
  );
  const boxes = units.map((unit, number) => {
    const [first, ...others] = classesOf(map, unit, changed);
    const box = `  n${number}["${boxText(map, unit)}"]${first === undefined ? "" : `:::${first}`}`;
    // A box itself takes one class.
    return [box, ...others.map((name) => `  class n${number} ${name}`)].join("\n");
  });
  const lines = linesBetween(map, unitOf).map(({ from, to, bounds }) => {
    const text = commonText(bounds);
    return `  n${from} -->${text === "" ? "" : `|"${text}"|`} n${to}`;
  });
  // What is drawn of one class leaves the others to be seen.
  const classes = [
    ...(changed.size === 0 ? [] : ["classDef changed stroke-width:4px"]),
    `classDef flagged stroke:#b42318${changed.size === 0 ? ",stroke-width:3px" : ""}`,
    "classDef drifted stroke-dasharray:6 3",
  ];
  return ["flowchart LR", ...boxes, ...lines, ...classes.map((each) => `  ${each}`), ""].join("\n");
}

function fewEnough(map: TrustMap): readonly Unit[] {
  for (let most = MOST_BOXES; ; most = Math.floor(most / 2)) {
    const units = folded(map, most);
    const unitOf = new Map(
      units.flatMap(({ members }, number) => members.map((member) => [map.nodes[member]?.id ?? "", number] as const)),
    );
    if (linesBetween(map, unitOf).length <= MOST_LINES || most <= 1) return units;
  }
}

interface Line {
  readonly from: number;
  readonly to: number;
  /** Those of every edge of the line. */
  readonly bounds: readonly (readonly MapBound[])[];
}

function linesBetween({ edges }: TrustMap, unitOf: ReadonlyMap<string, number>): readonly Line[] {
  const lines = Map.groupBy(edges, ({ from, to }) => `${unitOf.get(from)} ${unitOf.get(to)}`);
  return [...lines.values()].flatMap((all): Line[] => {
    const [first] = all;
    const [from, to] = [unitOf.get(first?.from ?? ""), unitOf.get(first?.to ?? "")];
    return from === undefined || to === undefined ? [] : [{ from, to, bounds: all.map(({ bounds }) => bounds) }];
  });
}

function boxText({ nodes }: TrustMap, { kind, members }: Unit): string {
  const names = members.map((member) => nodes[member]?.name ?? "");
  const title = members.length === 1 ? KINDS[kind].one : counted(kind, members.length);
  return `${title}: ${escaped(names.length === 1 ? (names[0] ?? "") : firstOf(names.map((name) => name.slice(0, LONGEST))))}`;
}

/** A box may be more than one of these. */
function classesOf({ nodes }: TrustMap, { members }: Unit, changed: ReadonlySet<string>): readonly string[] {
  const all = members.flatMap((member) => nodes[member] ?? []);
  return [
    ...(all.some(({ id }) => changed.has(id)) ? ["changed"] : []),
    ...(all.some(({ findings }) => findings.length > 0) ? ["flagged"] : []),
    ...(all.some(({ drift }) => drift !== undefined) ? ["drifted"] : []),
  ];
}

/** The bounds that all edges of a line have; of others, only what they are about. */
function commonText(all: readonly (readonly MapBound[])[]): string {
  const [first = []] = all;
  const shared = first.filter(({ text }) => all.every((bounds) => bounds.some((bound) => bound.text === text)));
  const isShared = ({ text }: MapBound) => shared.some((bound) => bound.text === text);
  const others = all.flatMap((bounds) =>
    bounds.filter((bound) => !isShared(bound)).map(({ property }) => `${property} differs`),
  );
  const texts = [...shared.map(({ text }) => text), ...new Set(others)];
  const more = texts.length - MOST_BOUNDS;
  const shown = texts.slice(0, MOST_BOUNDS).map((text) => escaped(text));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** Nothing of a text is Mermaid, Markdown or HTML: all but letters, digits and harmless signs are written as their codes. */
function escaped(text: string): string {
  const short = text.length > 2 * LONGEST ? `${text.slice(0, 2 * LONGEST)}…` : text;
  return short
    .toWellFormed()
    .replace(/[!-~]/g, (sign) => (/[A-Za-z0-9.,:=+/-]/.test(sign) ? sign : `#${sign.charCodeAt(0)};`));
}
