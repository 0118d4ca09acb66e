import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SuiteOptions } from "vitest";
import { liveCacheFolder } from "../../tools/live/live-binaries.mts";
import { buildGoProgram } from "../../tools/steps/build-go-program.mjs";
import { findGo } from "../../tools/steps/find-go.mjs";
import { StepError } from "../../tools/steps/step-error.mjs";
import { unlessThere } from "../support/unless-there.ts";

/** The program of this folder, which is built when its sources have changed. */
export async function clientsProgram(): Promise<string> {
  const output = outputPath();
  if (existsSync(output)) return output;
  return buildGoProgram({
    output,
    sources: sources(),
    main: ".",
    linkerFlags: "-s -w",
    check: () => undefined,
    env: process.env,
  });
}

/** Options of a suite that runs the program, which is skipped with the reason where it cannot be built. */
export function needsClients(): SuiteOptions {
  if (existsSync(outputPath())) return {};
  try {
    findGo(process.env);
    return {};
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return unlessThere(false, error.message);
  }
}

function sources(): Readonly<Record<string, Uint8Array>> {
  const files = readdirSync(__dirname).filter((file) => /\.(go|mod|sum)$/.test(file));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(__dirname, file))]));
}

function outputPath(): string {
  const hash = createHash("sha256");
  for (const content of Object.values(sources())) hash.update(content);
  return join(liveCacheFolder(), `clients-${hash.digest("hex").slice(0, 16)}`);
}
