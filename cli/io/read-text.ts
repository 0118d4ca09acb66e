import { constants } from "node:buffer";
import { fstatSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { ProviderError } from "../../provider/core/errors";
import { parseJson } from "../../provider/core/parse-json";
import type { Terminal } from "./terminal";

/** In bytes: Node has no longer texts. */
const LARGEST = constants.MAX_STRING_LENGTH;

/** After this time a person wants to know what is being waited for. */
const NOTICE_MS = 3000;

type Input = Pick<Terminal, "input" | "err">;

/** The content of a file; of the standard input for `-`. Throws when there is no such file, and when it is too large. */
export async function readText(path: string, { input, err }: Input): Promise<string> {
  if (path === "-") {
    const text = "trustplane: waiting for the end of the standard input; with `< /dev/null` there is none.\n";
    const notice = setTimeout(() => err(text), NOTICE_MS);
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

/** A wrapper of a CI job, a policy pack or a saved plan adds a few lines before or after the document. */
const MOST_TRIES = 20;

/** The JSON document of a file, or of the standard input for `-`. @throws where there is no such file, or nobody to pipe it in */
export async function readDocument(path: string, terminal: Terminal, what = "a state or a preview"): Promise<string> {
  if (path === "-" && kindOfInput(terminal) === "terminal")
    throw new ProviderError(
      "InputError",
      `nothing comes on the standard input, which is a terminal: pipe ${what} into the command, or name its file.`,
    );
  return jsonDocument(await readText(path, terminal));
}

/**
 * The JSON document in what a tool printed, without lines before and after it. The text as it is where there is none, and
 * where other text is inside it.
 */
function jsonDocument(text: string): string {
  if (parseJson(text) !== undefined) return text;
  const lines = text.split("\n");
  const at = (is: (line: string) => boolean) => lines.flatMap((line, index) => (is(line) ? [index] : []));
  const starts = at((line) => line.startsWith("{")).slice(0, MOST_TRIES);
  const ends = at((line) => line.trimEnd().endsWith("}")).slice(-MOST_TRIES);
  // A log of events has a document a line.
  if (starts.filter((start) => parseJson(lines[start] ?? "") !== undefined).length > 1) return text;
  for (const start of starts) {
    for (const end of [...ends].reverse().filter((each) => each >= start)) {
      const found = lines.slice(start, end + 1).join("\n");
      if (parseJson(found) !== undefined) return found;
    }
  }
  return text;
}
