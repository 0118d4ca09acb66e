import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "../../tools/steps/repository.mjs";

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const folder = join(repository, ".github/workflows");
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { scripts: object };

describe.each(readdirSync(folder))("the workflow %s", (name) => {
  const workflow: Workflow = parse(textOf(name));

  test("has no stored secret, and may write only in the jobs that say so", () => {
    expect(textOf(name)).not.toMatch(/secrets\.|_TOKEN: (?!\$\{\{ github\.token \}\})|registry-url/);
    expect(workflow.permissions).toEqual({ contents: "read" });
  });

  test("runs scripts that are there", () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    const named = steps.flatMap(({ run = "" }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script));

    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    expect(steps.filter(({ run, uses }) => run === undefined && !/^[\w-]+\/[\w-]+@/.test(uses ?? ""))).toEqual([]);
  });
});

test("a release is published only after its tests, in an environment that somebody approves", () => {
  const { jobs }: Workflow = parse(textOf("release.yml"));
  const publishing = Object.values(jobs).filter(({ steps }) => steps.some(({ run }) => run?.includes("npm publish")));

  expect(publishing).toMatchObject([{ needs: ["test", "package"], environment: "release" }]);
  for (const { steps } of publishing) expect(steps.some(({ run }) => run?.includes("--provenance"))).toBe(true);
});
