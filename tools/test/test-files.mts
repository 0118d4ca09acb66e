import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../steps/repository.mjs";

/** The runs, each with more than the one before it but for `live`, which CI makes beside `test`. */
export const runs = ["quick", "test", "live", "whole"] as const;
export type Run = (typeof runs)[number];

/** The servers of the contract suite. `embedded` is ours; the others are real. */
export const contractServers = ["embedded", "vault", "consul"] as const;
export type ContractServer = (typeof contractServers)[number];

/** What the vitest configuration has to know of one file of tests. */
export interface TestFile {
  /** From the repository's root, with slashes. */
  readonly path: string;
  /** The first run that has it. */
  readonly run: Run;
  /** It cannot share the modules of its process with other files. */
  readonly isAlone: boolean;
  /** Of a file in `test/contract`: what it is about. The others run on the embedded server. */
  readonly servers: readonly ContractServer[];
  /** Of a file in `test/contract`: it has a part that Terraform's CLI can run. */
  readonly hasTerraform: boolean;
}

/** The run of a folder's files, unless a file says otherwise. `test/README.md` shows the table. */
const folderRuns: Readonly<Record<string, Run>> = {
  cli: "quick",
  contract: "quick",
  coverage: "quick",
  field: "quick",
  sdk: "quick",
  unit: "quick",
  wire: "quick",
  docs: "test",
  model: "test",
  package: "test",
  replay: "test",
  server: "test",
  tools: "test",
  // A browser, a Go compiler, the real Pulumi CLI, real servers.
  browser: "live",
  clients: "live",
  e2e: "live",
  live: "live",
  "package-schema": "live",
};

/** Folders whose files share their modules: loading these for each file would take as long as the tests. */
const sharing = ["cli", "contract", "coverage", "field", "sdk", "server", "unit", "wire"];

/** A line such as `// @run live: it waits for clocks`, above the imports. */
const tagLine = /^\/\/ @(run|servers|alone|without-terraform)\b ?([^:\n]*)/gm;

/** Every file of tests, by its place and by the tags in its first lines. */
export function testFiles(): readonly TestFile[] {
  return globSync("test/**/*.test.ts", { cwd: repository })
    .map((file) => file.replaceAll("\\", "/"))
    .sort()
    .map((path) => testFileOf(path, readFileSync(join(repository, path), "utf8")));
}

/** Throws for a tag that nobody knows. */
export function testFileOf(path: string, text: string): TestFile {
  const head = text.slice(0, Math.max(text.search(/^(?!\/\/)/m), 0));
  const tags = Object.fromEntries([...head.matchAll(tagLine)].map(([, tag = "", words = ""]) => [tag, words.trim()]));
  const [, folder = ""] = path.split("/");
  const among = <Word extends string>(words: readonly Word[], word: string): Word => {
    const known = words.find((each) => each === word);
    if (known === undefined) throw new Error(`${path}: ${word} is none of ${words.join(", ")}`);
    return known;
  };
  return {
    path,
    run: tags["run"] === undefined ? (folderRuns[folder] ?? "test") : among(runs, tags["run"]),
    isAlone: "alone" in tags || !sharing.includes(folder),
    servers: tags["servers"]?.split(/,? +/).map((word) => among(contractServers, word)) ?? contractServers,
    hasTerraform: !("without-terraform" in tags),
  };
}
