/** How the page of a drift report looks. */
export const DRIFT_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fafafa, #16181d); --card: light-dark(#fff, #1f232b); --line: light-dark(#d9dce1, #373d49);
  --ink: light-dark(#1c2330, #e4e7ec); --faint: light-dark(#5b6472, #9aa4b2);
  --changed: light-dark(#8a5a00, #f0b849); --missing: light-dark(#b42318, #ff8a7d); --unknown: light-dark(#8021a8, #d49bf0);
  --unmanaged: light-dark(#0b5cad, #74b4f5); --ignored: var(--faint); --unchanged: light-dark(#1d6f42, #6fd19b);
  --before: light-dark(#fdecea, #46211e); --after: light-dark(#e7f5ec, #17392a);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.35rem; margin: 0 0 .25rem; }
header p { margin: 0; color: var(--faint); }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.25rem 0; align-items: center; }
nav label { border: 1px solid var(--line); border-radius: 999px; padding: .2rem .8rem; background: var(--card); cursor: pointer; }
nav input[type=search] { flex: 1 1 14rem; font: inherit; padding: .35rem .7rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--card); color: inherit; }
article { border: 1px solid var(--line); border-left: .3rem solid var(--tone); border-radius: .4rem; background: var(--card);
  margin: .7rem 0; padding: .7rem 1rem; overflow-x: auto; }
article h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
article p { margin: .2rem 0 0; color: var(--faint); overflow-wrap: anywhere; }
.status { color: var(--tone); font-weight: 600; }
.changed { --tone: var(--changed); } .missing { --tone: var(--missing); } .unknown { --tone: var(--unknown); }
.unmanaged { --tone: var(--unmanaged); } .ignored { --tone: var(--ignored); } .unchanged { --tone: var(--unchanged); }
table { border-collapse: collapse; width: 100%; margin-top: .6rem; font-size: .92em; }
th { text-align: left; font-weight: 600; color: var(--faint); padding: .15rem .6rem .15rem 0; }
td { vertical-align: top; padding: .2rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
td:first-child { padding-left: 0; white-space: nowrap; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; }
.expected { background: var(--after); } .actual { background: var(--before); }
.trust .opens, .trust .gains { color: var(--missing); } .trust .unclear { color: var(--unknown); }
tr.off { opacity: .6; }
[hidden] { display: none; }
`;

/** The filter. Where no scripts run, the page shows everything. */
export const DRIFT_SCRIPT = `
const boxes = [...document.querySelectorAll("nav input[type=checkbox]")];
const search = document.querySelector("nav input[type=search]");
const cards = [...document.querySelectorAll("article")];
const none = document.querySelector("#none");
function filter() {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const card of cards) {
    const text = card.textContent.toLowerCase();
    card.hidden = !shown.has(card.dataset.status) || !words.every((word) => text.includes(word));
  }
  none.hidden = cards.some((card) => !card.hidden);
}
for (const box of boxes) box.addEventListener("change", filter);
search.addEventListener("input", filter);
filter();
`;
