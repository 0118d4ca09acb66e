/** How the page of a map looks. */
export const MAP_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #14161b); --card: light-dark(#fff, #1f232b); --line: light-dark(#d3d8e0, #3a414e);
  --ink: light-dark(#1c2330, #e4e7ec); --faint: light-dark(#566070, #9aa4b2);
  --way: light-dark(#9aa5b6, #566174); --lit: light-dark(#0b5cad, #74b4f5); --lit-ground: light-dark(#e3effc, #1a3352);
  --flagged: light-dark(#b42318, #ff8a7d); --drifted: light-dark(#8a5a00, #f0b849);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; height: 100vh; display: grid; grid-template: auto auto 1fr / 1fr auto; background: var(--ground); color: var(--ink);
  font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / -1; padding: .7rem 1rem 0; }
h1 { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--faint); }
nav { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .4rem; padding: .6rem 1rem; align-items: center; border-bottom: 1px solid var(--line); }
nav label { border: 1px solid var(--line); border-radius: 999px; padding: .1rem .65rem; background: var(--card); cursor: pointer; white-space: nowrap; }
nav button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; min-width: 2rem; cursor: pointer; }
nav input[type=checkbox] { margin: 0 .25rem 0 0; vertical-align: -.1em; }
nav input[type=search] { flex: 1 1 14rem; max-width: 30rem; font: inherit; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--card); color: inherit; }
.flagged-text { color: var(--flagged); font-weight: 600; } .drifted-text { color: var(--drifted); font-weight: 600; }
main { overflow: auto; position: relative; min-height: 0; }
#sheet { position: relative; margin: 0 1.5rem 2rem 1rem; }
#sheet svg { position: absolute; left: 0; top: 0; pointer-events: none; }
#sheet path { fill: none; stroke: var(--way); stroke-width: 1.2; }
#sheet.chosen #faint { opacity: .3; }
#sheet #lit { stroke: var(--lit); stroke-width: 2; }
#heads { position: sticky; top: 0; height: 2rem; z-index: 3; background: var(--ground); }
#heads span { position: absolute; top: .4rem; font-size: 12px; font-weight: 600; color: var(--faint); white-space: nowrap; }
.row { position: absolute; left: 0; top: 0; }
.bounds { position: absolute; right: 100%; top: 0; bottom: 0; display: flex; align-items: center; justify-content: flex-end; padding-right: 8px; }
.bounds div { font-size: 11px; line-height: 14px; color: var(--faint); overflow-wrap: anywhere; text-align: right; text-wrap: balance;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.bounds span { background: var(--ground); padding: 0 4px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.box { position: absolute; inset: 0; width: 100%; text-align: left; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--tone); border-radius: .35rem; padding: 2px 8px; cursor: pointer; overflow: hidden; }
.box:hover { border-color: var(--lit); border-left-color: var(--tone); }
.box:focus-visible, aside button:focus-visible, nav :focus-visible { outline: 3px solid var(--lit); outline-offset: 1px; }
.box span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.box .kind { font-size: 11px; line-height: 16px; color: var(--faint); }
.box .name { font-size: 13px; line-height: 20px; }
.box.named { border-style: dashed; border-left-style: solid; }
.box b { font-weight: 600; }
.box .flagged { color: var(--flagged); font-weight: 600; display: inline; } .box .drifted { color: var(--drifted); font-weight: 600; display: inline; }
.box.group { box-shadow: 3px 3px 0 -1px var(--card), 3px 3px 0 0 var(--line); }
.box.head { background: transparent; border-style: dotted; border-left-style: solid; box-shadow: none; }
.toggle { position: absolute; right: 2px; top: 0; bottom: 0; width: 26px; display: flex !important; align-items: center; justify-content: center;
  font-size: 15px; color: var(--faint); border-radius: .3rem; }
.toggle:hover { background: var(--lit-ground); color: var(--ink); }
.group .name, .group .kind { margin-right: 22px; }
#sheet.chosen .row:not(.related) { opacity: .32; }
.row.related .box { border-color: var(--lit); border-left-color: var(--tone); }
.row.chosen .box { background: var(--lit-ground); outline: 2px solid var(--lit); outline-offset: -1px; }
.row.match .name { text-decoration: underline 2px var(--lit); text-underline-offset: 3px; }
.k0 { --tone: #7a5af8; } .k1 { --tone: #2e90fa; } .k2 { --tone: #0e9384; } .k3 { --tone: #4ca30d; } .k4 { --tone: #dc6803; } .k5 { --tone: #9e77ed; }
.k6 { --tone: #7a5af8; } .k7 { --tone: #2e90fa; } .k8 { --tone: #667085; } .k9 { --tone: #dd2590; } .k10 { --tone: #0e9384; } .k11 { --tone: #b54708; }
aside { width: 23rem; border-left: 1px solid var(--line); padding: .8rem 1rem 2rem; overflow: auto; background: var(--card); min-height: 0; }
aside h2 { font-size: 1.05rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
aside h3 { font-size: .95rem; margin: 1rem 0 .2rem; } aside h4 { font-size: .8rem; margin: .5rem 0 .1rem; color: var(--faint); font-weight: 600; }
aside p { margin: .25rem 0; overflow-wrap: anywhere; } aside ul { margin: 0; padding: 0; list-style: none; }
aside .faint { color: var(--faint); }
aside li { overflow-wrap: anywhere; }
aside button { font: inherit; color: var(--lit); background: none; border: 0; padding: 0; cursor: pointer; text-align: left; overflow-wrap: anywhere; }
aside button:hover { text-decoration: underline; }
aside .action { border: 1px solid var(--line); border-radius: .35rem; padding: .15rem .6rem; margin: .3rem .3rem .3rem 0; color: inherit; }
aside .note { border-left: 3px solid var(--flagged); padding-left: .6rem; } aside .drift { border-left: 3px solid var(--drifted); padding-left: .6rem; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 60rem) { body { grid-template: auto auto 1fr 40vh / 1fr; } aside { width: auto; border-left: 0; border-top: 1px solid var(--line); } }
@media print { body { display: block; height: auto; } main, aside { overflow: visible; } }
`;
