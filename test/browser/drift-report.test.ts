import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openStack, role } from "../cli/drift-harness.ts";
import { needsChromium, openChromium } from "./chromium.ts";

/** A person looks at the page of `trustplane drift --html`. */
describe("the page of trustplane drift", needsChromium(), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
    return () => browser.close();
  });

  async function openReport(colorScheme: "light" | "dark" = "light"): Promise<{ page: Page; problems: string[] }> {
    const { drift, raw } = await openStack([role("ci"), role("nightly")]);
    const claims = { project: "<img src=x onerror=document.title='broken'>" };
    await raw("secrets").call("POST auth/jwt/role/ci", { role_type: "jwt", token_ttl: 60, bound_claims: claims });
    await raw("secrets").call("DELETE auth/jwt/role/nightly");
    const { out } = await drift("--html");
    const page = await browser.newPage({ colorScheme });
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", ({ url }) => (url().startsWith("data:") ? undefined : problems.push(url())));
    await page.setContent(out);
    return { page, problems };
  }

  const shown = (page: Page) => page.locator("article:visible h2").allInnerTexts();

  it("shows what differs, value beside value, as text", async () => {
    const { page, problems } = await openReport();
    expect(await shown(page)).toEqual(["missing jwt.Role nightly", "changed jwt.Role ci"]);
    expect(await page.locator("td.actual").allInnerTexts()).toContain('"1m"');
    expect(await page.title()).toBe("Drift of lab/dev");
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("filters by kind and by words", async () => {
    const { page } = await openReport();
    await page.getByLabel("1 missing").uncheck();
    expect(await shown(page)).toEqual(["changed jwt.Role ci"]);
    await page.getByLabel("1 missing").check();
    await page.getByLabel("Filter").fill("TOKENTTL ci");
    expect(await shown(page)).toEqual(["changed jwt.Role ci"]);
    await page.getByLabel("Filter").fill("no such thing");
    expect(await shown(page)).toEqual([]);
    expect(await page.getByText("Nothing to show.").isVisible()).toBe(true);
  });

  it("follows the reader's choice of light or dark", async () => {
    const ground = async (scheme: "light" | "dark") => {
      const { page } = await openReport(scheme);
      return page.evaluate("getComputedStyle(document.body).backgroundColor");
    };
    expect(await ground("light")).toBe("rgb(250, 250, 250)");
    expect(await ground("dark")).toBe("rgb(22, 24, 29)");
  });
});
