// @ts-check
// Usage: node official-installer.mjs <version> <folder>
import { createRequire } from "node:module";
import automation from "@pulumi/pulumi/automation/index.js";

// The installer compares versions with its own copy of semver, so it must be handed one of those.
const semver = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"))("semver");

const [version = "", root = ""] = process.argv.slice(2);
try {
  await automation.PulumiCommand.install({ version: new semver.SemVer(version), root });
} catch (error) {
  // One line: the reader wants to know that the host cannot be reached, not where in the SDK that was found out.
  const lines = String(error instanceof Error ? error.message : error).split("\n");
  process.stderr.write(
    `${lines
      .filter((line) => line.trim() !== "")
      .slice(-6)
      .join("\n")}\n`,
  );
  process.exitCode = 1;
}
