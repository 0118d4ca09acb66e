import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";

const folder = join(__dirname, "../../examples/platform");

/** The files of the program by their paths. */
export function sources(): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true });
  const paths = files
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const own = paths.filter((path) => !path.startsWith("node_modules"));
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

export function withForce(cloudCredentials: string): string {
  const forced = cloudCredentials.replace('type: "aws",', 'type: "aws", force: true,');
  expect(forced).not.toBe(cloudCredentials);
  return forced;
}

export function withAnotherName(logins: string): string {
  return logins.replace('name: "merge-request"', 'name: "review"');
}

/** What a user changes: one line of imports. The stanza is there already. */
export function asNative(text: string): string {
  return text.replaceAll('from "trustplane"', 'from "trustplane/native"');
}
