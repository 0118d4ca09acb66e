import { type Browser, chromium } from "playwright-core";
import type { SuiteOptions } from "vitest";
import { which } from "../../tools/steps/which.mjs";
import { unlessThere } from "../support/unless-there.ts";

const executablePath = which("chromium", process.env);

/** Options of a suite that needs a browser: that of the system, for playwright-core brings none along. */
export function needsChromium(): SuiteOptions {
  return { timeout: 60_000, ...unlessThere(executablePath !== undefined, "no chromium on PATH (Debian: chromium)") };
}

/** Without Chromium's own sandbox, which root cannot have: it shows pages of this machine only. */
export function openChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error("there is no chromium on PATH");
  return chromium.launch({ executablePath, chromiumSandbox: false });
}
