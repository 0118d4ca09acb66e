/**
 * The dynamic host writes text and stack of a thrown error to the diagnostics, and then reports its message: said once
 * is enough, and a stack is of no use to the user.
 */
export function quietError(error: unknown, shown: (message: string) => string = (message) => message): Error {
  const quiet = new Error(shown(error instanceof Error ? error.message : String(error)));
  quiet.stack = "";
  return quiet;
}
