import { codeBlock, codeSpan, htmlText } from "../changes/markdown";
import { shortLine, visibleLine } from "../changes/visible-text";
import { linesOf } from "../drift/markdown-report";
import { placedId } from "../drift/place";
import type { DriftReport, ResourceReport, UnmanagedRecord } from "../drift/report";
import { summaryLine } from "../drift/summary";
import { type Block, fitted } from "./fitted";

/** The comment or issue of a drift report, in Markdown. It has no time, so that the same drift gives the same text. */
export function driftComment(report: DriftReport, marker: string, longest?: number): string {
  const blocks = report.resources
    .filter(({ status }) => status !== "unchanged" && status !== "ignored")
    .map(blockOfResource);
  const unmanaged = (report.unmanaged ?? []).filter(({ ignored }) => ignored === undefined).map(blockOfUnmanaged);
  const unlisted = (report.unlisted ?? []).map(({ path, reason }) =>
    line(`* Not listed: ${span(path)}: ${span(reason)}`),
  );
  const idle = report.ignoreFile.map(({ resource, why, expires, reason }) =>
    line(
      `* Exception of ${span(resource)} (${span(reason)}) ${why === "expired" ? `has expired on ${expires}` : "hides nothing"}`,
    ),
  );
  const commands = report.commands?.length ? [blockOfCommands(report.commands)] : [];
  return fitted({
    first: `**${htmlText(shortLine(summaryLine(report), LONGEST))}**`,
    blocks: [...blocks, ...unmanaged, ...unlisted, ...idle, ...commands],
    tail: marker,
    longest,
  });
}

/** Longer names and reasons are cut; the output of the job has them whole. */
const LONGEST = 300;

function span(text: string): string {
  return codeSpan(shortLine(text, LONGEST));
}

function line(text: string): Block {
  return { whole: text, short: text };
}

function blockOfCommands(commands: readonly string[]): Block {
  return {
    whole: `**What to run**\n\n${codeBlock(commands.join("\n"), "sh")}`,
    short: "The commands to run are in the output of the job.",
  };
}

function blockOfResource(resource: ResourceReport): Block {
  const { type, name, status, properties, error, writeOnly } = resource;
  const id = placedId(resource);
  const html = (text: string) => `<code>${htmlText(shortLine(text, LONGEST))}</code>`;
  const title = `${status} ${html(type)} ${html(name)} (${html(id)})`;
  const values = writeOnly
    .filter(({ verdict }) => verdict === "changed")
    .map(({ property, reason }) => `! ${visibleLine(`${property}: ${reason}`)}`);
  const lines = [
    ...(error === undefined ? [] : [`! ${visibleLine(error)}`]),
    ...properties.filter(({ ignored }) => ignored === undefined).flatMap(linesOf),
    ...values,
  ];
  const short = `* ${status} ${span(type)} ${span(name)} (${span(id)})`;
  if (lines.length === 0) return line(short);
  return {
    whole: `<details><summary>${title}</summary>\n\n${codeBlock(lines.join("\n"), "diff")}\n\n</details>`,
    short,
  };
}

function blockOfUnmanaged({ type, ...record }: UnmanagedRecord): Block {
  return line(`* unmanaged ${span(type)} (${span(placedId(record))})`);
}
