import { styleText } from "node:util";
import { alikeResources, type FoldedDrift, firstNames, foldedDrifts } from "../../facts/drift/alike-drift";
import type { DriftReport, IgnoredBecause, ResourceReport } from "../../facts/drift/report";
import { shownChanges } from "../../facts/drift/shown-changes";
import { failedLists, summaryLine } from "../../facts/drift/summary";
import { trustLine } from "../../facts/trust/trust-change";
import type { Terminal } from "../../io/terminal";
import { placedId } from "../../stack/place";
import type { Alike } from "../../text/lists";
import { visibleLine, visibleText } from "../../text/visible-text";

type Style = Parameters<typeof styleText>[0];
interface Line {
  readonly cells: readonly string[];
  readonly style?: Style;
}

/** The report for a person: a table of what differs, what could not be read, and what is not verified. */
export function terminalReport(report: DriftReport, { columns, hasColours }: Pick<Terminal, "columns" | "hasColours">) {
  const paint = (style: Style, text: string) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
  const lines = [...alikeResources(report.resources).flatMap(linesOf), ...extraLines(report)];
  const title = paint("bold", visibleLine(summaryLine(report)));
  const rows = table(lines, columns).map((text, index) => {
    const style = lines[index]?.style;
    return style === undefined ? text : paint(style, text);
  });
  const notes = notesOf(report).map((note) => paint("yellow", visibleLine(note)));
  const commands = (report.commands ?? []).map((command) => `\n${visibleText(command)}`);
  const meaning = (report.trust ?? []).map((change) => paint(TONES[change.effect], visibleLine(trustLine(change))));
  return `${[title, ...(meaning.length > 0 ? ["", ...meaning] : []), ...(rows.length > 0 ? ["", ...rows] : []), ...(notes.length > 0 ? ["", ...notes] : []), ...commands].join("\n")}\n`;
}

const STYLES: Readonly<Record<ResourceReport["status"], Style>> = {
  changed: "yellow",
  missing: "red",
  unknown: "magenta",
  ignored: "gray",
  unchanged: "gray",
};

const TONES = { opens: "red", gains: "red", unclear: "magenta", loses: "yellow" } as const;

function linesOf(resources: Alike<ResourceReport>): Line[] {
  const [resource] = resources;
  const { status, type, properties, error, ignored } = resource;
  const title = `${type} ${firstNames(resources)}`;
  const style = STYLES[status];
  if (status === "unknown") return [{ cells: ["could not tell", title, error ?? ""], style }];
  if (status === "missing") return [{ cells: ["missing", title, placedId(resource)], style }];
  if (ignored) return [{ cells: ["ignored", title, `missing; ${because(ignored)}`], style }];
  return [
    ...foldedDrifts(properties).flatMap((drift) => propertyLines(title, drift)),
    ...writeOnlyLines(title, resource),
  ];
}

function propertyLines(title: string, drift: FoldedDrift): Line[] {
  const { ignored, replaces } = drift;
  const note = `${replaces ? " (replaces)" : ""}${ignored ? `; ${because(ignored)}` : ""}`;
  const status = ignored ? "ignored" : "changed";
  return shownChanges(drift).map(({ path, expected, actual }) => {
    return { cells: [status, title, `${path}: ${expected} → ${actual}${note}`], style: STYLES[status] };
  });
}

function writeOnlyLines(title: string, { writeOnly }: ResourceReport): Line[] {
  return writeOnly.map(({ property, verdict, reason }) => ({
    cells: [verdict, title, `${property}: ${reason}`],
    style: verdict === "changed" ? STYLES.changed : "gray",
  }));
}

function because({ reason, expires }: IgnoredBecause): string {
  return expires === undefined ? reason : `${reason}, until ${expires}`;
}

function extraLines(report: DriftReport): Line[] {
  const { unmanaged = [] } = report;
  return [
    ...unmanaged.map(({ type, ignored, ...record }): Line => {
      const id = placedId(record);
      return ignored
        ? { cells: ["ignored", type, `${id} is not in the state; ${because(ignored)}`], style: "gray" }
        : { cells: ["unmanaged", type, id], style: "cyan" };
    }),
    ...failedLists(report).map(({ path, reason, single }): Line => {
      return { cells: ["could not tell", single ? "a record" : "a list", `${path}: ${reason}`], style: STYLES.unknown };
    }),
  ];
}

function notesOf({ ignoreFile }: DriftReport): string[] {
  return ignoreFile.map(({ resource, property, reason, expires, why }) => {
    const what = `ignore file: ${resource}${property === undefined ? "" : ` ${property}`} (${reason})`;
    return why === "expired" ? `${what} expired on ${expires} and counts again` : `${what} hides nothing; remove it`;
  });
}

/** Each column is as wide as its widest cell. The last one is wrapped at the edge of the terminal. */
function table(lines: readonly Line[], columns: number | undefined): string[] {
  const rows = lines.map(({ cells }) => cells.map(visibleLine));
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((cells) => (cells[column] ?? "").length)));
  const indent = widths.reduce((sum, width) => sum + width + GAP.length, 0);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns - indent, NARROWEST);
  return rows.map((cells) => {
    const [status = "", title = "", detail = ""] = cells;
    const start = status.padEnd(widths[0] ?? 0) + GAP + title.padEnd(widths[1] ?? 0) + GAP;
    const parts = Array.from({ length: Math.max(1, Math.ceil(detail.length / room)) }, (_, part) =>
      room === Number.POSITIVE_INFINITY ? detail : detail.slice(part * room, (part + 1) * room),
    );
    return start + parts.join(`\n${" ".repeat(indent)}`);
  });
}

const GAP = "  ";
/** A narrower column cannot be read. */
const NARROWEST = 30;
