import { type Command, Option } from "commander";
import { connectionOption } from "../../sources/connection-flag";
import { COMMANDS, type CommandInput, type CommandName, type CommandRow } from "./commands";

/** The flags of a command that cannot stand beside `--state`, by commander's names. */
interface StackOptions {
  readonly besideNoState?: readonly string[];
}

/** Adds what tells a command at which stack to look. The file is the last of its arguments. */
export function addStackOptions(
  command: Command,
  name: CommandName,
  { besideNoState = [] }: StackOptions = {},
): Command {
  const { input, only }: CommandRow = COMMANDS[name];
  if (input === undefined) return command;
  const { takes, emptyPipe, live = false }: CommandInput = input;
  const when = only === undefined ? "" : `with ${only}: `;
  command.argument("[file]", `${when}${takes}; - is the standard input`);
  const preview = new Option("--preview <file>", `${when}${PREVIEW}`);
  if (takes === "a preview or a drift report") return command.addOption(preview);
  const servers = live ? ["live"] : [];
  const previews = takes === "a state or a preview" ? ["preview"] : [];
  command
    .option(`--stack ${emptyPipe === "no stack" ? "[name]" : "<name>"}`, `${when}the stack (default: the selected one)`)
    .option("--cwd <folder>", `${when}folder of the Pulumi program (default: this one)`)
    .addOption(
      new Option("--state <file>", `${when}${STATE}`).conflicts([
        ...["stack", "cwd", ...previews, ...servers, ...besideNoState],
      ]),
    );
  if (previews.length > 0) command.addOption(preview.conflicts(["stack", "cwd", ...servers]));
  if (!live) return command;
  return command
    .addOption(new Option("--live", LIVE).conflicts(["stack", "cwd"]))
    .addOption(connectionOption("with --live: address and credentials of a server; repeatable; see below"));
}

const STATE =
  "a state instead of a stack, as `pulumi stack export` or `terraform state pull` prints it; - is the standard input";
const PREVIEW =
  "what `pulumi preview --json --show-sames`, --event-log or `terraform show -json` of a plan wrote, also of a stack that is not there yet; - is the standard input";
const LIVE = "instead of a stack: what the servers have that VAULT_ADDR and CONSUL_HTTP_ADDR name; they are only read";
