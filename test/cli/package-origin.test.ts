import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { packageRange } from "../../cli/io/package-origin.ts";
import { repository } from "../../tools/steps/repository.mjs";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openAdoption } from "./adopt-harness.ts";

/** An installed package, and what npm has noted of where it came from. */
function installed(path: string, note?: object): string {
  const folder = join(folderOfTest(), path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "name": "trustplane", "version": "1.2.3" }');
  if (note)
    writeFileSync(
      join(dirname(folder), ".package-lock.json"),
      JSON.stringify({ packages: { "node_modules/trustplane": note } }),
    );
  return folder;
}

it("a package from a registry is named by its version", () => {
  const npm = installed("node_modules/trustplane", { resolved: "https://packages.example.com/trustplane-1.2.3.tgz" });
  const pnpm = installed("node_modules/.pnpm/trustplane@1.2.3_@pulumi+pulumi@3.206.0/node_modules/trustplane");

  expect([npm, pnpm].map(packageRange)).toEqual(["^1.2.3", "^1.2.3"]);
});

it("a package from a file is named by that file, as the new project is in another folder", () => {
  const folder = installed("node_modules/trustplane", { resolved: "file:../clone/trustplane-1.2.3.tgz" });

  expect(packageRange(folder)).toBe(`file:${join(folder, "../../../clone/trustplane-1.2.3.tgz")}`);
});

it("a package of which nobody knows where it came from is named by its folder", () => {
  const folders = [
    installed("node_modules/trustplane"),
    installed("node_modules/.pnpm/trustplane@file+clone+trustplane-1.2.3.tgz/node_modules/trustplane"),
  ];

  expect(folders.map(packageRange)).toEqual(folders.map((folder) => `file:${folder}`));
});

it("a clone is named by the file that `npm run package` makes", () => {
  const folder = installed("clone");

  expect(packageRange(folder)).toBe(`file:${join(folder, "dist-release/trustplane-1.2.3.tgz")}`);
});

it("trustplane adopt writes it into the project, which says so", async () => {
  const { raw, adopt } = await openAdoption();
  await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });

  const { files } = await adopt("--service", "secrets");

  const range = packageRange(repository);
  expect(JSON.parse(files["package.json"] ?? "").dependencies.trustplane).toBe(range);
  expect(files["README.md"]).toContain(`npm install # takes trustplane from ${range.slice("file:".length)}\n`);
});
