import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openStory } from "./pulumi-story.ts";

const repository = join(__dirname, "../..");

describe("the README", needsPulumi(), () => {
  test("shows a program that runs as it stands, and finds nothing to do the second time", async () => {
    const [, source = ""] = /```ts\n([\s\S]+?)```/.exec(readFileSync(join(repository, "README.md"), "utf8")) ?? [];
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { pulumi, ours, close } = await openStory({
      program: {
        files: {
          "Pulumi.yaml": "name: readme\nruntime: nodejs\n",
          "package.json": '{ "name": "readme", "private": true, "main": "index.ts" }',
          "tsconfig.json": readFileSync(join(repository, "examples/platform/tsconfig.json"), "utf8"),
          "index.ts": source,
          "issuer.pem": publicKey.export({ type: "spki", format: "pem" }).toString(),
        },
      },
    });
    onTestFinished(close);

    const { text } = await pulumi("up --yes --skip-preview");

    expect(text).toMatch(/role: "deploy"/);
    expect(ours.records().secrets["auth/jwt-ci/role/deploy"]).toMatchObject({
      bound_claims_type: "glob",
      token_ttl: 600,
    });
    await pulumi("preview --expect-no-changes");
  });
});
