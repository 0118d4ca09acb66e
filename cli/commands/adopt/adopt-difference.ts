import { basename, resolve } from "node:path";
import { ProviderError } from "../../../provider/core/errors";
import { DYNAMIC } from "../../../provider/core/type-token";
import { progressOn } from "../../io/progress";
import { say, type Terminal } from "../../io/terminal";
import { readState } from "../../sources/read-stack";
import { type Found, type FoundRecord, type NotAdopted, titleOf } from "../../sources/servers/found-record";
import { selected } from "../../sources/servers/read-servers";
import { stackSource } from "../../sources/stack-source";
import { isAddress } from "../../stack/address";
import type { StackState } from "../../stack/state";
import { visibleLine } from "../../text/visible-text";
import { COMMANDS } from "../options/commands";
import type { AdoptFlags } from "./adopt-flags";
import { adoptable } from "./adoptable";
import { differenceFiles, differenceSources } from "./difference-files";
import { leftOutLines, unreadLines, writeProject } from "./output-folder";
import { programOf } from "./program";
import { labelsIn, namesIn, stackDifference } from "./stack-difference";

/** Requests at once: those of drift detection. */
const PARALLEL = 16;

/** Prints or writes the code for what the stack does not have yet. Returns the exit code. */
export async function adoptDifference(flags: AdoptFlags, terminal: Terminal): Promise<number> {
  const { connection: named = new Map(), out, language } = flags;
  const source = await stackSource(flags, terminal, { ...COMMANDS.adopt.input, configured: true });
  const stack = readState(source.text);
  if (stack.same.length === 0)
    throw new ProviderError(
      "ConfigError",
      "the stack has no resource of trustplane, so it is not known where to look. Adopt without --diff.",
    );
  const classes = classesOf(stack);
  if (classes === "dynamic" && language !== "typescript")
    throw new ProviderError(
      "ConfigError",
      `the stack is one of the dynamic classes, which --language ${language} has not.`,
    );
  const isTerraform = stack.same.some(({ urn }) => isAddress(urn));
  if (isTerraform !== (language === "hcl"))
    throw new ProviderError(
      "ConfigError",
      isTerraform
        ? "the state is one of Terraform: give --language hcl."
        : "the stack is one of Pulumi, and --language hcl is for Terraform.",
    );
  const { progress, clear } = progressOn(terminal, (done, all) => `compared ${done} of ${all} resources`);
  const warn = (message: string) => {
    clear();
    say(message, terminal);
  };
  const trusted = { env: process.env, stack: source.configuration, named };
  const difference = await stackDifference(stack, { trusted, warn, parallel: PARALLEL, progress }).finally(clear);
  const found = adoptable(withoutWaiting(selected(difference, flags), flags), { classes, language });
  for (const line of unreadLines(found.unread)) say(line, terminal);
  for (const { what, reason } of difference.missing) say(`${visibleLine(what)}: ${reason}`, terminal);
  const exitCode = found.unread.length > 0 ? 1 : 0;
  const isWritten = out !== undefined && found.records.length > 0;
  // What is written has a README that names them.
  if (!isWritten) for (const line of leftOutLines(found.leftOut)) say(line, terminal);
  if (found.records.length === 0) {
    const where = exitCode === 0 ? "the stack's mounts, policy sets and clusters" : "what could be read";
    say(`there is nothing to take over in ${where}. Nothing was written.`, terminal);
    return exitCode;
  }
  const program = programOf(found.records, { taken: namesIn(stack) });
  const project = basename(resolve(out ?? "difference"));
  const options = { ...found, ...flags, classes, project, missing: difference.missing, taken: labelsIn(stack) };
  if (out === undefined) {
    terminal.out(printed(differenceSources(program, options)));
    say(
      `${found.records.length} to take over. With --out, these files are written with README.md, which has the next commands.`,
      terminal,
    );
    return exitCode;
  }
  writeProject(out, differenceFiles(program, options));
  terminal.out(
    `Written to ${visibleLine(out)}: ${found.records.length} to take over. README.md has the next commands.\n`,
  );
  return exitCode;
}

/** What waits for a value is in no stack, and so nothing tells whether the program has it already. */
function withoutWaiting(found: Found, { include }: Pick<AdoptFlags, "include">): Found {
  const [waiting, records] = [found.records.filter(waits), found.records.filter((record) => !waits(record))];
  if (waiting.length === 0 || include.length > 0) return found;
  const leftOut = waiting.map((record): NotAdopted => {
    const title = titleOf(record);
    const todo = `if the program has it behind no condition yet, name it with --include '${title}'`;
    return { what: title, reason: `no server shows its value (${record.hidden[0]?.property}): ${todo}` };
  });
  return { ...found, records, leftOut: [...found.leftOut, ...leftOut] };
}

function waits({ hidden }: FoundRecord): boolean {
  return hidden.length > 0;
}

/** The classes of the stack's program. */
function classesOf({ same }: StackState): AdoptFlags["classes"] {
  return same.some(({ type }) => type.startsWith(DYNAMIC)) ? "dynamic" : "plugin";
}

/** Each file below its name, as a comment of its language. */
function printed(files: Readonly<Record<string, string>>): string {
  return Object.entries(files)
    .filter(([, text]) => text !== "")
    .map(([path, text]) => `${/\.(ts|go)$/.test(path) ? "//" : "#"} ${path}\n${text}`)
    .join("\n");
}
