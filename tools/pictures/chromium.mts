import { type Browser, chromium } from "playwright-core";
import { which } from "../steps/which.mjs";

/** The system's browser: playwright-core brings none along. Undefined when there is none. */
export const chromiumPath = which("chromium", process.env);

/** Without Chromium's own sandbox, which root cannot have: it shows pages of this machine only. */
export function openChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error("there is no chromium on PATH (Debian: chromium)");
  return chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false });
}
