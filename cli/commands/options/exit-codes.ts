/** What a command says with its exit code. 1 is for everybody: it could not do its work. 2 is a finding, never a mistake. */
interface ExitCodes {
  readonly 0: string;
  readonly 1: string;
  readonly 2?: string;
}

/** One row for each command, in the order of the command's own list. */
export const EXIT_CODES = {
  serve: { 0: "ended by a signal", 1: "it could not start" },
  drift: { 0: "no drift", 1: "could not tell: a server or the state could not be read, at least in part", 2: "drift" },
  comment: {
    0: "done, also for a preview that failed: the comment says so",
    1: "the input cannot be read or was cut, the forge refused, or the tests of --trust could not run (the comment is written all the same)",
    2: "a test of --trust failed: the comment is written, and names it",
  },
  lint: { 0: "no notes", 1: "could not look: the input cannot be read", 2: "notes" },
  adopt: {
    0: "written",
    1: "a server could not be read, at least in part (the project has what could be read), or the folder is not empty",
  },
  doctor: { 0: "nothing failed", 1: "a check failed, or there is no state or no connection" },
  permissions: { 0: "printed", 1: "the state or the preview cannot be read, or it has no such connection" },
  login: { 0: "logged in", 1: "not logged in" },
  map: { 0: "the map is written", 1: "it could not be made: the input cannot be read" },
  test: { 0: "all tests passed", 1: "could not test: a file cannot be read", 2: "a test failed" },
  explain: {
    0: "explained; of a token: it would log in",
    1: "could not explain: the input cannot be read",
    2: "of a token: it would not log in",
  },
} as const satisfies Readonly<Record<string, ExitCodes>>;

/** The part of a command's help. */
export function exitCodesHelp(command: keyof typeof EXIT_CODES): string {
  const codes: ExitCodes = EXIT_CODES[command];
  const lines = Object.entries(codes).map(([code, meaning]) => `  ${code}  ${meaning}`);
  return `Exit codes; 1 also for a wrong command line\n${lines.join("\n")}`;
}
