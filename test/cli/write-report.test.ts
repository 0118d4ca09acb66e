import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeReport } from "../../cli/io/write-report.ts";
import { folderOfTest } from "../support/temporary-folder.ts";

it("a report that is new is there, and nothing beside it", () => {
  const folder = folderOfTest();
  writeReport(join(folder, "report.md"), "new");
  expect(readdirSync(folder)).toEqual(["report.md"]);
  expect(readFileSync(join(folder, "report.md"), "utf8")).toBe("new");
});

it("a report replaces the older one as a whole, and keeps its mode", () => {
  const folder = folderOfTest();
  const [file, old] = [join(folder, "report.md"), join(folder, "old.md")];
  writeFileSync(file, "old");
  chmodSync(file, 0o666);
  linkSync(file, old);
  writeReport(file, "new");
  expect([readFileSync(file, "utf8"), readFileSync(old, "utf8")]).toEqual(["new", "old"]);
  expect(statSync(file).mode & 0o777).toBe(0o666);
});

it("a link to a report stays a link", () => {
  const folder = folderOfTest();
  const [file, link] = [join(folder, "report.md"), join(folder, "latest.md")];
  writeFileSync(file, "old");
  symlinkSync("report.md", link);
  writeReport(link, "new");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, "utf8")).toBe("new");
});

it("what is no file is written to, not replaced", () => {
  writeReport("/dev/null", "new");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

it("a report that cannot be written is an error that names it, and leaves nothing behind", () => {
  const folder = folderOfTest();
  mkdirSync(join(folder, "taken"));
  expect(() => writeReport(join(folder, "taken"), "new")).toThrow(/cannot be written to .*taken \(EISDIR\)/);
  expect(() => writeReport(join(folder, "missing", "report.md"), "new")).toThrow(
    expect.objectContaining({ code: "ConfigError", message: expect.stringMatching(/report\.md \(ENOENT\)/) }),
  );
  expect(readdirSync(folder)).toEqual(["taken"]);
});
