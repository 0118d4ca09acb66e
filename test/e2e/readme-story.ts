import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { rawApi } from "../support/contract-raw.ts";
import type { ServiceAddress } from "../support/contract-servers.ts";
import { openStackStory } from "./stack-story.ts";
import { environmentOf } from "./watched-servers.ts";

const repository = join(__dirname, "../..");

/**
 * Runs the program of the README's "The smallest program" as it stands, twice, within a test. Answers the private key of the issuer that
 * the reader has put beside it.
 */
export async function tellReadme(secrets: ServiceAddress): Promise<KeyObject> {
  const [, source = ""] = /```ts\n([\s\S]+?)```/.exec(readFileSync(join(repository, "README.md"), "utf8")) ?? [];
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const story = await openStackStory({
    program: {
      files: {
        "Pulumi.yaml": "name: readme\nruntime: nodejs\n",
        "package.json": '{ "name": "readme", "private": true, "main": "index.ts" }',
        "tsconfig.json": readFileSync(join(repository, "examples/platform/tsconfig.json"), "utf8"),
        "index.ts": source,
        "issuer.pem": publicKey.export({ type: "spki", format: "pem" }).toString(),
      },
    },
    env: environmentOf({ secrets }),
  });
  onTestFinished(story.close);

  await story.pulumi("up --yes --skip-preview");

  expect(await rawApi("secrets", secrets).call("GET auth/jwt-ci/role/deploy")).toMatchObject({
    data: { bound_claims_type: "glob", token_ttl: 600 },
  });
  await story.pulumi("preview --refresh --expect-no-changes");
  return privateKey;
}
