// @run test: the shortest story of the dynamic classes

import { describe, onTestFinished, test } from "vitest";
import { startServers } from "../../server/serve.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { tellReadme } from "./readme-story.ts";

describe("the README", needsPulumi(), () => {
  test("shows a program that runs as it stands, and finds nothing to do the second time", async () => {
    const { secrets, close } = await startServers();
    onTestFinished(close);

    await tellReadme(secrets);
  });
});
