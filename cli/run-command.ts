import { Command, CommanderError } from "commander";
import { addAdopt } from "./commands/adopt/adopt-flags";
import { addComment } from "./commands/comment/comment-flags";
import { addDoctor } from "./commands/doctor/doctor-flags";
import { addDrift } from "./commands/drift/drift-flags";
import { addExplain } from "./commands/explain/explain-flags";
import { addLint } from "./commands/lint/lint-flags";
import { addLogin } from "./commands/login/login-flags";
import { addMap } from "./commands/map/map-flags";
import { addPermissions } from "./commands/permissions/permissions-flags";
import { addServe } from "./commands/serve/serve-flags";
import { addTest } from "./commands/test/test-flags";
import { packageVersion } from "./io/package-manifest";
import { processTerminal, type Terminal } from "./io/terminal";

/** Runs a command, and answers its exit code: `options/commands.ts`. */
export async function runCommand(words: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  let exitCode = 0;
  const program = new Command("trustplane")
    .description("Pulumi provider for the trust configuration of a platform, and an embedded server to try it on.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) });
  // The code of a command is loaded only when it runs, so that help and version are fast.
  addServe(program, async (flags) => {
    const { serve } = await import("./commands/serve/serve-command.js");
    exitCode = await serve(flags, terminal);
  });
  addDrift(program, async (flags) => {
    const { drift } = await import("./commands/drift/drift-command.js");
    exitCode = await drift(flags, terminal);
  });
  addComment(program, async (file, flags) => {
    const { comment } = await import("./commands/comment/comment-command.js");
    exitCode = await comment(file, flags, terminal);
  });
  addLint(program, async (flags) => {
    const { runLint } = await import("./commands/lint/lint-command.js");
    exitCode = await runLint(flags, terminal);
  });
  addAdopt(program, async (flags) => {
    const { adopt } = await import("./commands/adopt/adopt-command.js");
    exitCode = await adopt(flags, terminal);
  });
  addDoctor(program, async (flags) => {
    const { doctor } = await import("./commands/doctor/doctor-command.js");
    exitCode = await doctor(flags, terminal);
  });
  addPermissions(program, async (flags) => {
    const { permissions } = await import("./commands/permissions/permissions-command.js");
    exitCode = await permissions(flags, terminal);
  });
  addLogin(program, async (flags) => {
    const { login } = await import("./commands/login/login-command.js");
    exitCode = await login(flags, terminal);
  });
  addMap(program, async (flags) => {
    const { runMap } = await import("./commands/map/map-command.js");
    exitCode = await runMap(flags, terminal);
  });
  addTest(program, async (tests, flags) => {
    const { runTest } = await import("./commands/test/test-command.js");
    exitCode = await runTest(tests, flags, terminal);
  });
  const explain = async (
    run: (commands: typeof import("./commands/explain/explain-command.js")) => Promise<number>,
  ) => {
    exitCode = await run(await import("./commands/explain/explain-command.js"));
  };
  addExplain(program, {
    token: (flags) => explain(({ runExplainToken }) => runExplainToken(flags, terminal)),
    who: (flags) => explain(({ runExplainWho }) => runExplainWho(flags, terminal)),
    role: (name, flags) => explain(({ runExplainRole }) => runExplainRole(name, flags, terminal)),
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}
