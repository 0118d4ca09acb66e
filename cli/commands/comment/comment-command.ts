import { ProviderError } from "../../../provider/core/errors";
import { messageOf } from "../../../provider/engine/operation";
import type { DriftReport } from "../../facts/drift/report";
import { cutReport, driftReportIn } from "../../facts/drift/report-in";
import { readDocument, readText } from "../../io/read-text";
import { say, type Terminal } from "../../io/terminal";
import { writeReport } from "../../io/write-report";
import { previewIn } from "../../sources/read-stack";
import { ownSteps } from "../../stack/desired-stack";
import { assertSomeOurs } from "../../stack/not-compared";
import { failedPreview, type Preview } from "../../stack/preview";
import { shortLine } from "../../text/visible-text";
import { driftComment } from "../../views/comment/drift-comment";
import { LONGEST_COMMENT, markerOf } from "../../views/comment/fitted";
import { previewComment } from "../../views/comment/preview-comment";
import { reviewOf } from "../../views/comment/review";
import { type TrustTestRun, trustTestsOf } from "../../views/comment/trust-test-run";
import type { CommentFlags } from "./comment-flags";
import { type Upsert, upsert } from "./upsert";
import { notesOf } from "./which-forge";

/** A comment or issue for a forge. `body` makes its text, shortened to a length. */
interface Note extends Omit<Upsert, "body"> {
  body(longest: number): string;
  /** Where the comment is not all there is to say: the exit code, and why. */
  readonly code?: TrustTestRun["code"];
  readonly reason?: string | undefined;
}

/** Writes the comment or the issue. Returns the exit code. */
export async function comment(flags: CommentFlags, terminal: Terminal): Promise<number> {
  const { body, code = 0, reason, ...note } = await noteOf(flags, terminal);
  if (reason !== undefined) say(reason, terminal);
  if (flags.output !== undefined) writeReport(flags.output, body(Number.POSITIVE_INFINITY));
  if (flags.dryRun) {
    terminal.out(body(LONGEST_COMMENT));
    return code;
  }
  const { issue = false, pullRequest } = flags;
  const notes = notesOf(process.env, { issue, pullRequest, log: (text) => say(text, terminal) });
  const { done, url } = await upsert(notes, { ...note, body: body(notes.longest) });
  terminal.out(`${notes.what}: ${done}${url ? ` (${url})` : ""}\n`);
  return code;
}

async function noteOf(flags: CommentFlags, terminal: Terminal): Promise<Note> {
  const { file } = flags;
  if (file !== undefined && flags.preview !== undefined)
    throw new ProviderError("ConfigError", `--preview takes no file beside it: leave ${file} out.`);
  const text = await readDocument(file ?? flags.preview ?? "-", terminal, "a preview or a drift report");
  const report = driftReportIn(text);
  if (report !== undefined) {
    if (flags.trust === undefined) return noteOfDrift(report, flags);
    throw new ProviderError("ConfigError", "--trust tests a preview, and this is a drift report: leave --trust out.");
  }
  // An issue is about drift, and only a drift report knows whether there is any.
  if (flags.issue) throw cutReport("no report of trustplane drift --json");
  const log = flags.log === undefined ? "" : await readText(flags.log, terminal);
  return noteOfPreview(previewIn(text) ?? failedPreview(text, log), flags);
}

function noteOfDrift(report: DriftReport, { stack = report.stack, issue = false }: CommentFlags): Note {
  const name = demandStack(stack);
  const marker = markerOf("drift", name);
  // An issue that is closed on "could not tell" would look like "no drift".
  const state = issue && report.result === "none" ? "close" : "open";
  const body = (longest: number) => driftComment(report, marker, longest);
  return { body, title: `Drift in ${shortLine(name, LONGEST_TITLE)}`, marker, state };
}

async function noteOfPreview(preview: Preview, flags: CommentFlags): Promise<Note> {
  const name = demandStack(flags.stack ?? preview.stack);
  const marker = markerOf("preview", name);
  const review = reviewOf(preview, flags);
  const tests = flags.trust === undefined ? undefined : await trustTestsOf(preview, flags.trust);
  const body = (longest: number) => previewComment(preview, { stack: name, marker, review, tests, longest });
  const title = `Preview of ${shortLine(name, LONGEST_TITLE)}`;
  return {
    body,
    title,
    marker,
    state: "open",
    ...codeOf(preview),
    ...(tests && { code: tests.code, reason: tests.reason }),
  };
}

/** A preview of what others manage says nothing about trust. Its comment is written in any case. */
function codeOf(preview: Preview): Pick<Note, "code" | "reason"> {
  try {
    if (preview.errors.length === 0) assertSomeOurs("preview", ownSteps(preview), preview.others);
    return {};
  } catch (error) {
    return { code: 1, reason: messageOf(error) };
  }
}

/** Forges take 255 characters. */
const LONGEST_TITLE = 200;

function demandStack(name: string | undefined): string {
  if (name !== undefined && name !== "") return name;
  throw new ProviderError("ConfigError", "the input does not say which stack it is about: give --stack.");
}
