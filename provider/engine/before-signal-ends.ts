const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Does some last work before a signal ends the process. Returns what gives it up again. */
export function beforeSignalEnds(work: () => Promise<void>): () => void {
  const giveUp = () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    giveUp();
    // Nobody listens to the signal any more, so that it ends the process.
    const rest = () => process.kill(process.pid, signal);
    work().then(rest, rest);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return giveUp;
}
