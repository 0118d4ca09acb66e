/** What a command says with its exit code. 1 is for everybody: it could not do its work. 2 is a finding, never a mistake. */
interface ExitCodes {
  readonly 0: string;
  readonly 1: string;
  readonly 2?: string;
}

/** How a command comes to what it looks at. Flags, help and the page of all commands follow from it. */
export interface CommandInput {
  readonly takes: "a state" | "a state or a preview" | "a preview or a drift report";
  /**
   * What a pipe with nothing in it means. `refused`: what should have written into it has failed. A job of GitLab always has such a pipe, so
   * commands that are about the selected stack, or about no stack, go on with that.
   */
  readonly emptyPipe: "refused" | "selected stack" | "no stack";
  /** Whether it can look at servers in place of a stack. */
  readonly live?: boolean;
}

export interface CommandRow {
  readonly input?: CommandInput;
  /** With which flag it looks at a stack; absent where it always does. */
  readonly only?: string;
  readonly codes: ExitCodes;
}

const ANY = { takes: "a state or a preview", emptyPipe: "refused" } as const;

/** One row for each command, in the order of the command's own list. */
export const COMMANDS = {
  serve: { codes: { 0: "ended by a signal", 1: "it could not start" } },
  drift: {
    input: { takes: "a state", emptyPipe: "selected stack" },
    codes: {
      0: "no drift",
      1: "could not tell: a server or the state could not be read, at least in part, or the state has no resource",
      2: "drift",
    },
  },
  comment: {
    input: { takes: "a preview or a drift report", emptyPipe: "refused" },
    codes: {
      0: "done, also for a preview that failed: the comment says so",
      1: "the input cannot be read or was cut, the forge refused, or the tests of --trust could not run (the comment is written all the same)",
      2: "a test of --trust failed: the comment is written, and names it",
    },
  },
  lint: {
    input: ANY,
    codes: {
      0: "no notes, or none that --fail-on counts",
      1: "could not look: the input cannot be read",
      2: "notes, of the severity of --fail-on or a worse one",
    },
  },
  adopt: {
    input: { takes: "a state", emptyPipe: "selected stack" },
    only: "--diff",
    codes: {
      0: "written",
      1: "a server could not be read, at least in part (the project has what could be read), or the folder is not empty",
    },
  },
  doctor: {
    input: { takes: "a state", emptyPipe: "no stack" },
    codes: { 0: "nothing failed", 1: "could not look: there is no state or no connection", 2: "a check failed" },
  },
  permissions: {
    input: { takes: "a state or a preview", emptyPipe: "selected stack" },
    codes: { 0: "printed", 1: "the state or the preview cannot be read, or it has no such connection" },
  },
  login: { codes: { 0: "logged in", 1: "not logged in" } },
  map: {
    input: { ...ANY, live: true },
    codes: { 0: "the map is written", 1: "it could not be made: the input cannot be read" },
  },
  test: {
    input: { ...ANY, live: true },
    codes: { 0: "all tests passed", 1: "could not test: a file cannot be read", 2: "a test failed" },
  },
  explain: {
    input: { ...ANY, live: true },
    codes: {
      0: "explained; of a token: it would log in",
      1: "could not explain: the input cannot be read, or has no such role or policy",
      2: "of a token: it would not log in",
    },
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof COMMANDS;
