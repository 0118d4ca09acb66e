const defaultWaitMs = 300_000;
const maximumWaitMs = 600_000;
const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const maxUint64 = 2n ** 64n - 1n;
// Go counts nanoseconds in 63 bits.
const longestMs = Number(2n ** 63n / 1_000_000n);

export interface BlockingQuery {
  readonly minimumIndex: number;
  readonly waitMs: number;
  /** What is wrong with the query. Consul writes it with 400 and then appends the answer all the same. */
  readonly complaint?: string;
}

export function parseBlockingQuery(url: string): BlockingQuery {
  const query = new URL(url).searchParams;
  const wait = query.get("wait") ?? "";
  const waitMs = wait === "" ? 0 : millisecondsFromText(wait);
  const index = query.get("index") ?? "";
  const unblocked = { minimumIndex: 0, waitMs: 0 };
  if (waitMs === undefined) return { ...unblocked, complaint: "Invalid wait time" };
  if (index !== "" && !(/^\d+$/.test(index) && BigInt(index) <= maxUint64))
    return { ...unblocked, complaint: "Invalid index" };
  if (query.has("stale") && query.has("consistent")) {
    return { ...unblocked, complaint: "Cannot specify ?stale with ?consistent, conflicting semantics." };
  }
  return { minimumIndex: Number(index), waitMs: Math.min(waitMs > 0 ? waitMs : defaultWaitMs, maximumWaitMs) };
}

/** Go's duration grammar, which wants a unit. */
function millisecondsFromText(text: string): number | undefined {
  if (!/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)([a-zµμ]+)/g)];
  const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ""] ?? 0), 0);
  if (total > longestMs) return undefined;
  return text.startsWith("-") ? -total : total;
}

export interface Snapshot<T> {
  /** Absent when there is nothing to show. */
  readonly value?: T;
  readonly index: number;
}

interface Watch<T> {
  readonly query: BlockingQuery;
  readonly look: () => Snapshot<T>;
  readonly nextChange: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Answers as soon as the index passes the query's, and with what it saw before when the wait runs out. */
export async function blockingQuery<T>({ query, look, nextChange, signal }: Watch<T>): Promise<Snapshot<T>> {
  let snapshot = look();
  if (query.minimumIndex === 0) return snapshot;
  // Up to a sixteenth is added so that many waiting clients do not return at once.
  const timeout = AbortSignal.timeout(Math.ceil(query.waitMs * (1 + Math.random() / 16)));
  const over = AbortSignal.any([timeout, signal]);
  let minimumIndex = query.minimumIndex;
  while (snapshot.index <= minimumIndex && !over.aborted) {
    const wasAbsent = snapshot.value === undefined;
    await nextChange(over);
    if (over.aborted) break;
    snapshot = look();
    // What was absent and still is has not changed, whatever its table's index says.
    if (wasAbsent && snapshot.value === undefined) minimumIndex = Math.max(minimumIndex, snapshot.index);
  }
  return snapshot;
}
