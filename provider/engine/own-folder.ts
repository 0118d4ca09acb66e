import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** A folder of the product that nobody but the user can read or write. Undefined where there can be none. */
export function ownFolder(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    const given = env["XDG_CACHE_HOME"] ?? "";
    // A relative one is to be ignored, says the specification of these folders.
    const folder = join(isAbsolute(given) ? given : join(homedir(), ".cache"), "trustplane", name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOurs(lstatSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Windows has no owners and modes of this kind; there a user's folder is the user's own. */
function isOurs(found: Stats): boolean {
  if (!found.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o077) === 0);
}
