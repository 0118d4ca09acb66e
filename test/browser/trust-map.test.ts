import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { jobRole, wanted, wholeStack } from "../cli/map-harness.ts";
import { previewJson, type WantedStep } from "../cli/preview-text.ts";
import { runCli } from "../cli/run-cli.ts";
import { needsChromium, openChromium } from "./chromium.ts";

const many = Array.from({ length: 40 }, (_, number) => [
  jobRole(`team-${number}`, { tokenTtl: number === 7 ? "48h" : "1h" }),
  wanted("sys:Policy", `team-${number}`, {
    name: `team-${number}`,
    policy: `path "secret/data/team-${number}" { capabilities = ["read"] }`,
  }),
]).flat();

/** A person looks at the page of `trustplane map --html`. */
describe("the page of trustplane map", needsChromium(), () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
    return () => browser.close();
  });

  async function openMap(
    steps: readonly WantedStep[] = [...wholeStack, ...many],
    colorScheme: "light" | "dark" = "light",
  ): Promise<{ page: Page; problems: string[] }> {
    const { out } = await runCli(["map", "--html"], previewJson({ steps }));
    const page = await browser.newPage({ colorScheme, viewport: { width: 1600, height: 900 } });
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", ({ url }) => (url().startsWith("data:") ? undefined : problems.push(url())));
    await page.setContent(out);
    return { page, problems };
  }

  const box = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name });
  const related = (page: Page) => page.locator(".row.related .name").allInnerTexts();
  const statusOf = (page: Page) => page.getByRole("status").innerText();

  it("shows each record, what is demanded on the way, and alike ones as one box", async () => {
    const { page, problems } = await openMap();
    expect(await page.title()).toBe("Trust of story/dev");
    expect(await box(page, 'role, jobs/deploy, where project is "acme/deploy"').count()).toBe(1);
    expect(await box(page, /^40 roles, such as .*1 flagged, folded$/).count()).toBe(1);
    expect(await page.locator("main button").count()).toBeLessThan(25);
    expect(problems).toEqual([]);
  });

  it("marks all that reaches what is selected and all that it reaches, and says so", async () => {
    const { page } = await openMap();
    await box(page, /^policy, deploy/).click();
    expect((await related(page)).sort()).toEqual(
      [
        "git.example.com",
        "auth/jobs",
        "auth/people",
        "jobs/deploy",
        "people",
        "deploy",
        "aws/creds/deploy",
        "secret/data/deploy/*",
        "aws/deploy",
        "arn:aws:…:role/deploy",
      ].sort(),
    );
    expect(await statusOf(page)).toBe("policy deploy: reached by 5, reaches 4");
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByRole("button", { name: "auth/jobs" }).click();
    expect(await statusOf(page)).toMatch(/^auth method auth\/jobs: reached by 1, /);
    await page.keyboard.press("Escape");
    expect(await related(page)).toEqual([]);
    expect(await panel.isVisible()).toBe(false);
  });

  it("draws no way behind a box that it does not lead to", async () => {
    const groups = Array.from({ length: 9 }, (_, number) =>
      wanted("identity:Group", `g-${number}`, {
        ...{ name: `g-${number}`, type: "external", policies: [`p-${number}`] },
        alias: { mount: "jobs", name: `team-${number}` },
      }),
    );
    const roles = Array.from({ length: 14 }, (_, number) =>
      jobRole(`own-${number}`, {
        groupsClaim: "groups",
        boundClaims: { [`c-${number}`]: "x" },
        tokenPolicies: [`p-${number}`, `p-${(number * 7) % 14}`],
      }),
    );
    const { page } = await openMap([...wholeStack, ...roles, ...groups]);
    const behind = await page.evaluate(`(() => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      document.querySelector("#sheet svg").append(path);
      const boxes = [...document.querySelectorAll(".row")].map((row) => [...row.style.transform.matchAll(/[\\d.]+(?=px)/g)].map(Number));
      const found = [];
      for (const way of document.querySelector("#faint").getAttribute("d").split(/(?=M)/)) {
        path.setAttribute("d", way);
        const length = path.getTotalLength();
        for (let at = 0; at <= length; at += 12) {
          const { x, y } = path.getPointAtLength(at);
          for (const [left, top] of boxes) if (x > left + 1 && x < left + WIDTH - 1 && y > top + 1 && y < top + boxHeight - 1) found.push([way, left, top]);
        }
      }
      return [boxes.length, found.length, found[0]];
    })()`);
    expect(behind).toEqual([expect.any(Number), 0, undefined]);
  });

  it("begins where the issuers are, also of a map that is higher than the window", async () => {
    const apart = Array.from({ length: 30 }, (_, number) =>
      jobRole(`own-${number}`, {
        boundClaims: { [`claim-${number}`]: "x" },
        tokenPolicies: [`p-${number}`, `p-${number % 7}`],
      }),
    );
    const { page } = await openMap([...wholeStack, ...apart]);
    expect(await page.evaluate("document.querySelector('main').scrollHeight > innerHeight")).toBe(true);
    const { y = 0 } =
      (await box(page, /^issuer, /)
        .first()
        .boundingBox()) ?? {};
    const { y: top = 0, height = 0 } = (await page.locator("main").boundingBox()) ?? {};
    expect(y).toBeGreaterThan(top);
    expect(y).toBeLessThan(top + height / 2);
  });

  it("unfolds and folds alike records, and selects one of them", async () => {
    const { page } = await openMap();
    await box(page, /^40 roles/).click();
    await page.getByRole("button", { name: "Show them one by one" }).click();
    expect(await box(page, /^role, jobs\/team-/).count()).toBe(40);
    await box(page, /^role, jobs\/team-12,/).click();
    expect(await statusOf(page)).toBe("role jobs/team-12: reached by 2, reaches 2");
    await box(page, /^40 roles/)
      .locator(".toggle")
      .click();
    expect(await box(page, /^role, jobs\/team-/).count()).toBe(0);
  });

  it("is used by the keyboard alone", async () => {
    const { page } = await openMap();
    await page.getByLabel("Larger").focus();
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    expect(await focused()).toMatch(/^issuer, /);
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toMatch(/^auth method, auth\/jobs/);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    expect(await focused()).toMatch(/role/);
    while (!/^40 roles/.test(String(await focused()))) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("+");
    expect(await box(page, /^role, jobs\/team-/).count()).toBe(40);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await statusOf(page)).toMatch(/^role jobs\/team-0: reached by 2, /);
    expect(await page.locator("main button[tabindex='0']").count()).toBe(1);
  });

  it("searches, and filters by kind and by mark", async () => {
    const { page } = await openMap();
    await page.getByLabel("Search", { exact: true }).fill("TEAM-12 acme");
    expect(await statusOf(page)).toBe("1 found");
    const shown = () => page.locator("main .name").allInnerTexts();
    expect(await shown()).toEqual(["git.example.com", "auth/jobs", "jobs/team-12", "team-12", "secret/data/team-12"]);
    await page.getByLabel("41 policies").uncheck();
    expect(await shown()).toEqual(["git.example.com", "auth/jobs", "jobs/team-12", "secret/data/team-12"]);
    await page.getByLabel("41 policies").check();
    await page.getByLabel("Search", { exact: true }).fill("");
    await page.getByLabel("only 1 flagged").check();
    expect(await shown()).toEqual(["git.example.com", "auth/jobs", "jobs/team-7", "team-7", "secret/data/team-7"]);
    await page.getByLabel("Search", { exact: true }).fill("no such thing");
    expect(await page.getByText("Nothing to show.").isVisible()).toBe(true);
  });

  it("shows hostile names as text", async () => {
    const name = "<img src=x onerror=document.title='broken'>";
    const { page, problems } = await openMap([
      wanted("jwt:Role", "x", {
        mount: name,
        name,
        roleType: "jwt",
        boundClaims: { [name]: name },
        tokenPolicies: [name],
      }),
    ]);
    await box(page, /^policy/).click();
    await page.getByLabel("Search", { exact: true }).fill("<img");
    expect(await statusOf(page)).toBe("3 found");
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("Trust of story/dev");
    expect(problems).toEqual([]);
  });

  it("follows the reader's choice of light or dark", async () => {
    const ground = async (scheme: "light" | "dark") => {
      const { page } = await openMap(wholeStack, scheme);
      return page.evaluate("getComputedStyle(document.body).backgroundColor");
    };
    expect(await ground("light")).toBe("rgb(246, 247, 249)");
    expect(await ground("dark")).toBe("rgb(20, 22, 27)");
  });
});
