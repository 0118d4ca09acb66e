const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const works = new Set<() => Promise<void>>();

/** Does some last work before a signal ends the process, which waits for all of it. Returns what gives it up again. */
export function beforeSignalEnds(work: () => Promise<void>): () => void {
  if (works.size === 0) for (const signal of SIGNALS) process.once(signal, end);
  works.add(work);
  return () => {
    works.delete(work);
    if (works.size === 0) stopListening();
  };
}

function end(signal: NodeJS.Signals): void {
  const all = [...works];
  works.clear();
  stopListening();
  // Nobody listens to the signal any more, so that it ends the process.
  void Promise.allSettled(all.map((work) => work())).then(() => process.kill(process.pid, signal));
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}
