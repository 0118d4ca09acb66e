// @ts-check
import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "./interrupt.mjs";

/**
 * Hands `work` a folder for what is not finished yet, and removes it afterwards: also when the work fails or Ctrl-C ends it.
 * What is whole is renamed out of it, so `parent` lies on the file system of the place where that goes; then neither an
 * interrupted command nor two at the same time can leave half of it there.
 * @template T
 * @param {string} parent
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withScratchFolder(parent, work) {
  const folder = join(parent, `.trustplane-${randomUUID()}`);
  // A program that was just ended may still write its last file.
  const clean = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const release = onInterrupt(clean);
  try {
    mkdirSync(folder, { recursive: true });
    return await work(folder);
  } finally {
    release();
    clean();
  }
}
