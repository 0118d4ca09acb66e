import type { Command } from "commander";
import type { TrustSource } from "../../sources/source-text";
import { exitCodesHelp } from "../options/exit-codes";
import { ignoreOption, maxTtlOption } from "../options/review-flags";
import { LIVE_SERVERS, liveConnectionOption, liveOption } from "../options/stack-flags";

/** The command line of `trustplane map`, as commander gives it. */
export interface MapFlags extends Omit<TrustSource, "state"> {
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
export function addMap(program: Command, run: (file: string, flags: MapFlags) => Promise<void>): void {
  program
    .command("map")
    .summary("draw who can reach what")
    .description(
      "Draw the trust that a stack or a preview wants: issuers, auth methods, roles, groups, policies, paths, cloud roles, peers and services. Works offline: no program is run, and no server is asked without --live.",
    )
    .argument(
      "[file]",
      "what pulumi preview --json --show-sames, --event-log or pulumi stack export wrote, or a plan or state of Terraform; - is the standard input",
      "-",
    )
    .addOption(liveOption())
    .addOption(liveConnectionOption())
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
    .addHelpText("after", MORE)
    .action(run);
}

const MORE = `
The file after --html, --mermaid or --json is where that map goes; without one it goes to the standard output. The input is the
file that stands alone, before the options: trustplane map stack.json --mermaid map.mmd
Without a format, the counts are printed.
Records that trustplane lint would note are marked; --ignore and --max-ttl are those of trustplane lint.
${LIVE_SERVERS}
${exitCodesHelp("map")}

Examples
  pulumi stack export | trustplane map --html map.html
  pulumi preview --json --show-sames | trustplane map --mermaid --only 'auth/jobs/role/deploy'
  trustplane map --live --html map.html
  trustplane drift --json drift.json; pulumi stack export | trustplane map --drift drift.json --html map.html
`;
