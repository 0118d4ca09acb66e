import { existsSync, readFileSync } from "node:fs";
import type { Definition } from "../provider/core/definition";
import { markdownTable } from "./markdown-table";

/** What one resource came to with one promise on one server. */
export interface PromiseResult {
  readonly passed: number;
  /** What the server's API cannot do for the resource, and why, by the case's name. */
  readonly skipped?: Readonly<Record<string, string>>;
}

/** The day of a green run, and the commit that it was of. */
export interface GreenRun {
  readonly date: string;
  readonly commit: string;
}

/** The results of the last green runs against the real servers, as they are committed. */
export interface LiveResults {
  /** By part of the whole run, which is a project of the tests. Runs before this was kept are not in it. */
  readonly runs?: Readonly<Record<string, GreenRun>>;
  /** Product and release by the server's name in the run. */
  readonly servers: Readonly<Record<string, string>>;
  /** By resource, number of the promise, and server. */
  readonly resources: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, PromiseResult>>>>>>;
}

type Definitions = Readonly<Record<string, Definition>>;

/** What a user may rely on, as in the README. */
export const promises = [
  "Desired state",
  "An error is never absence",
  "No perpetual diff",
  "Secrets are per value",
  "Write-only values have witnesses",
  "Wrong input is refused before anything is sent",
  "Nothing is lost half-way",
  "A replacement never deletes what it has just written",
] as const;

/** The results in a file; undefined where there is none. */
export function readLiveResults(path: string): LiveResults | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as LiveResults) : undefined;
}

/** A table of resources and promises per server, and what was left out. */
export function resultTables({ servers, resources }: LiveResults, definitions: Definitions): string {
  const tables = Object.entries(servers).map(([server, title]) => {
    const rows = Object.entries(definitions).flatMap(([name, definition]) => {
      const results = Object.entries(resources[name] ?? {}).map(([promise, on]) => [promise, on[server]] as const);
      const known = Object.fromEntries(results.filter(([, result]) => result !== undefined));
      if (Object.keys(known).length === 0) return [];
      return [[classOf(definition), ...promises.map((_, at) => cell(definition, at + 1, known[at + 1]))]];
    });
    return `### ${title}\n\n${markdownTable(["", ...promises.map((_, at) => String(at + 1))], rows)}`;
  });
  return [...tables, leftOut({ servers, resources }, definitions)].join("\n\n");
}

/** `jwt.Role`, as a program writes it. */
export function classOf({ token }: Definition): string {
  return `\`${token.replace(":", ".")}\``;
}

function cell(definition: Definition, promise: number, result: PromiseResult | undefined): string {
  if (result === undefined) return isAbout(definition, promise) ? "none" : "–";
  return `${result.passed}${result.skipped ? "*" : ""}`;
}

/** Not every resource has secrets, or values that no server shows. */
function isAbout({ secrets, secretOutputs, writeOnly }: Definition, promise: number): boolean {
  if (promise === 4) return Object.keys(secrets).length > 0 || secretOutputs.length > 0;
  return promise !== 5 || writeOnly.length > 0;
}

function leftOut({ servers, resources }: LiveResults, definitions: Definitions): string {
  const found = new Map<string, { readonly row: readonly [string, string, string]; readonly on: Set<string> }>();
  for (const [name, definition] of Object.entries(definitions)) {
    for (const on of Object.values(resources[name] ?? {})) {
      for (const [server, { skipped = {} }] of Object.entries(on)) {
        for (const [title, reason] of Object.entries(skipped)) {
          const row = [classOf(definition), title, reason] as const;
          const known = found.get(row.join()) ?? { row, on: new Set() };
          found.set(row.join(), { row, on: known.on.add(servers[server] ?? server) });
        }
      }
    }
  }
  if (found.size === 0) return "Nothing was left out.";
  const rows = [...found.values()].map(({ row, on }) => [...row, [...on].sort().join(", ")]);
  const header = ["Resource", "Left out", "Why", "On"];
  return `\\* What a server's API cannot do is left out; if it ever can, the run fails:\n\n${markdownTable(header, rows)}`;
}
