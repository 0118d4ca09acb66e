import type { Definition } from "../../provider/core/definition.ts";
import type { RequestBudget } from "./contract-case.ts";
import type { FaultName } from "./contract-fault.ts";
import type { ServiceName } from "./contract-raw.ts";

/** One request as the provider sent it. Headers and bodies are not kept: they hold credentials. */
export interface SeenRequest {
  readonly service: ServiceName;
  readonly method: string;
  /** With the query. */
  readonly url: string;
}

/** What passes between the provider and the servers, and which of it fails. */
export interface Traffic {
  seen(): readonly SeenRequest[];
  /** Forgets what was seen. */
  forget(): void;
  /** Lets the n-th request from now on fail, the first being 1. */
  strike(nth: number, fault: FaultName): void;
  /** Lets every request fail that this says yes to. */
  strikeAll(when: (request: SeenRequest) => boolean, fault: FaultName): void;
  /** Lets the first request that this says yes to wait, before the server sees it, until the work is done. */
  hold(when: (request: SeenRequest) => boolean, work: () => Promise<unknown>): void;
  /** The first request that was hit, if one was. */
  struck(): SeenRequest | undefined;
  /** Reads come from a node that is behind: the first one of each path after a write is answered as before it. */
  isBehind: boolean;
  /** Lets everything pass again. */
  calm(): void;
  /** Resolves with the next request that comes in. */
  next(): Promise<SeenRequest>;
  /** For the proxies: ends when the request may go on. */
  held(request: SeenRequest): Promise<unknown>;
  /** For the proxies: notes a request and says how it fails. */
  take(request: SeenRequest): FaultName | undefined;
}

interface Plan {
  readonly fault: FaultName;
  hits(request: SeenRequest, nth: number): boolean;
}

interface Holding {
  holds(request: SeenRequest): boolean;
  work(): Promise<unknown>;
}

export function createTraffic(): Traffic {
  let seen: SeenRequest[] = [];
  let waiting: ((request: SeenRequest) => void)[] = [];
  let plan: Plan | undefined;
  let since = 0;
  let struck: SeenRequest | undefined;
  let holding: Holding | undefined;
  const setPlan = (next: Plan | undefined) => {
    plan = next;
    since = 0;
    struck = undefined;
  };
  return {
    seen: () => [...seen],
    forget: () => {
      seen = [];
    },
    strike: (nth, fault) => setPlan({ hits: (_, count) => count === nth, fault }),
    strikeAll: (when, fault) => setPlan({ hits: when, fault }),
    hold: (when, work) => {
      holding = { holds: when, work };
    },
    struck: () => struck,
    isBehind: false,
    calm: () => setPlan(undefined),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async held(request) {
      if (!holding?.holds(request)) return;
      const { work } = holding;
      holding = undefined;
      await work();
    },
    take(request) {
      seen.push(request);
      for (const tell of waiting) tell(request);
      waiting = [];
      since += 1;
      if (!plan?.hits(request, since)) return undefined;
      struck ??= request;
      return plan.fault;
    },
  };
}

/** Requests that only ask which server this is: sent at most once per connection. */
export function isProbe({ url }: SeenRequest): boolean {
  return /^\/v1\/sys\/(health|seal-status)/.test(url) || url.startsWith("/v1/connect/ca/roots");
}

/** Requests that ask what is mounted: once a run before the first write into a mount. */
export function isMountsList({ method, url }: SeenRequest): boolean {
  return method === "GET" && /^\/v1\/sys\/(auth|mounts)$/.test(url);
}

/** Requests of which the budget of a case says that only a look ahead asks them. */
export function isLookAhead({ ahead = [] }: Pick<RequestBudget, "ahead">, request: SeenRequest): boolean {
  const prefix = request.service === "policy" ? " /api/v2/" : " /v1/";
  return ahead.some((line) => lineOf(request).startsWith(line.replace(" ", prefix).replace(/\{.*/, "")));
}

/** Whether the preview of a change looks at the record, which may have been changed, renamed, made anew, rotated or added to. The update looks again. */
export function isForeseen({ members }: Definition): boolean {
  return members === undefined;
}

/** `GET /v1/auth/jwt/role/ci`, for tests that compare. */
export function lineOf({ method, url }: SeenRequest): string {
  return `${method} ${url}`;
}
