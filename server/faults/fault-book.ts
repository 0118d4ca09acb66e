import type { Incoming } from "../http/exchange";
import type { Service } from "../service";
import type { FaultScript } from "./fault-script";

/** What a script is matched with. */
export interface FaultableRequest {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
}

export interface PlacedFault extends FaultScript {
  readonly id: number;
}

export interface FaultBook {
  add(script: FaultScript): PlacedFault;
  all(): readonly PlacedFault[];
  remove(id: number): boolean;
  clear(): void;
  /** The first fault that matches this request. It is counted down. */
  take(request: FaultableRequest): FaultScript | undefined;
}

/** The scripts in the order in which they were added, without those that are used up. */
export function createFaultBook(scripts: readonly FaultScript[] = []): FaultBook {
  let placed: PlacedFault[] = [];
  let nextId = 1;
  const book: FaultBook = {
    add: (script) => {
      const fault = { ...script, id: nextId };
      nextId += 1;
      placed.push(fault);
      return fault;
    },
    all: () => [...placed],
    remove: (id) => {
      const before = placed.length;
      placed = placed.filter((fault) => fault.id !== id);
      return placed.length < before;
    },
    clear: () => {
      placed = [];
    },
    take: (request) => {
      const fault = placed.find((candidate) => strikes(candidate, request));
      if (fault?.times === undefined) return fault;
      const left = fault.times - 1;
      placed =
        left === 0
          ? placed.filter(({ id }) => id !== fault.id)
          : placed.map((other) => (other === fault ? { ...fault, times: left } : other));
      return fault;
    },
  };
  for (const script of scripts) book.add(script);
  return book;
}

/** The request as scripts name it: no prefix of the API, unescaped, and a list is a LIST however it was asked for. */
export function faultableRequest(service: Service, { method, path, query }: Incoming): FaultableRequest {
  const lists = method === "GET" && /(?:^|&)list=(?:1|t|T|true|TRUE|True)(?:&|$)/.test(query);
  return {
    service,
    method: lists ? "LIST" : method,
    path: path.replace(/^\/(?:v1\/|api\/v2\/)?/, "").replace(/\/$/, ""),
  };
}

function strikes(fault: FaultScript, request: FaultableRequest): boolean {
  if (fault.service !== undefined && fault.service !== request.service) return false;
  if (fault.method !== "*" && fault.method !== request.method) return false;
  return globPattern(fault.path).test(request.path);
}

function globPattern(glob: string): RegExp {
  const literals = glob
    .replace(/\/$/, "")
    .split("*")
    .map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literals.join(".*")}$`);
}
