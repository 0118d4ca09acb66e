import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createPulumiSandbox, type PulumiSandbox } from "../pulumi/sandbox.mts";
import { StepError } from "../steps/step-error.mjs";
import { type HostName, libraryOf } from "./hosts.mts";
import type { SampleResources } from "./sample-resources.mts";

/** A stack whose program declares what it is told to. */
export interface BenchStack {
  readonly sandbox: PulumiSandbox;
  /** Changes what the next run of the program declares. */
  declare(resources: SampleResources): void;
  /** Runs the CLI and answers the wall time in seconds. Throws a `StepError` when it fails: a failed run is no figure. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<number>;
}

const resourcesFile = "resources.json";

/** Plain JavaScript, so that no type checking is measured. */
const sourceFor = (host: HostName) => `const trustplane = require("${libraryOf[host]}");
const { roles, parameters = [], tokens = [], roleSet } = require("./${resourcesFile}");
for (const inputs of roles) new trustplane.jwt.Role(inputs.name, inputs);
for (const inputs of parameters) new trustplane.policy.Parameter(inputs.key, inputs);
for (const inputs of tokens) new trustplane.cluster.PeeringToken(inputs.peerName, inputs);
if (roleSet) new trustplane.jwt.RoleSet("roles", roleSet);
`;

/** How Pulumi finds the plugin of the package. */
const pluginStanza = `plugins:
  providers:
    - name: trustplane
      path: node_modules/trustplane/bin
`;

export async function openBenchStack(
  resources: SampleResources,
  env: Readonly<Record<string, string>>,
  host: HostName = "dynamic",
): Promise<BenchStack> {
  const program = {
    "Pulumi.yaml": `name: bench\nruntime: nodejs\n${host === "plugin" ? pluginStanza : ""}`,
    "package.json": JSON.stringify({ name: "bench", private: true, main: "index.js" }),
    "index.js": sourceFor(host),
    [resourcesFile]: JSON.stringify(resources),
  };
  const sandbox = await createPulumiSandbox({ program, env });
  return {
    sandbox,
    declare: (changed) => sandbox.write(resourcesFile, JSON.stringify(changed)),
    async run(args, extra = {}) {
      const { code, stdout, stderr, durationMs } = await sandbox.run([...args, "--suppress-progress"], { env: extra });
      if (code === 0) return durationMs / 1000;
      const lastLines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
      throw new StepError(`pulumi ${args.join(" ")} ended with code ${code}`, { lastLines: lastLines.slice(-25) });
    },
  };
}

/** The steps of a stack's life, as they are measured: no step shows a preview first. */
export const commands = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview"],
} as const;

/** The file that the engine rewrites after every step. */
export function stateBytes({ sandbox }: BenchStack): number {
  const folder = join(sandbox.folder, "backend", ".pulumi", "stacks");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  if (files.length !== 1) throw new Error(`one state file was expected in ${folder}: ${files.join(", ")}`);
  return files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}
