/**
 * Pulumi's dynamic host prints the text and the stack of a thrown error, and then reports its message. This error has no
 * stack, so the user reads the message once.
 */
export function quietError(error: unknown, shown: (message: string) => string = (message) => message): Error {
  const quiet = new Error(shown(error instanceof Error ? error.message : String(error)));
  quiet.stack = "";
  return quiet;
}
