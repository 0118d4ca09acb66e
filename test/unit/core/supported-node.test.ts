import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OLDEST_NODE, unsupportedNode } from "../../../provider/core/supported-node.ts";
import { repository } from "../../../tools/steps/repository.mjs";

const complaint = (node: string) => unsupportedNode({ versions: { node }, execPath: "/opt/node" });

test.each(["22.19.0", "22.20.1", "23.0.0", "24.21.0", "100.0.0"])("Node.js %s is supported", (version) => {
  expect(complaint(version)).toBeUndefined();
});

test.each(["22.18.9", "22.2.0", "21.99.0", "20.20.2", "9.11.2"])("Node.js %s is refused in one sentence", (version) => {
  expect(complaint(version)).toBe(
    `trustplane needs Node.js 22.19 or newer, but /opt/node is ${version}: put a newer node first on PATH`,
  );
});

test("the oldest Node.js is the one that package.json and README name", () => {
  const text = (name: string) => readFileSync(join(repository, name), "utf8");

  expect(JSON.parse(text("package.json")).engines).toEqual({ node: `>=${OLDEST_NODE}` });
  expect(text("README.md")).toContain(`**Node.js** ${OLDEST_NODE} or newer`);
});
