import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";

/** Pages for who works on the repository. `test/package/packed-files.test.ts` looks at those that are in the package. */
const pages = execFileSync("git", ["ls-files", "*README.md", "CONTRIBUTING.md"], { cwd: repository, encoding: "utf8" })
  .split("\n")
  .filter(
    (path) => path !== "" && path !== "README.md" && !path.startsWith("sdk/") && existsSync(join(repository, path)),
  );

const textOf = (page: string) => readFileSync(join(repository, page), "utf8");
/** From the page's folder, or from the root. */
const isThere = (page: string, path: string) =>
  [dirname(page), "."].some((folder) => existsSync(join(repository, folder, path)));

/** Words in code that name a file or a folder of ours; names with something to fill in left out. */
function pathsIn(page: string): string[] {
  const prose = textOf(page).replace(/^```[\s\S]*?^```$/gm, "");
  const words = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, word = ""]) => word);
  return words.filter((word) => /^\w[\w./-]+$/.test(word) && (/\.(m?ts|mjs|md)$/.test(word) || OURS.test(word)));
}

const OURS = /^(provider|schema|server|cli|tools|test|docs|examples)\//;

describe.each(pages)("%s", (page) => {
  it("links to pages that are there", () => {
    const links = [...textOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)\s]*\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(repository, dirname(page), link)))).toEqual([]);
  });

  it("names files that are there", () => {
    expect(pathsIn(page).filter((path) => !isThere(page, path))).toEqual([]);
  });
});

it("the pages of contributors are among them, with what they name", () => {
  expect(pages).toContain("CONTRIBUTING.md");
  expect(pathsIn("CONTRIBUTING.md").length).toBeGreaterThan(30);
});
