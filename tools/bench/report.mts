import { elapsed } from "../steps/elapsed.mjs";
import { type Cell, table } from "./markdown.mts";

/** Everything that a report is made of. */
export interface Report {
  /** What followed `npm run bench --`. */
  readonly args: readonly string[];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly machine: readonly (readonly Cell[])[];
  /** Load of the machine before and after. */
  readonly loads: readonly [before: string, after: string];
  readonly parts: readonly { readonly title: string; readonly text: string }[];
}

/** The report as Markdown. */
export function reportText({ args, startedAt, endedAt, machine, loads: [before, after], parts }: Report): string {
  const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  return [
    "# Benchmarks",
    "",
    `Written by \`${command}\`; do not edit. Every figure was measured in that one run, except where a column says otherwise.`,
    "",
    table(
      ["", ""],
      [
        ["Measured", `${startedAt.toISOString()}, for ${elapsed(endedAt.getTime() - startedAt.getTime())}`],
        ...machine,
        [
          "Load average (1, 5, 15 minutes)",
          `${before} before, ${after} after; above the number of processors it slows every time below`,
        ],
      ],
    ),
    ...parts.flatMap(({ title, text }, index) => ["", `## ${index + 1}. ${title}`, "", text]),
    "",
  ].join("\n");
}
