import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { ProviderError } from "../../provider/core/errors";
import { plainText } from "../../provider/core/plain-text";
import { readDocument } from "../io/json-document";
import { type KeyTexts, stackConfiguration } from "../stack/stack-configuration";

/** Where the state comes from: a file, `-` for the standard input, or the CLI's export of a stack. */
export interface StateSource {
  readonly state?: string | undefined;
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
  /** Have Pulumi decrypt the secrets, for comparison in memory. */
  readonly decrypt: boolean;
}

/** A state, with the stack's configuration when the state comes from the CLI. */
export interface StackSource {
  readonly state: string;
  readonly configuration: KeyTexts | undefined;
  /** Why the configuration of a stack could not be read. */
  readonly unread?: string;
}

export async function readState(
  { state, stack, cwd, decrypt }: StateSource,
  input: NodeJS.ReadableStream,
): Promise<StackSource> {
  if (state !== undefined) return { state: await readDocument(state, input), configuration: undefined };
  const flags = [
    "--non-interactive",
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(decrypt ? ["--show-secrets"] : []),
  ];
  const [exported, configured] = await Promise.all([
    printed(["stack", "export"], flags),
    // Outside a program's folder there is none. The environment or the command line can still name the servers.
    printed(["config", "--json"], flags).then(stackConfiguration, ({ message }: Error) => message),
  ]);
  if (typeof configured === "string") return { state: exported, configuration: undefined, unread: configured };
  return { state: exported, configuration: configured };
}

/** What the Pulumi CLI prints. It runs no program, and asks no provider. */
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
