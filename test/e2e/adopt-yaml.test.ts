import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { unlessThere } from "../support/unless-there.ts";
import { adopted, openFurnished, rootKey, writes } from "./adopt-harness.ts";
import { openingMs, type Story } from "./pulumi-story.ts";
import { runDrift } from "./run-drift.ts";
import { isYamlHostThere, openYamlHost } from "./yaml-host.ts";

describe("trustplane adopt in YAML", needsPulumi(), () => {
  describe("an import with the plugin", unlessThere(isYamlHostThere, "no host for programs in YAML"), () => {
    let story: Story;

    beforeAll(async () => {
      const host = openYamlHost();
      story = await openFurnished({ env: () => host.env });
      return async () => {
        await story.close();
        host.close();
      };
    }, openingMs);

    test("shows no change afterwards, writes nothing, and there is no drift", async () => {
      writes(story);
      const { code, err } = await adopted(story, "--language", "yaml");
      expect([code, err]).toEqual([0, ""]);
      const before = story.ours.records();
      await story.pulumi("import --file import.json --generate-code=false --yes --skip-preview");
      await story.pulumi("preview --expect-no-changes --diff");
      await story.pulumi("up --yes --skip-preview --expect-no-changes");
      expect(writes(story)).toEqual([]);
      expect(story.ours.records()).toEqual(before);
      expect(await runDrift(story, "--no-unmanaged")).toMatchObject({ code: 0 });
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
