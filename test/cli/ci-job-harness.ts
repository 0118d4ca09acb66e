import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../tools/steps/repository.mjs";
import { folderOfTest } from "../support/temporary-folder.ts";
import { runScript } from "./ci-action.ts";

export const scriptAt = (name: string) => join(repository, "ci-templates", name);
const path = process.env["PATH"] ?? "";

/** A job with stand-ins for the commands, which write down what they were called with and what they find around them. */
export const openJob = (pulumi = "true", npx = "true") => {
  const home = folderOfTest();
  for (const folder of ["bin", "tmp", "calls", "work"]) mkdirSync(join(home, folder));
  const record = 'name=$(basename "$0"); env -0 >"$CALLS/$name.env"; echo "$*" >>"$CALLS/$name.words"';
  const more: Readonly<Record<string, string>> = {
    pulumi,
    npx: `cp "$TMPDIR"/*/base.yml "$CALLS" 2>/dev/null; ${npx}`,
    npm: "true",
  };
  for (const [name, script] of Object.entries(more)) {
    writeFileSync(join(home, "bin", name), `#!/usr/bin/env bash\n${record}\n${script}\n`);
    chmodSync(join(home, "bin", name), 0o755);
  }
  const work = join(home, "work");
  const env = {
    PATH: `${join(home, "bin")}:${path}`,
    HOME: home,
    TMPDIR: join(home, "tmp"),
    CALLS: join(home, "calls"),
    TRUSTPLANE_STACK: "acme/dev",
  };
  const called = (name: string) => join(home, "calls", name);
  return {
    home,
    work,
    env,
    run: (name: string, variables: Readonly<Record<string, string>> = {}, cwd = work) =>
      runScript(`bash ${scriptAt(name)}`, { cwd, env: { ...env, ...variables } }),
    /** The environment of the last call of a command. */
    envOf: (name: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        readFileSync(called(`${name}.env`), "utf8")
          .split("\0")
          .filter(Boolean)
          .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
      ),
    wordsOf: (name: string) =>
      existsSync(called(`${name}.words`)) ? readFileSync(called(`${name}.words`), "utf8") : "",
    called,
    leftOvers: () => readdirSync(join(home, "tmp")),
  };
};
