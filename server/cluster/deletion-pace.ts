const burst = 10;
const intervalMs = 100;

/** How long each deletion of a peering has to wait: the first ten not at all, then ten go in a second, as in Consul. */
export function createDeletionPace(nowMs: () => number): () => number {
  let nextMs = Number.NEGATIVE_INFINITY;
  return () => {
    const now = nowMs();
    const turnMs = Math.max(nextMs, now);
    nextMs = turnMs + intervalMs;
    return Math.max(0, turnMs - now - (burst - 1) * intervalMs);
  };
}
