import type { Command } from "commander";
import type { NamedStack } from "../../sources/stack-source";
import { helpText } from "../options/help-text";
import { ignoreOption, maxTtlOption } from "../options/parsed-options";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane map`, as commander gives it. */
export interface MapFlags extends NamedStack {
  readonly drift?: string;
  readonly ignore?: string;
  /** In seconds. */
  readonly maxTtl: number;
  readonly only: readonly string[];
  /** A file, or true for the standard output. */
  readonly html?: string | true;
  readonly mermaid?: string | true;
  readonly json?: string | true;
}

/** `trustplane map`, with its flags. */
export function addMap(program: Command, run: (flags: MapFlags) => Promise<void>): void {
  const command = program
    .command("map")
    .summary("draw who can reach what")
    .description(
      "Draw the trust that a stack or a preview wants: issuers, auth methods, roles, groups, policies, paths, cloud roles, peers and services. Works offline: no program is run, and no server is asked without --live.",
    )
    .action((file: string | undefined, flags: MapFlags) => run({ ...flags, file }));
  addStackOptions(command, "map")
    .option("--html [file]", "the map as one page to look at, with a search and filters; written to this file")
    .option(
      "--mermaid [file]",
      "the map as a Mermaid flowchart, for Markdown; alike records are one box; written to this file",
    )
    .option(
      "--json [file]",
      "the map for programs (schema: docs/trust-map.schema.json in the package); written to this file",
    )
    .option(
      "--only <pattern>",
      "only this, what reaches it and what it reaches; * stands for any characters; repeatable",
      (pattern: string, before: readonly string[]) => [...before, pattern],
      [] as readonly string[],
    )
    .option("--drift <file>", "report of trustplane drift --json: what differs is marked")
    .addOption(ignoreOption())
    .addOption(maxTtlOption())
    .addHelpText("after", helpText("map", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
The file after --html, --mermaid or --json is where that map goes; without one it goes to the standard output. The input is the
file that stands alone, before the options: trustplane map stack.json --mermaid map.mmd
Without a format, the counts are printed.
Records that trustplane lint would note are marked; --ignore and --max-ttl are those of trustplane lint.
`;

const EXAMPLES = [
  "trustplane map --html map.html",
  "pulumi preview --json --show-sames | trustplane map --mermaid --only 'auth/jobs/role/deploy'",
  "trustplane map --live --html map.html",
  "trustplane drift --json drift.json; trustplane map --drift drift.json --html map.html",
];
