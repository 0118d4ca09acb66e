/** The function of Pulumi's SDK that takes a trace of each promise that it keeps. */
const TAKES_TRACES = "debuggablePromise";

/**
 * Leaves the traces of Pulumi's own promises empty until the answered function is called, at the end of a constructor. Pulumi
 * takes four for each property and translates every frame through source maps: half of the time of a large preview. It prints
 * them only with PULUMI_DEBUG_PROMISE_LEAKS. The traces of errors stay whole, and so does the one with the position of the
 * declaration. A lower `Error.stackTraceLimit` would cut those of errors too.
 */
export function skipPromiseTraces(): () => void {
  // Undefined in a realm of its own, such as that of a test runner: there nothing is translated.
  const prepare: typeof Error.prepareStackTrace | undefined = Error.prepareStackTrace;
  if (prepare === undefined || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => {};
  Error.prepareStackTrace = (error, frames) =>
    frames[0]?.getFunctionName() === TAKES_TRACES ? String(error) : prepare.call(Error, error, frames);
  return () => {
    Error.prepareStackTrace = prepare;
  };
}
