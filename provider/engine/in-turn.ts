const last = new Map<string, Promise<unknown>>();

/**
 * Does the work when all that came before it in its queue has ended, well or not. The queue without a name serves the whole
 * process: two connections can lead to one server.
 */
export function inTurn<T>(work: () => Promise<T>, queue = ""): Promise<T> {
  const result = (last.get(queue) ?? Promise.resolve()).then(work, work);
  last.set(queue, result);
  return result;
}
