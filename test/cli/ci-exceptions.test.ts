// @alone
// @run test: it runs whole jobs of a continuous integration

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openJob } from "./ci-job-harness.ts";

const OF_BASE = "silence: [] # of the base\n";

/** A repository whose `main` has one file of exceptions, and a change of it, as a forge's job checks it out. */
const makeRepository = () => {
  const home = mkdtempSync(join(tmpdir(), "trustplane-exceptions-"));
  const [origin, clone] = [join(home, "origin"), join(home, "clone")];
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env["PATH"], HOME: home };
  const git = (...words: string[]) =>
    execFileSync("git", [...who, ...words], { cwd: origin, env, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(origin, name), text);
    git("add", "--all");
    git("commit", "--quiet", "--message", "x");
  };
  mkdirSync(join(origin, "infra"), { recursive: true });
  git("init", "--quiet");
  git("config", "uploadpack.allowAnySHA1InWant", "true");
  commit({ "trustplane.yml": OF_BASE, "infra/trustplane.yml": `${OF_BASE}# in a folder\n` });
  const base = git("rev-parse", "HEAD");
  git("switch", "--quiet", "--create", "change");
  commit({ "trustplane.yml": "silence: [] # of the change\n", "new.yml": "{}" });
  // A tag with the name of the branch is another commit.
  git("tag", "main");
  git("clone", "--quiet", "--depth=1", "--branch=change", `file://${origin}`, clone);
  return { home, clone, base };
};

let made: ReturnType<typeof makeRepository>;
beforeAll(() => {
  made = makeRepository();
  return () => rmSync(made.home, { recursive: true });
});

const openPullRequest = (pulumi?: string) => {
  const job = openJob(pulumi);
  cpSync(made.clone, job.work, { recursive: true });
  /** What the comment is given to compare with; undefined when nothing. */
  const comparedWith = async (variables: Readonly<Record<string, string>>, folder = ".") => {
    const env = { TRUSTPLANE_IGNORE: "trustplane.yml", ...variables };
    expect(await job.run("preview.sh", env, join(job.work, folder))).toEqual({ code: 0, out: "" });
    return job.wordsOf("npx").includes("--base-ignore") ? readFileSync(job.called("base.yml"), "utf8") : undefined;
  };
  return { work: job.work, base: made.base, comparedWith };
};

describe("a preview compares its exceptions with those of the base branch", () => {
  it("on GitHub, of which it knows the name", async () => {
    const { comparedWith } = openPullRequest();
    expect(await comparedWith({ GITHUB_BASE_REF: "main" })).toBe(OF_BASE);
  });

  it("on GitLab, of which it knows the commit", async () => {
    const { comparedWith, base } = openPullRequest();
    expect(await comparedWith({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toBe(OF_BASE);
  });

  it("in a folder of the repository, where the program is", async () => {
    const { comparedWith } = openPullRequest();
    expect(await comparedWith({ TRUSTPLANE_BASE: "main" }, "infra")).toContain("in a folder");
  });

  it("that has none, so that the change adds all of them", async () => {
    const { comparedWith } = openPullRequest();
    expect(await comparedWith({ GITHUB_BASE_REF: "main", TRUSTPLANE_IGNORE: "new.yml" })).toBe("{}\n");
  });

  it("as it was before the program ran", async () => {
    const { comparedWith } = openPullRequest("git update-ref refs/remotes/origin/main HEAD; rm -rf .git");
    expect(await comparedWith({ GITHUB_BASE_REF: "main" })).toBe(OF_BASE);
  });

  it.each([
    ["no pull request", {}],
    ["a branch that is not there", { GITHUB_BASE_REF: "gone" }],
    ["a name that would be an option", { GITHUB_BASE_REF: "--upload-pack=touch x" }],
    ["a path outside of the repository", { GITHUB_BASE_REF: "main", TRUSTPLANE_IGNORE: "/dev/null" }],
  ])("and does not pretend to for %s", async (_what, variables: Readonly<Record<string, string>>) => {
    const { comparedWith } = openPullRequest();
    expect(await comparedWith(variables)).toBeUndefined();
  });

  it("but not in what is no repository", async () => {
    const { comparedWith, work } = openPullRequest();
    rmSync(join(work, ".git"), { recursive: true });
    expect(await comparedWith({ GITHUB_BASE_REF: "main" })).toBeUndefined();
  });
});
