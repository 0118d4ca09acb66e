import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";

type Environment = Readonly<Record<string, string | undefined>>;

let isSaid = false;

/** Says once what is to be done where Pulumi will not find the plugin: its own error names a repository that is not there. */
export function sayWithoutPlugin(): void {
  if (isSaid) return;
  isSaid = true;
  // Programs of tests, and SDKs before it was there, do not say where their project is.
  const root = (pulumi as { getRootDirectory?: () => string }).getRootDirectory?.() ?? "";
  const notice = root === "" ? undefined : noticeWithoutPlugin(root, process.env);
  if (notice !== undefined) void pulumi.log.warn(notice);
}

/** What to do where neither the project in this folder nor the machine names the plugin; undefined where one does, or may do so. */
export function noticeWithoutPlugin(root: string, env: Environment): string | undefined {
  try {
    return noticeOf(root, env);
  } catch {
    // What cannot be read may name it, and a notice stops no program.
    return undefined;
  }
}

function noticeOf(root: string, env: Environment): string | undefined {
  const project = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(root, name)).find(existsSync);
  if (project === undefined || isNamed(readFileSync(project, "utf8")) || isOnMachine(env)) return undefined;
  const lines = "plugins: { providers: [{ name: trustplane, path: node_modules/trustplane/bin }] }";
  return `trustplane/native needs the plugin, which ${project} does not name, so Pulumi will look for it on GitHub and not find it. Add this line to the file: ${lines}`;
}

/** Pulumi's file may have it under `plugins` or, as a package, under `packages`, and may be a single line. */
function isNamed(project: string): boolean {
  const [, ...named] = project.split(/(?:^|[{,])\s*["']?(?:plugins|packages)["']?\s*:/m);
  return named.some((text) => /\btrustplane\b/.test(text));
}

function isOnMachine(env: Environment): boolean {
  if (env["PULUMI_DEBUG_PROVIDERS"]?.includes("trustplane")) return true;
  const onPath = (env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "pulumi-resource-trustplane"));
  if (onPath.some((file) => ["", ".cmd", ".exe"].some((end) => existsSync(file + end)))) return true;
  const installed = join(env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  return existsSync(installed) && readdirSync(installed).some((name) => name.startsWith("resource-trustplane-"));
}
