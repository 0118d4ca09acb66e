// @ts-check
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onInterrupt } from "../steps/interrupt.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { StepError } from "../steps/step-error.mjs";
import { pinnedVersion } from "./cli-version.mjs";
import { pinnedCli, versionOf, which } from "./find-pulumi-cli.mjs";

const modules = ["github.com/pulumi/pulumi/pkg/v3", "github.com/pulumi/pulumi/sdk/v3"];

/**
 * Builds the CLI from its Go modules into the versions folder: five minutes on two cores the first time, seconds once Go's
 * build cache is warm. The binary is renamed into place when it is whole and answers, so neither an interrupted build nor
 * two at the same time can leave a broken one.
 * @param {{ env: NodeJS.ProcessEnv, onLine?: (line: string) => void }} options
 */
export async function buildPulumiCli({ env, onLine }) {
  const go = which("go", env);
  if (!go) throw new StepError("there is no go on PATH");
  const command = pinnedCli(env);
  mkdirSync(dirname(command), { recursive: true });
  const unfinished = join(dirname(command), `.building-${randomUUID()}`);
  const module = mkdtempSync(join(tmpdir(), "trustplane-pulumi-cli-"));
  const clean = () => {
    rmSync(module, { recursive: true, force: true });
    rmSync(unfinished, { force: true });
  };
  const release = onInterrupt(clean);
  try {
    writeModule(module);
    const linkerFlags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinnedVersion}`;
    const main = `${modules[0]}/cmd/pulumi`;
    await runTool(go, ["build", "-v", "-trimpath", "-ldflags", linkerFlags, "-o", unfinished, main], {
      cwd: module,
      // Its own scratch folder lies in ours, because go leaves it behind when it is ended.
      env: { ...env, GOFLAGS: "-mod=mod", GOWORK: "off", GOTMPDIR: module },
      ...(onLine ? { onLine } : {}),
    });
    const version = versionOf(unfinished, env);
    if (version !== pinnedVersion)
      throw new StepError(`the built CLI says that it is "${version}", not ${pinnedVersion}`);
    renameSync(unfinished, command);
    return command;
  } finally {
    release();
    clean();
  }
}

/**
 * `go install …@version` refuses a module whose go.mod holds replace directives, so the CLI becomes a dependency of a module
 * of our own. The modules are named outright: `go get` of the package would ask the proxy for paths that are no modules.
 * @param {string} folder
 */
function writeModule(folder) {
  const requirements = modules.map((path) => `require ${path} v${pinnedVersion}`);
  writeFileSync(join(folder, "go.mod"), ["module pulumi-cli", "go 1.26", ...requirements, ""].join("\n"));
  writeFileSync(
    join(folder, "tools.go"),
    ["//go:build tools", "", "package tools", "", `import _ "${modules[0]}/cmd/pulumi"`, ""].join("\n"),
  );
}
