import { ProviderError } from "../../provider/core/errors";
import { parseJson } from "../../provider/core/parse-json";
import { kindOfInput, readText } from "./read-text";
import type { Terminal } from "./terminal";

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
