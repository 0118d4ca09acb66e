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
import { processTerminal, say, type Terminal } from "./io/terminal";

/** Runs a command, and answers its exit code: `options/commands.ts`. */
export async function runCommand(words: readonly string[], terminal: Terminal = processTerminal): Promise<number> {
  let exitCode = 0;
  const program = new Command("trustplane")
    .description("Pulumi provider for the trust configuration of a platform, and an embedded server to try it on.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) });
  // The code of a command is loaded only when it runs, so that help and version are fast.
  const run =
    <Words extends unknown[]>(load: () => Promise<(...words: [...Words, Terminal]) => Promise<number>>) =>
    async (...words: Words) => {
      try {
        const command = await load();
        exitCode = await command(...words, terminal);
      } catch (error) {
        say(error instanceof Error ? error.message : String(error), terminal);
        exitCode = 1;
      }
    };
  const explain = () => import("./commands/explain/explain-command.js");
  addServe(
    program,
    run(async () => (await import("./commands/serve/serve-command.js")).serve),
  );
  addDrift(
    program,
    run(async () => (await import("./commands/drift/drift-command.js")).drift),
  );
  addComment(
    program,
    run(async () => (await import("./commands/comment/comment-command.js")).comment),
  );
  addLint(
    program,
    run(async () => (await import("./commands/lint/lint-command.js")).runLint),
  );
  addAdopt(
    program,
    run(async () => (await import("./commands/adopt/adopt-command.js")).adopt),
  );
  addDoctor(
    program,
    run(async () => (await import("./commands/doctor/doctor-command.js")).doctor),
  );
  addPermissions(
    program,
    run(async () => (await import("./commands/permissions/permissions-command.js")).permissions),
  );
  addLogin(
    program,
    run(async () => (await import("./commands/login/login-command.js")).login),
  );
  addMap(
    program,
    run(async () => (await import("./commands/map/map-command.js")).runMap),
  );
  addTest(
    program,
    run(async () => (await import("./commands/test/test-command.js")).runTest),
  );
  addExplain(program, {
    token: run(async () => (await explain()).runExplainToken),
    who: run(async () => (await explain()).runExplainWho),
    role: run(async () => (await explain()).runExplainRole),
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    throw error;
  }
}
