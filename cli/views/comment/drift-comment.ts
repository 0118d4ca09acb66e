import { alikeResources, foldedDrifts } from "../../facts/drift/alike-drift";
import type { DriftReport, ResourceReport, UnmanagedRecord } from "../../facts/drift/report";
import { failedLists, summaryLine, verbOf } from "../../facts/drift/summary";
import { placedId } from "../../stack/place";
import { type Alike, firstOf } from "../../text/lists";
import { codeBlock, codeSpan, htmlText } from "../../text/markdown";
import { shortLine, visibleLine } from "../../text/visible-text";
import { linesOf, namesOf } from "../drift/markdown-report";
import { type Block, fitted } from "./fitted";
import { trustSection } from "./preview-trust";

/** The comment or issue of a drift report, in Markdown. It has no time, so that the same drift gives the same text. */
export function driftComment(report: DriftReport, marker: string, longest?: number): string {
  const open = report.resources.filter(({ status }) => status !== "unchanged" && status !== "ignored");
  const blocks = alikeResources(open).map(blockOfResources);
  const unmanaged = (report.unmanaged ?? []).filter(({ ignored }) => ignored === undefined).map(blockOfUnmanaged);
  const unlisted = failedLists(report).map((list) =>
    line(`* Not ${verbOf(list)}: ${span(list.path)}: ${span(list.reason)}`),
  );
  const idle = report.ignoreFile.map(({ resource, why, expires, reason }) =>
    line(
      `* Exception of ${span(resource)} (${span(reason)}) ${why === "expired" ? `has expired on ${expires}` : "hides nothing"}`,
    ),
  );
  const commands = report.commands?.length ? [blockOfCommands(report.commands)] : [];
  return fitted({
    first: `**${htmlText(shortLine(summaryLine(report), LONGEST))}**`,
    sections: [trustSection(report.trust ?? [])],
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

function blockOfResources(resources: Alike<ResourceReport>): Block {
  const [first, ...others] = resources;
  const { type, name, status, properties, error, writeOnly } = first;
  const id = placedId(first);
  const html = (text: string) => `<code>${htmlText(shortLine(text, LONGEST))}</code>`;
  const isOne = others.length === 0;
  const title = `${status} ${html(type)}${isOne ? ` ${html(name)} (${html(id)})` : `, ${resources.length} resources`}`;
  const values = writeOnly
    .filter(({ verdict }) => verdict === "changed")
    .map(({ property, reason }) => `! ${visibleLine(`${property}: ${reason}`)}`);
  const lines = [
    ...(error === undefined ? [] : [`! ${visibleLine(error)}`]),
    ...foldedDrifts(properties.filter(({ ignored }) => ignored === undefined)).flatMap(linesOf),
    ...values,
  ];
  const names = firstOf(resources.map((each) => span(each.name)));
  const short = `* ${status} ${span(type)} ${names}${isOne ? ` (${span(id)})` : ""}`;
  if (lines.length === 0) return line(short);
  const named = isOne ? "" : `${namesOf(resources)}\n\n`;
  return {
    whole: `<details><summary>${title}</summary>\n\n${named}${codeBlock(lines.join("\n"), "diff")}\n\n</details>`,
    short,
  };
}

function blockOfUnmanaged({ type, ...record }: UnmanagedRecord): Block {
  return line(`* unmanaged ${span(type)} (${span(placedId(record))})`);
}
