// @run live: it builds the HTML site

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { functions } from "../../provider/functions/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import { kebabCase } from "../../schema/long-form.ts";
import { repository } from "../../tools/steps/repository.mjs";

const tables = [...Object.values(definitions), ...Object.values(functions)];
const pages = tables.map(({ token }) => {
  const [module = "", name = ""] = token.split(":");
  return { title: `${module}.${name}`, page: join(module, `${kebabCase(name)}.html`) };
});

describe("the HTML site", () => {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-site-"));
  // Fails for a link that leads nowhere, and for a page that Vue cannot read.
  beforeAll(async () => {
    // In a process of its own, where Vue is built for production.
    const { NODE_ENV: _, ...env } = process.env;
    await promisify(execFile)(process.execPath, ["tools/docs/docs.mts", "--out", folder], { cwd: repository, env });
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

  test("can be searched for a property", () => {
    const chunks = readdirSync(join(folder, "assets", "chunks"));
    const index = chunks
      .filter((name) => name.startsWith("@localSearchIndex"))
      .map((name) => join("assets/chunks", name));
    expect(index.map(textOf).join()).toContain("rotationperiod");
  });
});
