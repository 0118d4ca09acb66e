import { folded } from "../../facts/map/folding";
import { counted, KIND_NAMES, KINDS } from "../../facts/map/kinds";
import { said } from "../../facts/map/map-graph";
import type { MapNode, TrustMap } from "../../facts/map/trust-map";
import { htmlText } from "../../text/markdown";
import { htmlPage } from "../html-page";
import { BOX_GAP, BOX_HEIGHT, laidOut } from "./layout";
import { CONTROLS_SCRIPT } from "./page-controls-script";
import { MODEL_SCRIPT } from "./page-model-script";
import { MAP_STYLE } from "./page-style";
import { VIEW_SCRIPT } from "./page-view-script";

/** More boxes than these are folded until there are fewer: so many can be looked at. */
const MOST_BOXES = 150;

/** The map as one page, to look at and to keep. */
export function htmlMap(map: TrustMap): string {
  const { nodes, stack } = map;
  const title = `Trust${stack === undefined ? "" : ` of ${stack}`}`;
  const kinds = KIND_NAMES.flatMap((kind, number) => {
    const count = nodes.filter((node) => node.kind === kind).length;
    return count === 0 ? [] : [checkbox(counted(kind, count), `data-kind="${number}" checked`)];
  });
  const flagged = nodes.filter(({ findings }) => findings.length > 0).length;
  const drifted = nodes.filter(({ drift }) => drift !== undefined).length;
  const marks = [
    ...(flagged === 0 ? [] : [checkbox(`only ${flagged} flagged`, 'data-only="flagged"', "flagged-text")]),
    ...(drifted === 0 ? [] : [checkbox(`only ${drifted} drifted`, 'data-only="drifted"', "drifted-text")]),
  ];
  const body = [
    `<header><h1>${htmlText(title)}</h1><p>Who can reach what, from left to right. Select a box to see all that reaches it and all that it reaches. Arrow keys move, Enter selects, + and - unfold and fold alike records, Escape clears. A dashed box is only named by others: the stack does not declare it.</p></header>`,
    `<nav aria-label="Search and filters">`,
    `<input type="search" placeholder="Search a name, claim, path or rule" aria-label="Search">`,
    ...kinds,
    ...marks,
    checkbox("only what is connected with the selection", 'data-only="connected"'),
    `<button type="button" id="smaller" aria-label="Smaller">−</button><button type="button" id="larger" aria-label="Larger">+</button>`,
    `<span id="status" role="status" aria-live="polite"></span>`,
    "</nav>",
    `<main aria-label="Map"><p id="none" hidden>Nothing to show.</p><div id="sheet"><div id="heads"></div><svg aria-hidden="true"><path id="faint"/><path id="lit"/></svg></div></main>`,
    `<aside aria-label="Selection" hidden></aside><noscript>This page needs its own script to draw the map. trustplane map --mermaid and --json need none.</noscript>`,
    `<script type="application/json" id="map">${jsonText(pageData(map))}</script>`,
  ];
  const script = `${MODEL_SCRIPT}${VIEW_SCRIPT}${CONTROLS_SCRIPT}`;
  return htmlPage({ title, body: body.join("\n"), style: MAP_STYLE, script });
}

function checkbox(text: string, attributes: string, className = ""): string {
  const span = className === "" ? text : `<span class="${className}">${text}</span>`;
  return `<label><input type="checkbox" ${attributes}>${span}</label>`;
}

/** What the script of the page reads, with positions in place of ids. */
function pageData(map: TrustMap) {
  const positions = new Map(map.nodes.map(({ id }, position) => [id, position]));
  const units = folded(map, MOST_BOXES);
  const tops = laidOut(map, units);
  return {
    boxHeight: BOX_HEIGHT,
    gap: BOX_GAP,
    kinds: KIND_NAMES.map((kind) => KINDS[kind]),
    nodes: map.nodes.map((node) => ({
      kind: KIND_NAMES.indexOf(node.kind),
      name: node.name,
      place: placeText(node),
      facts: node.facts,
      findings: node.findings.map(({ rule, what, why }) => [rule, what, why]),
      ...(node.drift ? { drift: [node.drift.status, ...node.drift.properties] } : {}),
      resources: node.resources.map((each) => said(`${each.class} ${each.name}`)),
    })),
    edges: map.edges.map(({ from, to, bounds, capabilities }) => ({
      from: positions.get(from),
      to: positions.get(to),
      bounds: bounds.map(({ property, text }) => [property, text]),
      ...(capabilities ? { capabilities } : {}),
    })),
    units: units.map(({ kind, members }, number) => ({
      kind: KIND_NAMES.indexOf(kind),
      top: tops[number],
      members,
    })),
  };
}

function placeText({ namespace, partition, connection, provider }: MapNode): string {
  const named = Object.entries({ namespace, partition, connection, provider });
  return named.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])).join(", ");
}

/** JSON inside of HTML: nothing in it ends the element, or begins a comment. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
