import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { existingPulumiCli } from "../pulumi/ensure-pulumi-cli.mjs";
import { versionOf } from "../pulumi/find-pulumi-cli.mjs";
import { repository } from "../steps/repository.mjs";
import { figure } from "./markdown.mts";
import type { Run } from "./report.mts";

/** What the figures depend on, as rows of a table. */
export function machineRows(): Run {
  const processors = cpus();
  const { command } = existingPulumiCli();
  return [
    ["Processor", `${processors.length} × ${processors[0]?.model.trim() ?? "unknown"}`],
    ["Memory", `${figure(Math.round(totalmem() / 2 ** 30))} GiB`],
    ["System", `${type()} ${release()}`],
    ["Node", process.versions.node],
    ["Pulumi CLI", (command === undefined ? undefined : versionOf(command, process.env)) ?? "none"],
    ["@pulumi/pulumi", versionOfPackage("@pulumi/pulumi")],
    ["Commit", commit()],
  ];
}

/** Other work on the machine, which slows everything measured here; the numbers of 1, 5 and 15 minutes. */
export function loadText(): string {
  return loadavg().map(figure).join(", ");
}

function versionOfPackage(name: string): string {
  const { version }: { version: string } = createRequire(import.meta.url)(`${name}/package.json`);
  return version;
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  try {
    const measured = ["provider", "sdk", "server", "cli", "tools", "package-lock.json"];
    const isChanged = git("status", "--porcelain", "--", ...measured) !== "";
    return `${git("rev-parse", "--short=12", "HEAD")}${isChanged ? " with changes that are not committed" : ""}`;
  } catch {
    return "unknown: not a git checkout";
  }
}
