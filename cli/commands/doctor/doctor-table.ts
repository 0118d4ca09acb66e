import { styleText } from "node:util";
import type { Terminal } from "../../io/terminal";
import { visibleLine } from "../../text/visible-text";
import type { Check, ConnectionReport, DoctorReport } from "./report";

const STYLES = { ok: "green", warning: "yellow", failed: "red", "not asked": "gray" } as const satisfies Record<
  Check["status"],
  Parameters<typeof styleText>[0]
>;

/** The report for a person: a block for each connection, a line for each check, and under it what to change. */
export function doctorTable(report: DoctorReport, { hasColours }: Pick<Terminal, "hasColours">): string {
  const paint = (status: Check["status"], text: string) =>
    hasColours ? styleText(STYLES[status], text, { validateStream: false }) : text;
  const blocks = report.connections.map((connection) => {
    const title = [connection.name, connection.address].filter(Boolean).join("  ");
    const lines = shown(connection).flatMap(({ check, resource, status, finding, fix }) => {
      const subject = resource === undefined ? "" : `${resource}: `;
      const line = `  ${status.padEnd(STATUS)}  ${check.padEnd(CHECK)}  ${visibleLine(subject + finding)}`;
      const todo = `  ${"".padEnd(STATUS)}  ${"".padEnd(CHECK)}  fix: ${visibleLine(fix ?? "")}`;
      return fix === undefined ? [paint(status, line)] : [paint(status, line), paint(status, todo)];
    });
    return [visibleLine(title), ...lines].join("\n");
  });
  return `${[...blocks, summary(report)].join("\n\n")}\n`;
}

const STATUS = "not asked".length;
const CHECK = "namespace".length;

/** Resources that are fine are counted in one line, and what was not asked after a failure is left out. */
function shown({ checks: all }: ConnectionReport): readonly Check[] {
  const last = all.findLastIndex(({ status }) => status !== "not asked");
  const checks = all.slice(0, last + 1);
  const isBrief = ({ check, status }: Check) => check === "resource" && (status === "ok" || status === "not asked");
  const groups = Map.groupBy(checks.filter(isBrief), ({ status, finding }) => `${status} ${finding}`);
  const brief = [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    const { resource: _, ...counted } = first;
    return [{ ...counted, finding: `${same.length} resources: ${first.finding}` }];
  });
  return [...checks.filter((check) => !isBrief(check)), ...brief];
}

function summary({ connections }: DoctorReport): string {
  const all = connections.flatMap(({ checks }) => checks);
  const count = (status: Check["status"]) => all.filter((check) => check.status === status).length;
  const warnings = count("warning");
  return `${count("failed")} failed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}, ${count("ok")} ok`;
}
