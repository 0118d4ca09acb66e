/** Something that cannot be done with the data file. The message is one line, for the user. */
export class DataFailure extends Error {}

/** The low byte of SQLite's result codes (https://www.sqlite.org/rescode.html). */
const codes = { busy: 5, readOnly: 8, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

const notOurs = "it is not a data file of trustplane; name another file, this one is left as it is";

/** What is wrong with a file that cannot be opened. */
export function openingFailure(file: string, error: unknown): DataFailure {
  return new DataFailure(`cannot open the data file ${file}: ${openingProblem(error)}`, { cause: error });
}

export function foreignFailure(file: string): DataFailure {
  return new DataFailure(`cannot open the data file ${file}: ${notOurs}`);
}

export function newerFailure(file: string, { found, known }: { found: number; known: number }): DataFailure {
  const formats = `format ${found}, this one knows ${known}`;
  return new DataFailure(
    `cannot open the data file ${file}: a newer trustplane has written it (${formats}); use that version, or name another file`,
  );
}

export function profileFailure(file: string, { found, wanted }: { found: string; wanted: string }): DataFailure {
  return new DataFailure(
    `cannot open the data file ${file}: its profile is ${found}, not ${wanted}; start with that one, or name another file`,
  );
}

/** The change is not written yet; it is written together with the next change that succeeds. */
export function writingFailure(file: string, error: unknown): DataFailure {
  return new DataFailure(
    `cannot write the data file ${file}: ${problem(error)}; this change is lost unless a later one can be written`,
    { cause: error },
  );
}

function openingProblem(error: unknown): string {
  switch (codeOf(error)) {
    case codes.busy:
      return "another process uses it; stop that one, or name another file";
    case codes.notADatabase:
      return notOurs;
    case codes.readOnly:
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "it cannot be written; change its permissions, or name another file";
    case "ENOENT":
      return "its folder does not exist; create the folder first";
    case "ENOTDIR":
      return "its folder is a file; name another file";
    case codes.cannotOpen:
      return "it is not a file, or cannot be written; change that, or name another file";
    default:
      return `it is damaged (${problem(error)}); restore a copy of it, or name another file`;
  }
}

function codeOf(error: unknown): number | string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function problem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, " ");
}
