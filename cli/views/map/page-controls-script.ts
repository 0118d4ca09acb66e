/**
 * The panel that describes what is chosen, and the controls of a map's page. Plain JavaScript, for browsers. The page has it behind
 * `MODEL_SCRIPT`, which has nodes and edges (`into` and `out` are the edges of a node), and `VIEW_SCRIPT`, which draws rows.
 */
export const CONTROLS_SCRIPT = `
const MOST = 100;

function paragraph(text, className) {
  return element("p", { textContent: text, className: className || "" });
}

function describe() {
  const { chosen, chosenKey } = view;
  aside.hidden = chosen.length === 0;
  if (chosen.length === 0) {
    status.textContent = "Nothing is selected";
    return;
  }
  const [up, down] = [above(chosen), below(chosen)].map((found) => [...found].filter((node) => !chosen.includes(node)));
  const isGroup = chosenKey.startsWith("u");
  const { kind } = nodes[chosen[0]];
  const title = isGroup ? chosen.length + " " + kinds[kind].many : kinds[kind].one + " " + nodes[chosen[0]].name;
  const unit = unitOf[chosen[0]];
  const isOpen = view.open.has(unit);
  aside.replaceChildren(
    element("h2", { textContent: title }),
    ...(isGroup ? [button(isOpen ? "Fold them" : "Show them one by one", () => toggle(unit, !isOpen), "action")] : aboutNode(chosen[0])),
    button("Clear", clear, "action"),
    ...(isGroup ? [element("h3", { textContent: "Members (" + chosen.length + ")" }), listOf(chosen)] : []),
    ...lists("Reached by", up, "Nothing on this map reaches it."),
    ...lists("Reaches", down, "It reaches nothing on this map."),
  );
  aside.scrollTop = 0;
  status.textContent = title + ": reached by " + up.length + ", reaches " + down.length;
}

function button(text, act, className) {
  const made = element("button", { type: "button", textContent: text, className: className || "" });
  made.addEventListener("click", act);
  return made;
}

function aboutNode(node) {
  const { place, facts, findings, drift, resources } = nodes[node];
  const ways = into[node].slice(0, MOST).flatMap((way) => {
    const { from, bounds, capabilities } = edges[way];
    const texts = [...bounds.map(([, text]) => text), ...(capabilities ? [capabilities.join(", ")] : [])];
    return texts.length === 0 ? [] : [paragraph("From " + kinds[nodes[from].kind].one + " " + nodes[from].name + ": " + texts.join(", "))];
  });
  return [
    ...(place === "" ? [] : [paragraph("In " + place, "faint")]),
    paragraph(resources.length === 0 ? "Not declared by this stack: others name it." : "Declared by " + resources.join(", "), "faint"),
    ...findings.map(([rule, what, why]) => element("div", { className: "note" }, paragraph("Flagged by " + rule + ": " + what), paragraph(why, "faint"))),
    ...(drift === undefined ? [] : [element("div", { className: "drift" }, paragraph("Drifted: " + drift.join(", ")))]),
    ...facts.map((fact) => paragraph(fact)),
    ...(ways.length === 0 ? [] : [element("h3", { textContent: "Demanded on the way" }), ...ways]),
  ];
}

function lists(title, found, none) {
  const head = element("h3", { textContent: title + " (" + found.length + ")" });
  if (found.length === 0) return [head, paragraph(none, "faint")];
  return [head, ...kinds.flatMap((kind, number) => {
    const own = found.filter((node) => nodes[node].kind === number).sort((a, b) => a - b);
    return own.length === 0 ? [] : [element("h4", { textContent: own.length + " " + (own.length === 1 ? kind.one : kind.many) }), listOf(own)];
  })];
}

function listOf(found) {
  const items = found.slice(0, MOST).map((node) => element("li", {}, button(nodes[node].name + (nodes[node].place === "" ? "" : " (" + nodes[node].place + ")"), () => goTo(node))));
  const more = found.length - MOST;
  return element("ul", {}, ...items, ...(more > 0 ? [element("li", { textContent: "and " + more + " more", className: "faint" })] : []));
}

function clear() {
  const key = view.chosenKey;
  view.chosen = [];
  view.chosenKey = "";
  drawAround(key);
  describe();
}

const rowAt = (target) => {
  const made = target.closest(".row");
  return made && rows.find(({ key }) => key === made.dataset.key);
};

sheet.addEventListener("click", (event) => {
  const row = rowAt(event.target);
  if (!row) return;
  if (event.target.closest(".toggle")) toggle(row.unit, row.is === "group");
  else if (row.key === view.chosenKey) clear();
  else choose(row.key, row.nodes);
});

sheet.addEventListener("keydown", (event) => {
  const row = rowAt(event.target);
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  if (row.is !== undefined && (event.key === "+" || event.key === "-")) toggle(row.unit, event.key === "+");
  else {
    const next = nextRow(row, event.key);
    if (!next) return;
    focused = next.key;
    if (next !== row) elements.get(row.key).querySelector("button").tabIndex = -1;
    const made = elements.get(next.key);
    const box = made.querySelector("button");
    box.tabIndex = 0;
    box.focus({ preventScroll: true });
    made.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  event.preventDefault();
});

/** Up and down in the column; right and left along a way, or to the next column. */
function nextRow(row, key) {
  const column = rows.filter(({ x }) => x === row.x).sort((a, b) => a.y - b.y);
  const here = column.indexOf(row);
  if (key === "ArrowDown") return column[here + 1];
  if (key === "ArrowUp") return column[here - 1];
  if (key === "Home") return column[0];
  if (key === "End") return column[column.length - 1];
  if (key !== "ArrowRight" && key !== "ArrowLeft") return undefined;
  const isRight = key === "ArrowRight";
  const isThere = (other) => (isRight ? other.x > row.x : other.x < row.x);
  const linked = row.nodes.flatMap((node) => (isRight ? out : into)[node].map((way) => rowOf[edges[way][isRight ? "to" : "from"]]));
  const near = linked.filter((other) => other && isThere(other));
  const others = near.length > 0 ? near : rows.filter(isThere);
  const distance = (other) => Math.abs(other.x - row.x) * 1000 + Math.abs(other.y - row.y);
  return others.reduce((best, other) => (best === undefined || distance(other) < distance(best) ? other : best), undefined);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && view.chosen.length > 0 && event.target !== search) clear();
});

for (const box of document.querySelectorAll("nav input[type=checkbox]"))
  box.addEventListener("change", () => {
    const { kind, only } = box.dataset;
    if (only !== undefined) view[only] = box.checked;
    else if (box.checked) view.hidden.delete(Number(kind));
    else view.hidden.add(Number(kind));
    drawAround(view.chosenKey);
  });

search.addEventListener("input", () => {
  view.words = search.value.toLowerCase().split(" ").filter(Boolean);
  if (view.words.length === 0) status.textContent = "";
  drawAround(view.chosenKey);
});

for (const [id, by] of [["#larger", 1.2], ["#smaller", 1 / 1.2]]) at(id).addEventListener("click", () => zoom(view.zoom * by));

describe();
status.textContent = "";
draw();
fit();
begin();
`;
