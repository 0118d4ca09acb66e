import { codeBlock, codeSpan, htmlText } from "../changes/markdown";
import { visibleLine } from "../changes/visible-text";
import { linesOf } from "../drift/markdown-report";
import type { DriftReport, ResourceReport, UnmanagedRecord } from "../drift/report";
import { summaryLine } from "../drift/summary";
import { type Block, fitted } from "./fitted";

/** The comment, or the issue, of a drift report, in Markdown. The time is left out: the same drift is the same text. */
export function driftComment(report: DriftReport, marker: string, longest?: number): string {
  const blocks = report.resources
    .filter(({ status }) => status !== "unchanged" && status !== "ignored")
    .map(blockOfResource);
  const unmanaged = (report.unmanaged ?? []).filter(({ ignored }) => ignored === undefined).map(blockOfUnmanaged);
  const unlisted = (report.unlisted ?? []).map(({ path, reason }) =>
    line(`Not listed: ${codeSpan(path)}: ${codeSpan(reason)}`),
  );
  const idle = report.ignoreFile.map(({ resource, why, expires, reason }) =>
    line(
      `Exception of ${codeSpan(resource)} (${codeSpan(reason)}) ${why === "expired" ? `has expired on ${expires}` : "hides nothing"}`,
    ),
  );
  const commands = report.commands?.length ? `**What to run**\n\n${codeBlock(report.commands.join("\n"), "sh")}` : "";
  const head = `**${htmlText(summaryLine(report))}**`;
  return fitted(head, [...blocks, ...unmanaged, ...unlisted, ...idle, line(commands)], marker, longest);
}

function line(text: string): Block {
  return { whole: text, short: text };
}

function blockOfResource({ type, name, id, status, properties, error, writeOnly }: ResourceReport): Block {
  const title = `${status} <code>${htmlText(type)}</code> <code>${htmlText(name)}</code> (<code>${htmlText(id)}</code>)`;
  const values = writeOnly
    .filter(({ verdict }) => verdict === "changed")
    .map(({ property, reason }) => `! ${visibleLine(`${property}: ${reason}`)}`);
  const lines = [
    ...(error === undefined ? [] : [`! ${visibleLine(error)}`]),
    ...properties.filter(({ ignored }) => ignored === undefined).flatMap(linesOf),
    ...values,
  ];
  const short = `* ${status} ${codeSpan(type)} ${codeSpan(name)} (${codeSpan(id)})`;
  if (lines.length === 0) return line(short);
  return {
    whole: `<details><summary>${title}</summary>\n\n${codeBlock(lines.join("\n"), "diff")}\n\n</details>`,
    short,
  };
}

function blockOfUnmanaged({ type, id }: UnmanagedRecord): Block {
  return line(`* unmanaged ${codeSpan(type)} (${codeSpan(id)})`);
}
