let last: Promise<unknown> = Promise.resolve();

/**
 * Does the work when all that came before it has ended, well or not. One queue serves the whole process: two connections
 * can lead to one server.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work);
  last = result;
  return result;
}
