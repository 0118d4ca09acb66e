/** What the page of a map draws, and how it answers the mouse and the keyboard. Plain JavaScript, for browsers. */
export const VIEW_SCRIPT = `
const at = (selector) => document.querySelector(selector);
const [plane, sheet, aside, status, search] = ["main", "#sheet", "aside", "#status", "nav input[type=search]"].map(at);
const elements = new Map();
let rows = [];
let rowOf = [];
let focused = "";

function element(name, about, ...children) {
  const made = Object.assign(document.createElement(name), about);
  made.append(...children);
  return made;
}

function draw() {
  const state = shownNodes();
  const blocks = rowsOf(state);
  const { columns, lefts, width, height } = laidOut(blocks);
  rows = blocks.flatMap((block) => block.rows);
  rowOf = [];
  for (const row of rows) if (row.is !== "head") for (const node of row.nodes) rowOf[node] = row;
  const kept = new Set(rows.map(({ key }) => key));
  for (const [key, made] of elements) if (!kept.has(key)) { made.remove(); elements.delete(key); }
  if (!kept.has(focused)) focused = rows.length > 0 ? rows[0].key : "";
  const added = [];
  for (const row of rows) {
    const made = elements.get(row.key) || added[added.push(rowElement(row)) - 1];
    fill(made, row, state);
  }
  sheet.append(...added);
  sheet.style.width = width + "px";
  sheet.style.height = height + 40 + "px";
  sheet.classList.toggle("chosen", state.related !== undefined);
  drawWays(state, width, height);
  at("#heads").replaceChildren(...columns.map((column) => {
    const here = kinds.filter((kind, number) => kind.column === column && rows.some((row) => row.kind === number));
    const head = element("span", { textContent: here.map(({ many }) => many).join(", ") });
    head.style.left = lefts.get(column) + "px";
    return head;
  }));
  at("#none").hidden = rows.length > 0;
  if (state.looks) status.textContent = state.matches.size + " found";
}

/** Small enough for the window where it can still be read. */
function fit() {
  zoom(Math.min(1, Math.max(0.75, (plane.clientWidth - 40) / sheet.offsetWidth)));
}

/** Where the ways begin: a map that is higher than the window has its issuers in the middle. */
function begin() {
  const first = rows.filter(({ kind }) => kind === rows[0].kind).map(({ y }) => y);
  if (rows.length > 0) plane.scrollTop = Math.min(...first) * view.zoom - plane.clientHeight / 4;
}

function zoom(factor) {
  view.zoom = Math.min(2, Math.max(0.4, factor));
  sheet.style.zoom = view.zoom;
}

function rowElement(row) {
  const box = element("button", { type: "button" });
  const made = element("div", { className: "row" }, element("div", { className: "bounds" }), box);
  made.dataset.key = row.key;
  elements.set(row.key, made);
  return made;
}

function fill(made, row, { matches, looks, related }) {
  const [bounds, box] = made.children;
  made.style.transform = "translate(" + row.x + "px," + row.y + "px)";
  made.style.width = WIDTH + "px";
  made.style.height = boxHeight + "px";
  const isRelated = related !== undefined && row.nodes.some((node) => related.up.has(node) || related.down.has(node));
  made.className = ["row", isRelated && "related", row.key === view.chosenKey && "chosen", looks && row.nodes.some((node) => matches.has(node)) && "match"].filter(Boolean).join(" ");
  box.tabIndex = row.key === focused ? 0 : -1;
  box.setAttribute("aria-pressed", String(row.key === view.chosenKey));
  const content = row.is + ":" + row.nodes.length;
  if (made.dataset.content === content) return;
  made.dataset.content = content;
  const first = nodes[row.nodes[0]];
  const flagged = row.nodes.filter((node) => nodes[node].findings.length > 0).length;
  const drifted = row.nodes.filter((node) => nodes[node].drift !== undefined).length;
  const isGroup = row.is !== undefined;
  const all = row.unit === undefined ? 1 : units[row.unit].members.length;
  const title = !isGroup ? kinds[row.kind].one : (row.nodes.length < all ? row.nodes.length + " of " : "") + all + " " + kinds[row.kind].many;
  const marks = [flagged > 0 && element("span", { className: "flagged", textContent: " \\u2691 " + (isGroup ? flagged : "flagged") }),
    drifted > 0 && element("span", { className: "drifted", textContent: " \\u2260 " + (isGroup ? drifted : "drifted") })].filter(Boolean);
  const place = isGroup || first.place === "" ? "" : " \\u00b7 " + first.place;
  const name = isGroup ? row.nodes.slice(0, 12).map((node) => nodes[node].name).join(", ") : first.name;
  const shown = isGroup ? name : shortened(first.name.replace(/^https:../, ""));
  box.className = ["box", "k" + row.kind, isGroup && "group", row.is === "head" && "head", !isGroup && first.resources.length === 0 && "named"].filter(Boolean).join(" ");
  box.title = isGroup ? title : first.name;
  box.replaceChildren(
    element("span", { className: "kind" }, isGroup ? element("b", { textContent: title }) : title, place, ...marks),
    element("span", { className: "name", textContent: shown }),
    ...(isGroup ? [element("span", { className: "toggle", textContent: row.is === "head" ? "\\u25be" : "\\u25b8", ariaHidden: "true" })] : []),
  );
  const demands = row.is === "head" ? [] : demandsOf(row);
  const room = SPACES[kinds[row.kind].column] - 40;
  bounds.hidden = demands.length === 0 || room < 60;
  bounds.style.width = room + "px";
  bounds.replaceChildren(element("div", { title: demands.join("\\n") }, element("span", { textContent: demands.join(" \\u00b7 ") })));
  if (isGroup) box.setAttribute("aria-keyshortcuts", "+ -");
  box.setAttribute("aria-label", [title, isGroup ? "such as " + name : name, first.place && !isGroup ? first.place : "", demands.length > 0 ? "where " + demands.join(", ") : "",
    flagged > 0 ? flagged + " flagged" : "", drifted > 0 ? drifted + " drifted" : "", row.is === "group" ? "folded" : row.is === "head" ? "unfolded" : ""].filter(Boolean).join(", "));
}

/** The end of a long name says as much as its beginning. */
function shortened(name) {
  const letters = [...name];
  return letters.length <= 21 ? name : letters.slice(0, 8).join("") + "\u2026" + letters.slice(-12).join("");
}

function drawWays({ related }, width, height) {
  const [faint, lit] = [[], []];
  const done = new Set();
  const numbers = new Map(rows.map((row, number) => [row, number]));
  const stacks = columnsOf(rows);
  for (const { from, to } of edges) {
    const [a, b] = [rowOf[from], rowOf[to]];
    if (!a || !b || a === b) continue;
    const isLit = related !== undefined && ((related.up.has(from) && related.up.has(to)) || (related.down.has(from) && related.down.has(to)));
    const key = (numbers.get(a) * rows.length + numbers.get(b)) * 2 + (isLit ? 1 : 0);
    if (done.has(key)) continue;
    done.add(key);
    (isLit ? lit : faint).push(wayBetween(a, b, stacks));
  }
  const svg = at("#sheet svg");
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  at("#faint").setAttribute("d", faint.join(""));
  at("#lit").setAttribute("d", lit.join(""));
}

/** The left edge of each column, and the upper edges of its boxes. */
function columnsOf(rows) {
  const columns = new Map();
  for (const { x, y } of rows) columns.set(x, [...(columns.get(x) || []), y]);
  return [...columns].sort(([a], [b]) => a - b).map(([left, tops]) => ({ left, tops: tops.sort((a, b) => a - b) }));
}

/** Between two boxes of a column, or beside all: behind a box a way would read as one through it. */
function freeAt(tops, y) {
  const top = tops.find((each) => y > each - gap / 2 && y < each + boxHeight + gap / 2);
  if (top === undefined) return y;
  return y < top + boxHeight / 2 ? top - gap / 2 : top + boxHeight + gap / 2;
}

function wayBetween(a, b, columns) {
  const [start, from, end, to] = [a.x + WIDTH, a.y + boxHeight / 2, b.x, b.y + boxHeight / 2];
  if (end <= start) return "M" + start + " " + from + "C" + (start + 50) + " " + from + " " + (b.x + WIDTH + 50) + " " + to + " " + (b.x + WIDTH) + " " + to;
  const curve = (x, y, nextX, nextY) => "C" + (x + nextX) / 2 + " " + y + " " + (x + nextX) / 2 + " " + nextY + " " + nextX + " " + nextY;
  let way = "M" + start + " " + from;
  let [x, y] = [start, from];
  for (const { left, tops } of columns) {
    if (left <= a.x || left >= b.x) continue;
    const free = freeAt(tops, from + ((to - from) * (left + WIDTH / 2 - start)) / (end - start));
    way += curve(x, y, left - gap, free) + "H" + (left + WIDTH + gap);
    [x, y] = [left + WIDTH + gap, free];
  }
  const bend = Math.max(Math.min(x + 40, end - 10), end - Math.max(SPACES[kinds[b.kind].column] - 40, 10));
  return way + curve(x, y, bend, to) + "H" + end;
}

/** Draws again, and leaves the box of this key where the reader sees it. */
function drawAround(key) {
  const place = () => { const row = rows.find((each) => each.key === key); return row && { x: row.x, y: row.y }; };
  const before = place();
  draw();
  const after = place();
  if (before && after) plane.scrollBy((after.x - before.x) * view.zoom, (after.y - before.y) * view.zoom);
}

function choose(key, chosen) {
  view.chosen = chosen;
  view.chosenKey = key;
  if (key !== "") focused = key;
  drawAround(key);
  describe();
  elements.get(key)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function toggle(unit, isOpen) {
  if (isOpen) view.open.add(unit); else view.open.delete(unit);
  drawAround("u" + unit);
  describe();
}

/** Shows a node wherever it is: unfolds its box, lifts filters that hide it, and moves there. */
function goTo(node) {
  if (units[unitOf[node]].members.length > 1) view.open.add(unitOf[node]);
  view.hidden.delete(nodes[node].kind);
  for (const box of document.querySelectorAll("nav input[data-kind]")) box.checked = !view.hidden.has(Number(box.dataset.kind));
  choose("n" + node, [node]);
  const made = elements.get("n" + node);
  if (!made) return;
  made.querySelector("button").focus({ preventScroll: true });
  made.scrollIntoView({ block: "nearest", inline: "nearest" });
}
`;
