import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { ProviderError } from "../../provider/core/errors";
import { plainText } from "../../provider/core/plain-text";
import { kindOfInput, readDocument } from "../io/read-text";
import { say, type Terminal } from "../io/terminal";
import { type KeyTexts, stackConfiguration } from "../stack/stack-configuration";
import type { NamedConnections } from "./connection-flag";
import { type LoginsRead, liveState, type SourceText } from "./live-state";

/** What a command line says of the stack to look at. All of it may be missing. */
export interface NamedStack {
  /** Paths of files; `-` is the standard input. */
  readonly file?: string | undefined;
  readonly state?: string | undefined;
  readonly preview?: string | undefined;
  /** True for the selected stack. */
  readonly stack?: string | true | undefined;
  readonly cwd?: string | undefined;
  /** What servers have, in place of a stack. */
  readonly live?: boolean | undefined;
  readonly connection?: NamedConnections | undefined;
}

/** How a command takes its stack. */
export interface StackReading {
  /** What a pipe with nothing in it means. */
  readonly emptyPipe: "refused" | "selected stack" | "no stack";
  /** Whether it can be servers in place of a stack. */
  readonly live?: boolean;
  /** Have Pulumi decrypt the secrets, for comparison in memory. */
  readonly decrypt?: boolean;
  /** Whether the stack's configuration is needed, which knows the servers. */
  readonly configured?: boolean;
  /** Of servers: what becomes of other logins. */
  readonly others?: LoginsRead;
  /** The standard input is for something else. */
  readonly isInputTaken?: boolean;
}

/** The text of a state or a preview, and what is known beside it. */
export interface StackSource extends SourceText {
  /** It was named as a preview, and a state will not do. */
  readonly isPreview: boolean;
  readonly isLive?: boolean;
  /** Of a stack that the CLI exports. */
  readonly configuration: KeyTexts | undefined;
  /** Why the configuration of a stack could not be read. */
  readonly unread?: string;
}

/** The stack that the command line names. @throws InputError where it cannot be read, or where nothing came of what should have come. */
export async function stackSource(named: NamedStack, terminal: Terminal, how: StackReading): Promise<StackSource> {
  return (await namedSource(named, terminal, how)) ?? exported(named, how);
}

/** The same; undefined where the command line names none, and nothing comes on the standard input. */
export async function namedSource(
  named: NamedStack,
  terminal: Terminal,
  { emptyPipe, others = "counted", isInputTaken = false, ...how }: StackReading,
): Promise<StackSource | undefined> {
  const { live, stack, cwd, connection } = named;
  const path = pathIn(named);
  if (live) return { ...PLAIN, isLive: true, ...(await liveState(terminal, others, connection)) };
  if (how.live && connection !== undefined) throw new ProviderError("ConfigError", "--connection needs --live.");
  if (path !== undefined) {
    const document = await readDocument(path, terminal);
    if (document.trim() === "") throw nothingIn(path === "-" ? "the standard input" : `the file ${path}`);
    return { ...PLAIN, text: document, isPreview: named.preview !== undefined };
  }
  if (stack !== undefined) return exported(named, how);
  if (isInputTaken || cwd !== undefined) return undefined;
  const kind = kindOfInput(terminal);
  if (kind === "terminal" || kind === "nothing" || (kind === "socket" && emptyPipe !== "refused")) return undefined;
  const piped = await readDocument("-", terminal);
  if (piped.trim() !== "") return { ...PLAIN, text: piped };
  if (emptyPipe === "refused") throw nothingIn("the standard input");
  if (emptyPipe === "selected stack")
    say("nothing came on the standard input, so this is about the selected stack.", terminal);
  return undefined;
}

const PLAIN = { logins: [], notLookedAt: [], isPreview: false, configuration: undefined } as const;

/** The one file that the command line names. */
function pathIn({ file, state, preview, stack, cwd, live }: NamedStack): string | undefined {
  const [flag] = Object.entries({ state, preview, stack, cwd, live }).find(([, value]) => value !== undefined) ?? [];
  if (file !== undefined && flag !== undefined)
    throw new ProviderError("ConfigError", `--${flag} takes no file beside it: leave ${file} out.`);
  return file ?? state ?? preview;
}

function nothingIn(what: string): ProviderError {
  const todo = "give what the commands in --help print, or name a stack with --stack";
  return new ProviderError("InputError", `${what} is empty, and so no state of a stack and no preview: ${todo}.`);
}

type Export = Pick<StackReading, "decrypt" | "configured">;

/** What the Pulumi CLI knows of a stack. It runs no program, and asks no provider. */
async function exported({ stack, cwd }: NamedStack, { decrypt, configured }: Export): Promise<StackSource> {
  const flags = [
    "--non-interactive",
    ...(typeof stack === "string" ? ["--stack", stack] : []),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(decrypt ? ["--show-secrets"] : []),
  ];
  const [state, configuration] = await Promise.all([
    printed(["stack", "export"], flags),
    // Outside a program's folder there is none. The environment or the command line can still name the servers.
    configured && printed(["config", "--json"], flags).then(stackConfiguration, ({ message }: Error) => message),
  ]);
  const source = { ...PLAIN, text: state };
  if (typeof configuration === "string") return { ...source, unread: configuration };
  return configuration ? { ...source, configuration } : source;
}

async function printed(command: readonly string[], flags: readonly string[]): Promise<string> {
  const child = spawn("pulumi", [...command, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]).catch(() => {
    throw new ProviderError(
      "ConfigError",
      "the state cannot be read: there is no `pulumi` in PATH. Install it, or give an export, or a state of Terraform, with --state.",
    );
  });
  if (code === 0) return out;
  const what = command[0] === "config" ? "stack's configuration" : "state";
  throw new ProviderError("ConfigError", `the ${what} cannot be read: pulumi ${command.join(" ")}: ${plainText(err)}`);
}
