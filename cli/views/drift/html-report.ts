import { alikeResources, type FoldedDrift, firstNames, foldedDrifts } from "../../facts/drift/alike-drift";
import type { DriftReport, IgnoredBecause, ResourceReport, WriteOnlyValue } from "../../facts/drift/report";
import { shownChanges } from "../../facts/drift/shown-changes";
import { failedLists, summaryLine, verbOf } from "../../facts/drift/summary";
import { trustLine } from "../../facts/trust/trust-change";
import { placedId } from "../../stack/place";
import type { Alike } from "../../text/lists";
import { htmlText, sentenceHtml } from "../../text/markdown";
import { htmlPage } from "../html-page";
import { DRIFT_SCRIPT, DRIFT_STYLE } from "./html-parts";

type Status = ResourceReport["status"] | "unmanaged";

/** In the order in which they are shown: the most important first. */
const STATUSES: Readonly<Record<Status, string>> = {
  unknown: "could not tell",
  missing: "missing",
  changed: "changed",
  unmanaged: "unmanaged",
  ignored: "ignored",
  unchanged: "unchanged",
};

/** The report as one page, to look at and to keep. */
export function htmlReport(report: DriftReport): string {
  const cards = cardsOf(report);
  const counted = Object.entries(STATUSES).map(([status, words]) => {
    const shown = cards.reduce((sum, card) => sum + (card.status === status ? (card.count ?? 1) : 0), 0);
    // Unchanged resources are listed only for the values that are never shown, so they are hidden at first.
    const count = status === "unchanged" ? report.counts.unchanged : shown;
    const checked = status === "unchanged" ? "" : " checked";
    const box = `<input type="checkbox" value="${status}"${checked}>`;
    return count === 0 ? "" : `<label class="${status}">${box} <span class="status">${count} ${words}</span></label>`;
  });
  const order = Object.keys(STATUSES);
  const sorted = [...cards].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  const body = [
    `<header><h1>${htmlText(summaryLine(report))}</h1><p>Asked at ${htmlText(report.checkedAt)} by trustplane drift</p></header>`,
    ...trustList(report),
    `<nav>${counted.join("")}<input type="search" placeholder="Filter by name, property or value" aria-label="Filter"></nav>`,
    ...sorted.map(({ status, html }) => `<article class="${status}" data-status="${status}">${html}</article>`),
    `<p id="none" hidden>Nothing to show.</p>`,
    ...idleEntries(report),
    ...(report.commands ?? []).map((command) => `<pre>${command.split("\n").map(htmlText).join("\n")}</pre>`),
  ];
  const title = `Drift${report.stack === undefined ? "" : ` of ${report.stack}`}`;
  return htmlPage({ title, body: body.join("\n"), style: DRIFT_STYLE, script: DRIFT_SCRIPT });
}

function trustList({ trust = [] }: DriftReport): string[] {
  const items = trust.map((change) => `<li class="${change.effect}">${sentenceHtml(trustLine(change))}</li>`);
  return items.length === 0 ? [] : [`<ul class="trust">${items.join("")}</ul>`];
}

interface Card {
  readonly status: Status;
  /** How many records it is about. */
  readonly count?: number;
  readonly html: string;
}

function cardsOf(report: DriftReport): Card[] {
  const { resources, unmanaged = [] } = report;
  return [
    ...alikeResources(resources).map((each) => ({
      status: each[0].status,
      count: each.length,
      html: resourceCard(each),
    })),
    ...failedLists(report).map((list) => {
      const html = `${title("unknown", "", list.path)}${paragraph(`could not be ${verbOf(list)}: ${list.reason}`)}`;
      return { status: "unknown" as const, html };
    }),
    ...unmanaged.map(({ type, connection, ignored, ...record }) => {
      const status = ignored ? ("ignored" as const) : ("unmanaged" as const);
      const notes = [connection && `connection ${connection}`, "not in the state", becauseText(ignored)];
      return {
        status,
        html: `${title(status, type, placedId(record))}${paragraph(notes.filter(Boolean).join(" · "))}`,
      };
    }),
  ];
}

function resourceCard(resources: Alike<ResourceReport>): string {
  const [first, ...others] = resources;
  const { status, type, error, properties, writeOnly } = first;
  const all = resources.map((each) => `<li><code>${htmlText(each.name)}</code> ${htmlText(aboutText(each))}</li>`);
  const list = `<details><summary>${resources.length} resources</summary><ul>${all.join("")}</ul></details>`;
  return [
    title(status, type, firstNames(resources)),
    others.length === 0 ? paragraph(aboutText(first)) : list,
    error === undefined ? "" : paragraph(error),
    properties.length === 0
      ? ""
      : rows(["property", "expected", "on the server"], foldedDrifts(properties).flatMap(propertyRows)),
    writeOnly.length === 0 ? "" : rows(["never shown", "", ""], writeOnly.map(writeOnlyRow)),
  ].join("");
}

function aboutText(resource: ResourceReport): string {
  const { connection, ignored, declaredAt } = resource;
  const source = declaredAt && `${declaredAt.file}:${declaredAt.line}`;
  return [placedId(resource), connection && `connection ${connection}`, source, becauseText(ignored)]
    .filter(Boolean)
    .join(" · ");
}

function title(status: Status, type: string, name: string): string {
  return `<h2><span class="status">${STATUSES[status]}</span> ${htmlText(type)} <code>${htmlText(name)}</code></h2>`;
}

function paragraph(text: string): string {
  return `<p>${htmlText(text)}</p>`;
}

function rows(header: readonly string[], body: readonly string[]): string {
  const cells = header.map((text) => `<th scope="col">${text}</th>`).join("");
  return `<table><thead><tr>${cells}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function propertyRows(drift: FoldedDrift): string[] {
  const { ignored, replaces } = drift;
  const note = [replaces ? "the repair replaces the record" : "", becauseText(ignored)].filter(Boolean).join(" · ");
  return shownChanges(drift).map(({ path, expected, actual }) => {
    const cells = [
      `<td><code>${htmlText(path)}</code>${note === "" ? "" : `<br>${htmlText(note)}`}</td>`,
      `<td class="expected"><code>${htmlText(expected)}</code></td>`,
      `<td class="actual"><code>${htmlText(actual)}</code></td>`,
    ];
    return `<tr${ignored ? ' class="off"' : ""}>${cells.join("")}</tr>`;
  });
}

function writeOnlyRow({ property, verdict, reason, fingerprint }: WriteOnlyValue): string {
  const taken = fingerprint === undefined ? "" : ` (fingerprint ${fingerprint})`;
  return `<tr><td><code>${htmlText(property)}</code></td><td>${verdict}</td><td>${htmlText(reason + taken)}</td></tr>`;
}

function becauseText(ignored: IgnoredBecause | undefined): string {
  if (!ignored) return "";
  return `ignored: ${ignored.reason}${ignored.expires === undefined ? "" : `, until ${ignored.expires}`}`;
}

function idleEntries({ ignoreFile }: DriftReport): string[] {
  if (ignoreFile.length === 0) return [];
  const body = ignoreFile.map(({ resource, property = "", reason, expires, why }) => {
    const what = `<code>${htmlText(`${resource} ${property}`.trim())}</code>`;
    return `<tr><td>${what}</td><td>${why}</td><td>${htmlText(`${reason}, until ${expires}`)}</td></tr>`;
  });
  return [`<h2>Idle entries of the ignore file</h2>${rows(["entry", "why", "reason"], body)}`];
}
