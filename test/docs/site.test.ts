// @run live: it builds the HTML site

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { kebabCase } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { runTool } from "../../tools/steps/run-tool.mjs";
import { needsChromium, openChromium } from "../browser/chromium.ts";

const tables = [...Object.values(definitions), ...Object.values(functions)];
const pages = tables.map(({ token }) => {
  const [module = "", name = ""] = token.split(":");
  return { title: `${module}.${name}`, page: join(module, `${kebabCase(name)}.html`) };
});

describe("the HTML site of a release", () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-site-"));
  // Fails for a link that leads nowhere, and for a page that Vue cannot read.
  beforeAll(async () => {
    // In a process of its own, where Vue is built for production.
    const { NODE_ENV: _, ...env } = process.env;
    const command = [join(repository, "tools/dispatch.mjs"), "package", "--only", "html", "--output", folder];
    await runTool(process.execPath, command, { env });
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
    await runTool("tar", ["-xzf", `trustplane-docs-${version}.tar.gz`], { cwd: folder });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const textOf = (page: string) => readFileSync(join(folder, page), "utf8");

  test.each(pages)("has a page about $title, which the side bar of every page leads to", ({ title, page }) => {
    expect(textOf(page)).toContain(`<title>${title} | trustplane</title>`);
    expect(textOf("index.html")).toContain(`href="/${page}"`);
  });

  test.each([
    "index.html",
    "configuration.html",
    "login.html",
    "plugin.html",
    "drift.html",
    "doctor.html",
    "adopt.html",
    "permissions.html",
    "pull-requests.html",
    "limits.html",
    "compatibility.html",
    "languages.html",
    "embedded-server.html",
  ])("has %s", (page) => {
    expect(textOf(page)).toContain("<h1");
  });

  test("shows the braces of a template as they are", () => {
    expect(textOf("cloud/root-config.html")).toContain("{{ if (eq .Type");
  });

  // What a newcomer would type, and the page that must come first.
  test("leads who searches to the right page first", needsChromium(), async () => {
    const browser = await openChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.route("http://docs.test/**", (route) => {
      const path = decodeURIComponent(new URL(route.request().url()).pathname);
      return route.fulfill({ path: join(folder, path === "/" ? "index.html" : path) });
    });
    await page.goto("http://docs.test/");
    for (const [words, first] of Object.entries(firstPages)) {
      const input = page.locator(".VPLocalSearchBox input");
      // The page hears no key before its script has run.
      const isOpen = () => page.keyboard.press("Control+k").then(() => input.isVisible());
      await expect.poll(isOpen, { timeout: 30_000, interval: 300 }).toBe(true);
      await input.fill(words);
      // The box searches a moment after the last key.
      const result = page.locator(".VPLocalSearchBox .result").first();
      await expect.poll(() => result.getAttribute("href"), { timeout: 20_000, message: words }).toMatch(first);
      await page.keyboard.press("Escape");
    }
  });
});

const firstPages = {
  AWS: /^\/guides\/git(hub|lab)-to-aws/,
  "GitHub Actions": /^\/guides\/github-to-aws/,
  OIDC: /^\/jwt\/config\.html/,
  peering: /^\/cluster\/peering\.html/,
  "policy set": /^\/policy\/policy-set\.html/,
  rotationPeriod: /^\/cloud\/static-role/,
};
