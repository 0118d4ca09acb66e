import { constants } from "node:buffer";
import { fstatSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { ProviderError } from "../../provider/core/errors";
import type { Terminal } from "./terminal";

/** In bytes: Node has no longer texts. */
const LARGEST = constants.MAX_STRING_LENGTH;

/** After this time a person wants to know what is being waited for. */
const NOTICE_MS = 3000;

type Input = Pick<Terminal, "input" | "err">;

/** The content of a file; of the standard input for `-`. Throws when there is no such file, and when it is too large. */
export async function readText(path: string, { input, err }: Input): Promise<string> {
  if (path === "-") {
    const notice = setTimeout(() => err("trustplane: waiting for the end of the standard input.\n"), NOTICE_MS);
    return textOf(input).finally(() => clearTimeout(notice));
  }
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > LARGEST) throw tooLarge(`the file ${path}`);
  return readFile(path, "utf8").catch(() => {
    throw new ProviderError("InputError", `the file ${path} cannot be read.`);
  });
}

/** What the standard input is. A program in Node gives its child a socket, which it may never close. */
export function kindOfInput({ input }: Pick<Terminal, "input">): "terminal" | "pipe" | "socket" | "nothing" {
  if ("isTTY" in input && input.isTTY === true) return "terminal";
  if (!("fd" in input && typeof input.fd === "number" && input.fd >= 0)) return "pipe";
  const stats = fstatSync(input.fd);
  if (stats.isSocket()) return "socket";
  return stats.isFIFO() || stats.isFile() ? "pipe" : "nothing";
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
