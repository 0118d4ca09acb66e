import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { existingPulumiCli } from "../../tools/pulumi/ensure-pulumi-cli.mjs";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { unlessThere } from "../support/unless-there.ts";
import { adopted, furnish, rootKey, writes } from "./adopt-harness.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";

/** A released Pulumi CLI brings it; one that was built from Go modules does not. */
const host = "pulumi-language-yaml";
const folders = [dirname(existingPulumiCli().command ?? ""), ...(process.env["PATH"] ?? "").split(delimiter)];
const isThere = folders.some((folder) => existsSync(join(folder, host)));

describe("trustplane adopt in YAML", needsPulumi(), () => {
  describe("an import with the plugin", unlessThere(isThere, `no ${host} on PATH`), () => {
    let story: Story;

    beforeAll(async () => {
      story = await openStory({ program: { source: "" } });
      await furnish(story);
      return story.close;
    }, openingMs);

    test("shows no change afterwards, writes nothing, and there is no drift", async () => {
      writes(story);
      const { code, err } = await adopted(story, "--language", "yaml");
      expect([code, err]).toEqual([0, ""]);
      const before = story.ours.records();
      await story.pulumi("import --file import.json --generate-code=false --protect=false --yes --skip-preview");
      await story.pulumi("preview --expect-no-changes --diff");
      await story.pulumi("up --yes --skip-preview --expect-no-changes");
      expect(writes(story)).toEqual([]);
      expect(story.ours.records()).toEqual(before);
      expect(await runDrift(story, "")).toMatchObject({ code: 0 });
    });

    test("manages what hides something once its value is set and its lines are taken in", async () => {
      const text = readFileSync(join(story.sandbox.programFolder, "Pulumi.yaml"), "utf8");
      story.sandbox.write("Pulumi.yaml", text.replace(/^# (?!No server)/gm, ""));
      await story.pulumi("config set --secret cloudSecretKey", { input: rootKey });
      await story.pulumi("config set --secret tokenValue", { input: rootKey });
      const before = story.ours.records().secrets;
      await story.pulumi("up --yes --skip-preview");
      expect(writes(story)).toContain("POST cloud/config/root");
      expect(story.ours.records().secrets).toEqual(before);
      await story.pulumi("preview --expect-no-changes --diff");
    });
  });
});
