import { parseJson } from "../../provider/core/parse-json";
import { readText } from "./read-text";

/** A wrapper of a CI job, a policy pack or a saved plan adds a few lines before or after the document. */
const MOST_TRIES = 20;

/** The JSON document of a file, or of the standard input for `-`. @throws where there is no such file */
export async function readDocument(path: string, input: NodeJS.ReadableStream): Promise<string> {
  return jsonDocument(await readText(path, input));
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
