/** Milliseconds that the work takes. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** One pass over all items, `width` of them at a time: the wall time divided by the items. */
export async function millisecondsPerItem<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  return (await milliseconds(() => Promise.all(Array.from({ length: width }, lane)))) / items.length;
}
