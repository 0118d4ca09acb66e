import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { oneLine, ProviderError } from "../../provider/core/errors";
import { readText } from "../read-text";

/** Where the state comes from: a file, `-` for the standard input, or the CLI's export of a stack. */
export interface StateSource {
  readonly state?: string | undefined;
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
  /** Have Pulumi decrypt the secrets, for comparison in memory. */
  readonly decrypt: boolean;
}

export async function readState({ state, stack, cwd, decrypt }: StateSource, input: NodeJS.ReadableStream) {
  if (state !== undefined) return readText(state, input);
  return exported([
    "stack",
    "export",
    "--non-interactive",
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(decrypt ? ["--show-secrets"] : []),
  ]);
}

/** What the Pulumi CLI prints. It runs no program, and asks no provider. */
async function exported(args: readonly string[]): Promise<string> {
  const child = spawn("pulumi", args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]).catch(() => {
    throw new ProviderError(
      "ConfigError",
      "the state cannot be had: there is no `pulumi` in PATH. Install it, or give an export with --state.",
    );
  });
  if (code === 0) return out;
  throw new ProviderError("ConfigError", `the state cannot be had: pulumi stack export: ${oneLine(err)}`);
}
