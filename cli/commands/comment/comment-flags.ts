import { type Command, InvalidArgumentError, Option } from "commander";
import type { ReviewOptions } from "../../views/comment/review";
import { helpText } from "../options/help-text";
import { ignoreOption, maxTtlOption } from "../options/parsed-options";
import { addStackOptions } from "../options/stack-options";

/** The command line of `trustplane comment`, as commander gives it. */
export interface CommentFlags extends ReviewOptions {
  readonly file?: string | undefined;
  readonly preview?: string;
  /** The name that the comment says. */
  readonly stack?: string;
  readonly log?: string;
  readonly issue?: boolean;
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly pullRequest?: number;
  readonly trust?: string;
}

/** `trustplane comment`, with its flags. */
export function addComment(program: Command, run: (flags: CommentFlags) => Promise<void>): void {
  const command = program
    .command("comment")
    .summary("put a preview or a drift report into a pull request or an issue")
    .description(
      "Make a comment of a preview or a drift report and put it into the pull request, or an issue, that the CI job is about. The earlier comment of the stack is edited: there is never a second one.",
    )
    .action((file: string | undefined, flags: CommentFlags) => run({ ...flags, file }));
  addStackOptions(command, "comment")
    .option(
      "--stack <name>",
      "name of the stack, for an input that lacks it: a plan of Terraform, or a preview that failed early",
    )
    .option(
      "--log <file>",
      "what the preview wrote to the standard error; shown when the preview failed and wrote no JSON",
    )
    .option("--issue", "an issue instead of a comment: opened or edited for drift, closed when there is none")
    .option("--dry-run", "print the text, send nothing")
    .option("--output <file>", "also write the whole text to this file, however long it is")
    .addOption(
      new Option("--pull-request <number>", "the pull or merge request (default: that of the job)").argParser(number),
    )
    .addOption(ignoreOption())
    .option(
      "--base-ignore <file>",
      "the same file from the base branch: exceptions that the change itself adds are marked",
    )
    .addOption(maxTtlOption())
    .option("--trust <file>", "run the tests of trustplane test in this file; the preview needs --show-sames")
    .addHelpText("after", helpText("comment", { about: ABOUT, examples: EXAMPLES }));
}

const ABOUT = `
GitHub   GITHUB_TOKEN (permissions: pull-requests: write, and issues: write for --issue), GITHUB_REPOSITORY,
         GITHUB_API_URL, GITHUB_EVENT_PATH
GitLab   GITLAB_TOKEN (project access token, scope api: CI_JOB_TOKEN cannot write notes), CI_API_V4_URL, CI_PROJECT_ID,
         CI_MERGE_REQUEST_IID
CI jobs of both have all of these variables, except the token.

Only a comment or an issue of the token's own account is edited: anybody can copy the marker by which it is found.

Secrets are masked: what changed shows as a changed fingerprint. The notes of trustplane lint on what changes are in the
comment, and those that exceptions silence are counted. A text that is too long is shortened, and says so.
`;

const EXAMPLES = [
  "pulumi preview --json > preview.json 2> preview.log; trustplane comment preview.json --log preview.log --stack acme/dev",
  "pulumi preview --json --show-sames | trustplane comment --trust trust.yml",
  "terraform show -json plan | trustplane comment --stack acme/dev",
  "trustplane drift --json | trustplane comment --issue",
];

function number(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a number, such as 7.");
}
