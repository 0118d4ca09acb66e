import { randomBytes } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file completely or not at all. Without a mode a new file has the one that the process gives. */
export function replaceFile(target: string, text: string, mode: number | undefined): void {
  // In the same folder: a file cannot be renamed into another file system.
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", flush: true, mode: mode ?? 0o666 });
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
