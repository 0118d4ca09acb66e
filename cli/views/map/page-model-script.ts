/** What the page of a map knows: the graph, what is shown of it, and where. Plain JavaScript, for browsers. */
export const MODEL_SCRIPT = `
"use strict";
const map = JSON.parse(document.querySelector("#map").textContent);
const { kinds, nodes, edges, units, boxHeight, gap } = map;
const into = nodes.map(() => []);
const out = nodes.map(() => []);
edges.forEach((edge, at) => { out[edge.from].push(at); into[edge.to].push(at); });
const unitOf = [];
units.forEach((unit, at) => { for (const member of unit.members) unitOf[member] = at; });

function reached(start, ways, end) {
  const found = new Set(start);
  for (const node of found) for (const way of ways[node]) found.add(edges[way][end]);
  return found;
}
const above = (start) => reached(start, into, "from");
const below = (start) => reached(start, out, "to");

/** The texts that a search looks at, made when they are first needed. */
const texts = [];
function textOf(node) {
  if (texts[node] === undefined) {
    const { kind, name, place, facts, findings, drift, resources } = nodes[node];
    const bounds = into[node].flatMap((way) => edges[way].bounds.map(([, text]) => text));
    const parts = [kinds[kind].one, name, place, ...facts, ...bounds, ...findings.flat(), ...(drift || []), ...resources];
    texts[node] = parts.join(" ").toLowerCase();
  }
  return texts[node];
}

const view = { open: new Set(), hidden: new Set(), words: [], flagged: false, drifted: false, connected: false, chosen: [], chosenKey: "", zoom: 1 };

function isMatch(node) {
  if (view.flagged && nodes[node].findings.length === 0) return false;
  if (view.drifted && nodes[node].drift === undefined) return false;
  return view.words.length === 0 || view.words.every((word) => textOf(node).includes(word));
}

/** What is shown: what is looked for, all that reaches it and all that it reaches. */
function shownNodes() {
  const looks = view.words.length > 0 || view.flagged || view.drifted;
  const narrows = view.connected && view.chosen.length > 0;
  const matches = looks ? [...nodes.keys()].filter(isMatch) : [];
  const near = looks ? new Set([...above(matches), ...below(matches)]) : undefined;
  const related = view.chosen.length > 0 ? { up: above(view.chosen), down: below(view.chosen) } : undefined;
  const shown = [...nodes.keys()].filter((node) =>
    !view.hidden.has(nodes[node].kind) && (!near || near.has(node)) && (!narrows || related.up.has(node) || related.down.has(node)));
  return { shown, matches: new Set(matches), looks, related, narrowed: looks || narrows };
}

/** Fewer alike ones are shown one by one where only a part of the map is shown. */
const FEW = 12;

function rowsOf({ shown, narrowed }) {
  const byUnit = new Map();
  for (const node of shown) {
    const unit = unitOf[node];
    if (byUnit.has(unit)) byUnit.get(unit).push(node); else byUnit.set(unit, [node]);
  }
  return [...byUnit].sort(([a], [b]) => a - b).map(([unit, members]) => {
    const { kind, top, members: all } = units[unit];
    const single = (node) => ({ key: "n" + node, kind, nodes: [node], unit: all.length > 1 ? unit : undefined });
    const group = (is) => ({ key: "u" + unit, kind, nodes: members, unit, is });
    const rows = all.length === 1 ? members.map(single)
      : view.open.has(unit) ? [group("head"), ...members.map(single)]
      : narrowed && members.length <= FEW ? members.map(single)
      : [group("group")];
    return { kind, top, rows };
  });
}

/** Widths of the columns' boxes, and of the space to the left of each, in which the demands of a way stand. */
const WIDTH = 178;
const SPACES = [0, 50, 235, 140, 60, 160, 50];
const TOP = 40;

/** Places the rows. Empty space is left out; where a box is unfolded, all below moves down. */
function laidOut(blocks) {
  const columns = [...new Set(blocks.map(({ kind }) => kinds[kind].column))].sort((a, b) => a - b);
  const lefts = new Map();
  let x = 0;
  for (const column of columns) {
    x += lefts.size === 0 && column < 2 ? 0 : SPACES[column];
    lefts.set(column, x);
    x += WIDTH;
  }
  const order = [...blocks].sort((a, b) => a.top - b.top);
  const heightOf = ({ rows }) => rows.length * (boxHeight + gap) - gap;
  const ends = order.map((block) => ({ at: block.top + boxHeight, extra: Math.max(0, heightOf(block) - boxHeight), column: kinds[block.kind].column }))
    .sort((a, b) => a.at - b.at);
  const extras = new Map();
  const cursors = new Map();
  let covered = order.length > 0 ? order[0].top - 2 * gap : 0;
  let cut = order.length > 0 ? order[0].top : 0;
  let next = 0, extra = 0, height = 0;
  for (const block of order) {
    if (block.top > covered + 2 * gap) cut += block.top - covered - 2 * gap;
    covered = Math.max(covered, block.top + boxHeight);
    for (; next < ends.length && ends[next].at <= block.top; next++) {
      const { column, extra: own } = ends[next];
      extras.set(column, (extras.get(column) || 0) + own);
      extra = Math.max(extra, extras.get(column));
    }
    const column = kinds[block.kind].column;
    let y = Math.max(block.top - cut + extra + TOP, cursors.get(column) || 0);
    for (const row of block.rows) {
      row.x = lefts.get(column);
      row.y = y;
      y += boxHeight + gap;
    }
    cursors.set(column, y);
    height = Math.max(height, y);
  }
  return { columns, lefts, width: x, height };
}

/** What is demanded on the ways to a row: what all have, and what differs. */
function demandsOf(row) {
  const seen = new Map();
  const able = new Set();
  let ways = 0;
  for (const node of row.nodes) for (const way of into[node]) {
    ways++;
    const { bounds, capabilities } = edges[way];
    for (const [property, text] of bounds) count(seen, property, text);
    for (const capability of capabilities || []) able.add(capability);
  }
  const texts = [...seen].map(([property, found]) => {
    const [[text, times]] = found;
    if (found.size === 1 && times === ways) return text;
    return ways <= 3 ? [...found.keys()].join(" or ") : property.replace(/^boundClaims[.]/, "") + " differs";
  });
  return able.size === 0 ? texts : [[...able].sort().join(", "), ...texts];
}

function count(seen, property, text) {
  if (!seen.has(property)) seen.set(property, new Map());
  const found = seen.get(property);
  found.set(text, (found.get(text) || 0) + 1);
}
`;
