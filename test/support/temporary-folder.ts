import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** An empty folder that goes with the test that calls this. */
export function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty folder that goes after the tests of the file, or of the suite, that calls this. */
export function folderOfSuite(): string {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file with this text, in a folder that goes with the test that calls this. */
export function fileOfTest(name: string, text: string): string {
  const file = join(folderOfTest(), name);
  writeFileSync(file, text);
  return file;
}
