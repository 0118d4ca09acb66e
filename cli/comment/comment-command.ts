import { writeFileSync } from "node:fs";
import { ProviderError } from "../../provider/core/errors";
import { parseJson } from "../../provider/core/parse-json";
import { visibleText } from "../changes/visible-text";
import type { DriftReport } from "../drift/report";
import { readExceptions } from "../exceptions/exceptions-file";
import { lint } from "../lint/lint";
import { lintedSteps } from "../lint/linted-resources";
import { readText } from "../read-text";
import type { Terminal } from "../run-command";
import type { CommentFlags } from "./comment-flags";
import { driftComment } from "./drift-comment";
import { markerOf } from "./marker";
import type { Preview } from "./preview";
import { previewComment } from "./preview-comment";
import { readPreview } from "./read-preview";
import { type Upsert, upsert } from "./upsert";
import { notesOf } from "./which-forge";

type Environment = Readonly<Record<string, string | undefined>>;

/** A text as a forge takes it, and as it is without a limit. */
interface Note extends Upsert {
  readonly whole: string;
}

/** Makes the comment and puts it where it belongs; answers the exit code. */
export async function comment(
  file: string,
  flags: CommentFlags,
  terminal: Terminal,
  env: Environment = process.env,
): Promise<number> {
  const say = (text: string) => terminal.err(`trustplane: ${text}\n`);
  try {
    const note = await noteOf(file, flags, terminal);
    if (flags.output !== undefined) writeFileSync(flags.output, note.whole);
    if (flags.dryRun) {
      terminal.out(note.body);
      return 0;
    }
    const { issue = false, pullRequest } = flags;
    const notes = notesOf(env, { issue, pullRequest, log: say });
    const { done, url } = await upsert(notes, note);
    terminal.out(`${notes.what}: ${done}${url ? ` (${url})` : ""}\n`);
    return 0;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function noteOf(file: string, flags: CommentFlags, { input }: Terminal): Promise<Note> {
  const text = await readText(file, input);
  const report = driftReportIn(text);
  if (report !== undefined) return noteOfDrift(report, flags);
  const log = flags.log === undefined ? "" : await readText(flags.log, input);
  return noteOfPreview(withLog(readPreview(text), text, log), flags);
}

function noteOfDrift(report: DriftReport, { stack = report.stack, issue = false }: CommentFlags): Note {
  const name = demandStack(stack);
  const marker = markerOf("drift", name);
  // An issue that is closed on "could not tell" would look like "no drift".
  const state = issue && report.result === "none" ? "close" : "open";
  const whole = driftComment(report, marker, Number.POSITIVE_INFINITY);
  return { body: driftComment(report, marker), whole, title: `Drift in ${name}`, marker, state };
}

function noteOfPreview(preview: Preview, flags: CommentFlags): Note {
  const name = demandStack(flags.stack ?? preview.stack);
  const marker = markerOf("preview", name);
  const { findings } = lint(lintedSteps(preview.steps), {
    limits: { ttlSeconds: flags.maxTtl },
    exceptions: flags.ignore === undefined ? [] : readExceptions(flags.ignore).silence,
    today: new Date().toISOString().slice(0, 10),
  });
  const options = { stack: name, marker, findings };
  const whole = previewComment(preview, { ...options, longest: Number.POSITIVE_INFINITY });
  return { body: previewComment(preview, options), whole, title: `Preview of ${name}`, marker, state: "open" };
}

/** A preview that is none failed before it could say so: what it wrote instead is the error. */
function withLog(preview: Preview | undefined, text: string, log: string): Preview {
  const words = [text, log].map((each) => visibleText(each).trim()).filter((each) => each !== "");
  if (preview === undefined) {
    const errors = words.length > 0 ? words : ["the preview wrote nothing"];
    return { steps: [], same: [], unchanged: 0, errors, warnings: [] };
  }
  return preview;
}

function demandStack(name: string | undefined): string {
  if (name !== undefined && name !== "") return name;
  throw new ProviderError("ConfigError", "the input does not say which stack it is about: give --stack.");
}

function driftReportIn(text: string): DriftReport | undefined {
  const value = Object(parseJson(text));
  const form = String(value.format);
  // Written by this package: what has the form is a report.
  if (form === "trustplane-drift-report/1") return value as DriftReport;
  if (!form.startsWith("trustplane-drift-report/")) return undefined;
  throw new ProviderError(
    "InputError",
    "the drift report is of another release of trustplane: use the same one for both.",
  );
}
