const capacity = 10_000;

/** One answered request. Bodies, headers and tokens are never kept. */
export interface LoggedRequest {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** The names of the query's parameters; their values may be secrets (Consul takes a token there). */
  readonly parameters: readonly string[];
  /** 0 when the connection was cut by a fault. */
  readonly status: number;
  readonly at: string;
  /** The script of the fault that answered, if one did. */
  readonly fault?: string;
}

export interface RequestLog {
  add(request: LoggedRequest): void;
  all(): readonly LoggedRequest[];
  clear(): void;
}

const longestPath = 2000;

/** The part of a path or query that is logged: a client may send a megabyte of it. */
export function loggedPart(text: string): string {
  if (text.length <= longestPath) return text;
  // A slice of a string would keep the whole string in memory.
  return Buffer.from(text.slice(0, longestPath)).toString();
}

/** Keeps the latest requests in memory, the oldest first. */
export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  return {
    add: (request) => {
      requests.push(request);
      if (requests.length > capacity) requests = requests.slice(-capacity / 2);
    },
    all: () => [...requests],
    clear: () => {
      requests = [];
    },
  };
}
