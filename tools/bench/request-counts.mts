import type { CountedRequest } from "./bench-server.mts";

/** How many requests of each kind one operation sent to one service. */
export interface RequestCounts {
  /** Which server this is. */
  readonly version: number;
  readonly write: number;
  readonly read: number;
  readonly list: number;
  readonly delete: number;
}

/** What is expected of them: an exact number, or at most so many. */
export type RequestTarget = Readonly<Partial<Record<keyof RequestCounts, number | { readonly atMost: number }>>>;

const kinds = ["version", "write", "delete", "read", "list"] as const satisfies (keyof RequestCounts)[];
const plurals = { version: "versions", write: "writes", delete: "deletes", read: "reads", list: "lists" } as const;
const versionPaths = /^\/v1\/(sys\/health|connect\/ca\/roots)$/;
/** Collections that are read with a plain GET. */
const listPaths = /\/(parameters|peerings)$/;

export function requestCounts(requests: readonly CountedRequest[]): RequestCounts {
  const count = (kind: keyof RequestCounts) => requests.filter((request) => kindOf(request) === kind).length;
  return {
    version: count("version"),
    write: count("write"),
    read: count("read"),
    list: count("list"),
    delete: count("delete"),
  };
}

/** What a target does not name must not happen; the version may always be asked for, once. */
export function isMet(target: RequestTarget, counts: RequestCounts): boolean {
  return kinds.every((kind) => {
    const expected = target[kind] ?? (kind === "version" ? { atMost: 1 } : 0);
    return typeof expected === "number" ? counts[kind] === expected : counts[kind] <= expected.atMost;
  });
}

/** Such as `5 writes, at most 5 reads`. */
export function targetText(target: RequestTarget): string {
  const parts = kinds.flatMap((kind) => {
    const expected = target[kind];
    if (expected === undefined) return [];
    if (typeof expected === "number") return [amount(expected, kind)];
    return [expected.atMost === Infinity ? `any ${plurals[kind]}` : `at most ${amount(expected.atMost, kind)}`];
  });
  return parts.length === 0 ? "none" : parts.join(", ");
}

/** Such as `1 version, 5 writes`. */
export function countsText(counts: RequestCounts): string {
  return targetText(Object.fromEntries(kinds.filter((kind) => counts[kind] > 0).map((kind) => [kind, counts[kind]])));
}

function amount(count: number, kind: keyof RequestCounts): string {
  return `${count} ${count === 1 ? kind : plurals[kind]}`;
}

function kindOf({ method, path, query }: CountedRequest): keyof RequestCounts {
  if (method === "DELETE") return "delete";
  if (method === "LIST") return "list";
  if (method !== "GET") return "write";
  if (versionPaths.test(path)) return "version";
  return listPaths.test(path) || new URLSearchParams(query).get("list") === "true" ? "list" : "read";
}
