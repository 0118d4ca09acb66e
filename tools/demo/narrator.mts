import { createProgress } from "../steps/progress.mjs";

const margin = "     ";
/** What Pulumi prints of an operation before it has happened, and its headings: the line that says the result is enough. */
const noise = [
  / (creating|updating|deleting|refreshing|reading|running)( \(\d+s\))?( \[diff: [^\]]*\])?\s*$/,
  / refresh( \([\d.]+s\))?\s*$/,
  /^\s*pulumi\S* \S+\s*$/,
  /^(Previewing|Updating|Refreshing)\b.*:$/,
  // The id that stands above it says the same in fewer words.
  /^\s*\[urn=/,
  /^Duration: /,
  /^\s*$/,
];

/** Tells the demo: an introduction for each step, what is run, its output with a margin, and how long it took. */
export function createNarrator({ steps }: { steps: number }) {
  const progress = createProgress({ stream: process.stdout, prefix: margin, isTitleRepeated: false });
  let step = 0;
  return {
    introduce(text: string): void {
      step += 1;
      process.stdout.write(`\n${`${step}/${steps}`.padEnd(margin.length)}${text}\n`);
    },
    /** Runs `work`, which prints with the function that it is given, under the command that a person would type. */
    run<T>(command: string, work: (print: (line: string) => void) => Promise<T>): Promise<T> {
      return progress.step(`$ ${command}`, () => work((line) => isNews(line) && progress.say(`| ${line.trimEnd()}`)));
    },
    say: (text: string) => progress.say(text),
  };
}

/** Whether a line of Pulumi's output tells something that no other line does. */
export const isNews = (line: string) => !noise.some((pattern) => pattern.test(line));
