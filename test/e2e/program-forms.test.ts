import { describe, expect, onTestFinished, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openStory } from "./pulumi-story.ts";

describe("a program", needsPulumi(), () => {
  test.each(["esm", "commonjs"])(
    "in the form of examples/%s runs, and does the same again without a change",
    async (form) => {
      const { pulumi, ours, close } = await openStory({ program: `examples/${form}` });
      onTestFinished(close);

      const { text } = await pulumi("up --yes --skip-preview");

      expect(text).toMatch(/login: "auth\/jwt\/role\/ci"/);
      expect(ours.records().secrets["auth/jwt/role/ci"]).toMatchObject({ role_type: "jwt", token_ttl: 900 });
      await pulumi("preview --expect-no-changes");
    },
  );
});
