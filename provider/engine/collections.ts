import { ProviderError } from "../core/errors";
import type { Expects } from "../dialects/dialect";
import { withoutQuery } from "./answer";
import type { ApiRequest, Reply } from "./api-request";
import { unlessAborted } from "./unless-aborted";

export interface CollectionOptions {
  /** What the answer must be; what the API answers to that path when not given. */
  readonly expects?: Expects | undefined;
  /** Ends the caller's wait; others may wait for the same answer. */
  readonly signal?: AbortSignal | undefined;
}

/** Fetched collections, shared by all records that are looked up in them. */
export interface Collections {
  show(path: string, id: string, options: CollectionOptions): Promise<Reply>;
  /** To be called around a write: what was fetched before is old then. */
  forget(): void;
}

type Fetch = (request: ApiRequest) => Promise<Reply>;

/** A collection at one time. Each record is looked up in it once; a second look fetches the collection anew. */
interface Snapshot {
  readonly reply: Promise<Reply>;
  readonly takenAt: number;
  readonly shownTo: Set<string>;
  /** Ends the shared request. It is no caller's own, as a caller that gives up must not fail the others. */
  readonly controller: AbortController;
  waiting: number;
}

const SNAPSHOT_MS = 10_000;
/** With the API's pages this is a list of a hundred thousand records. */
const MOST_PAGES = 1000;

export function createCollections(fetch: Fetch): Collections {
  const snapshots = new Map<string, Snapshot>();

  function take(path: string, expects: Expects | undefined): Snapshot {
    const controller = new AbortController();
    const reply = allPages(fetch, { method: "GET", path, expects, signal: controller.signal });
    const snapshot = { reply, takenAt: Date.now(), shownTo: new Set<string>(), controller, waiting: 0 };
    snapshots.set(path, snapshot);
    // A failure is not kept: the next one to ask tries again.
    reply.catch(() => drop(path, snapshot));
    return snapshot;
  }

  function drop(path: string, snapshot: Snapshot): void {
    if (snapshots.get(path) === snapshot) snapshots.delete(path);
  }

  return {
    async show(path, id, { expects, signal }) {
      const known = snapshots.get(path);
      const isFresh = known && !known.shownTo.has(id) && Date.now() - known.takenAt < SNAPSHOT_MS;
      const snapshot = isFresh ? known : take(path, expects);
      snapshot.shownTo.add(id);
      snapshot.waiting++;
      try {
        return await unlessAborted(snapshot.reply, signal);
      } finally {
        if (--snapshot.waiting === 0 && signal?.aborted) {
          drop(path, snapshot);
          snapshot.controller.abort(signal.reason);
        }
      }
    },
    forget: () => snapshots.clear(),
  };
}

/** Follows the links to the next page, of the same list and none of them twice. */
async function allPages(fetch: Fetch, first: ApiRequest): Promise<Reply> {
  const whole = await fetch(first);
  if (whole.kind === "absent" || !Array.isArray(whole.record)) return whole;
  const [records, asked] = [[...whole.record], new Set([first.path])];
  let { filtered, next } = whole;
  while (next !== undefined) {
    if (!isPageOf(first.path, next)) throw broken(first, "its link to the next page leads to another path");
    if (asked.has(next)) throw broken(first, "its link to the next page leads back to one that was read");
    if (asked.size >= MOST_PAGES) throw broken(first, `it has more than ${MOST_PAGES} pages`);
    asked.add(next);
    const page = await fetch({ ...first, path: next });
    // The page was emptied since it was linked to.
    if (page.kind === "absent") break;
    for (const record of [page.record].flat()) records.push(record);
    filtered ||= page.filtered;
    next = page.next;
  }
  return { ...whole, record: records, filtered, next: undefined };
}

function isPageOf(list: string, page: string): boolean {
  return decodeURI(withoutQuery(list)) === decodeURI(withoutQuery(page));
}

function broken({ method, path }: ApiRequest, what: string): ProviderError {
  return new ProviderError("ResponseError", `the list cannot be used: ${what} (${method} ${withoutQuery(path)}).`);
}
