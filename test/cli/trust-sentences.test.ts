import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { pulumiPreview, terraformPlan } from "../support/sentence-plans.ts";
import { saidNothingOf } from "../support/sentences-of-places.ts";
import { trustSentences } from "../support/trust-sentences.ts";
import { runCli } from "./run-cli.ts";

const BY = / By (?:role|group|policy) .*$/;

/** What the comment says of a change, without who gives it. */
async function sentencesOf(input: string): Promise<readonly string[]> {
  const { code, out, err } = await runCli(["comment", "--dry-run", "--stack", "dev"], input);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).not.toMatch(/```diff\n\s*```|\b0 properties/);
  const [, list = ""] = /\*\*Who can become what\*\*\n\n(.*?)\n\n/s.exec(out) ?? [];
  return list.split("\n").map((line) => line.slice(2).replace(BY, ""));
}

describe("the comment says who gets in, of a change in which", () => {
  it.each(trustSentences)("$change", async ({ steps, sentence }) => {
    const said = await sentencesOf(pulumiPreview(steps));
    expect(said).toContain(sentence);
    expect(await sentencesOf(terraformPlan(steps))).toEqual(said);
  });

  it.each(saidNothingOf)("nobody, for $change", async ({ steps }) => {
    expect(await sentencesOf(pulumiPreview(steps))).toEqual([""]);
  });

  it("no value is shown that the program keeps secret", async () => {
    for (const { steps } of trustSentences.filter((one) => one.steps.some(({ secrets }) => secrets)))
      for (const { secrets = [], before = {}, after = {} } of steps)
        for (const name of secrets)
          for (const values of [before, after]) {
            const texts = JSON.stringify(values[name]).match(/[\w./]+/g) ?? [];
            const said = (await sentencesOf(pulumiPreview(steps))).join();
            for (const text of texts.filter((each) => each !== "ref")) expect(said).not.toContain(text);
          }
  });
});

it("docs/pull-requests.md has the same table", () => {
  const page = readFileSync(join(repository, "docs/pull-requests.md"), "utf8");
  const [, table = ""] = /\n\| Change \| What the comment says \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page) ?? [];
  const rows = trustSentences.map(({ change, sentence }) => `| ${change} | ${sentence} |`);
  expect(table.trimEnd().split("\n")).toEqual(rows);
  expect(rows.length).toBeGreaterThanOrEqual(25);
});
