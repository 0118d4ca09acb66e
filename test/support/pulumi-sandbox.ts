import type { SuiteOptions } from "vitest";
import { existingPulumiCli } from "../../tools/pulumi/ensure-pulumi-cli.mjs";
import { unlessThere } from "./unless-there.ts";

export * from "../../tools/pulumi/sandbox.mts";

/**
 * Options of a suite that runs the real CLI, which is skipped with the reason where there is none.
 *
 * @example
 * describe("pulumi up", needsPulumi(), () => { … createPulumiSandbox({ program: "examples/platform" }) … });
 */
export function needsPulumi({ timeout = 300_000 }: { timeout?: number } = {}): SuiteOptions {
  const { command, tried } = existingPulumiCli();
  return { timeout, ...unlessThere(command !== undefined, `no Pulumi CLI: ${tried.join("; ")}`) };
}
