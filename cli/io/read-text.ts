import { constants } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { ProviderError } from "../../provider/core/errors";

/** In bytes: Node has no longer texts. */
const LARGEST = constants.MAX_STRING_LENGTH;

/** The content of a file; of the standard input for `-`. Throws when there is no such file, and when it is too large. */
export async function readText(path: string, input: NodeJS.ReadableStream): Promise<string> {
  if (path === "-") return textOf(input);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LARGEST) throw tooLarge(`the file ${path}`);
  return readFile(path, "utf8").catch(() => {
    throw new ProviderError("InputError", `the file ${path} cannot be read.`);
  });
}

async function textOf(input: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    size += bytes.length;
    if (size > LARGEST) throw tooLarge("the standard input");
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function tooLarge(what: string): ProviderError {
  const most = Math.floor(LARGEST / 2 ** 20);
  return new ProviderError(
    "InputError",
    `${what} has more than ${most} MiB, which is the most that is read: split the stack, or give the state of one part.`,
  );
}
