import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProviderError } from "../../../provider/core/errors";
import type { NotAdopted } from "../../sources/servers/found-record";
import { visibleLine } from "../../text/visible-text";

/** The files of a project by path, with `/` between folders. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** Why this folder cannot take a project; undefined where it can. */
export function folderProblem(folder: string): string | undefined {
  try {
    const [first] = readdirSync(folder);
    if (first === undefined) return undefined;
    return `the folder ${folder} is not empty (${first}). Name a new or empty folder with --out; nothing was read or written.`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return undefined;
    return `${folder} cannot be the output folder (${code}). Name a new or empty folder with --out; nothing was read or written.`;
  }
}

/** Writes the files; none of them may be there. */
export function writeProject(folder: string, files: ProjectFiles): void {
  try {
    for (const [path, text] of Object.entries(files)) {
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text, { flag: "wx" });
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ProviderError("ConfigError", `the project cannot be written to ${folder} (${code}).`);
  }
}

const MOST_NAMES = 3;

/** What the servers refused, a line for each cause: without a server, each list is refused for the same one. */
export function unreadLines(unread: readonly NotAdopted[]): string[] {
  const groups = [...Map.groupBy(unread, ({ reason }) => causeOf(reason)).values()];
  return groups.map((group) => {
    const names = group.slice(0, MOST_NAMES).map(({ what }) => visibleLine(what));
    const rest = group.length > MOST_NAMES ? ` and ${group.length - MOST_NAMES} more` : "";
    return `${names.join(", ")}${rest} could not be read: ${group[0]?.reason}`;
  });
}

/** Where no file is written that would name them. */
export function leftOutLines(leftOut: readonly NotAdopted[]): string[] {
  return leftOut.map(({ what, reason }) => `${visibleLine(what)} is left out: ${reason}`);
}

/** The reason without the request, in which those of one cause differ. */
function causeOf(reason: string): string {
  return reason.replace(/^(listing|reading) \S+( ".*?")?: /, "").replace(/\(GET [^)]*\)/g, "");
}
