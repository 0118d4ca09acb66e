/** Does the work for all items, `width` of them at a time; the answers are in the order of the items. */
export async function inFlight<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const answers = new Array<R>(items.length);
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return answers;
}
