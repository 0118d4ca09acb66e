import type { SuiteOptions } from "vitest";
import { chromiumPath } from "../../tools/pictures/chromium.mts";
import { unlessThere } from "../support/unless-there.ts";

export { openChromium } from "../../tools/pictures/chromium.mts";

/** Options of a suite that needs a browser: that of the system, for playwright-core brings none along. */
export function needsChromium(): SuiteOptions {
  return { timeout: 60_000, ...unlessThere(chromiumPath !== undefined, "no chromium on PATH (Debian: chromium)") };
}
