import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isInstalled } from "../../tools/steps/dependencies.mjs";

const locked = {
  "": { version: "1.0.0" },
  "node_modules/a": { version: "1.2.3", integrity: "sha512-a" },
  "node_modules/only-on-windows": { version: "2.0.0", integrity: "sha512-w", optional: true },
};
const { "node_modules/a": a } = locked;

it.each([
  { when: "there is no node_modules", installed: undefined, expected: false },
  { when: "what is locked is installed", installed: { "node_modules/a": a }, expected: true },
  { when: "npm was interrupted before it had installed everything", installed: {}, expected: false },
  {
    when: "another version is installed",
    installed: { "node_modules/a": { ...a, version: "1.2.2" } },
    expected: false,
  },
  {
    when: "other content is installed",
    installed: { "node_modules/a": { ...a, integrity: "sha512-b" } },
    expected: false,
  },
])("when $when, installed is $expected", ({ installed, expected }) => {
  const root = mkdtempSync(join(tmpdir(), "trustplane-dependencies-"));
  try {
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: locked }));
    if (installed) {
      mkdirSync(join(root, "node_modules"));
      writeFileSync(join(root, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
    }
    expect(isInstalled(root)).toBe(expected);
  } finally {
    rmSync(root, { recursive: true });
  }
});
