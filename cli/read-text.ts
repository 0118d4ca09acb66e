import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ProviderError } from "../provider/core/errors";

/** The content of a file; of the standard input for `-`. Throws when there is no such file. */
export async function readText(path: string, input: NodeJS.ReadableStream): Promise<string> {
  if (path === "-") return text(input);
  return readFile(path, "utf8").catch(() => {
    throw new ProviderError("InputError", `the file ${path} cannot be read.`);
  });
}
