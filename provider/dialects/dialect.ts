import type { ServerInfo } from "../core/availability";
import type { Values } from "../core/definition";

/** An answer as a dialect sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What is asked of a server, without its address. */
export interface Question {
  readonly method: string;
  readonly path: string;
}

/** A second question that settles what an ambiguous "not there" means. */
export interface Doubt {
  readonly path: string;
  /** True when the answer shows that the record really is not there. */
  settles(answer: Answer): boolean;
  /** What it means otherwise, and what to do. */
  readonly otherwise: string;
}

/** Something that a server may answer, and what to do about it. What a row leaves out fits any answer. */
export interface Advice {
  readonly method?: string;
  /** The end of the path. */
  readonly path?: string;
  readonly status?: number;
  readonly text?: RegExp;
  readonly todo: string | ((question: Question) => string);
}

/** What is special about an API family on the wire. */
export interface Dialect {
  /** Before every path. */
  readonly prefix: string;
  readonly contentType: string;
  /** Headers that carry the credentials and the tenant. */
  headers(credentials: { token: string | undefined; namespace: string | undefined }): Record<string, string>;
  /** The body of a write, from its members. */
  body(members: unknown, values: Values): unknown;
  /** The record, or the collection, of a successful answer. */
  record(json: unknown): unknown;
  /** What a successful answer hands out, with its lease: a token or credentials. */
  issued?(json: unknown): Values | undefined;
  /** The path of the next page. */
  nextPage?(json: unknown): string | undefined;
  /** True when the answer says that the record is not there, and nothing else. */
  isAbsent(answer: Answer): boolean;
  /** What to ask when an answer says "not there" but may mean something else. */
  doubt?(question: Question, answer: Answer): Doubt | undefined;
  /** True when what a collection lacks may be hidden from this token. */
  isFiltered?(answer: Answer): boolean;
  /** The server's own words. */
  details(answer: Answer): readonly string[];
  /** What to do about refused requests: the first row that fits says it. */
  readonly advice: readonly Advice[];
  /** The path of the one request, without token and tenant, that tells which server this is; else the host alone does. */
  readonly probe?: string;
  server(answer: Answer | undefined, at: { host: string; namespace: string | undefined }): ServerInfo | undefined;
}

/** What to do about a refused request. */
export function adviceOn({ advice }: Pick<Dialect, "advice">, question: Question, answer: Answer): string | undefined {
  const found = advice.find(
    ({ method, path, status, text }) =>
      (method === undefined || method === question.method) &&
      (path === undefined || question.path.endsWith(path)) &&
      (status === undefined || status === answer.status) &&
      (text === undefined || text.test(answer.text)),
  );
  const todo = typeof found?.todo === "function" ? found.todo(question) : found?.todo;
  return redirectHint(answer) ?? todo;
}

/** What to do about an answer that leads elsewhere: a write does not follow it, and a token not from https to http. */
function redirectHint({ status, headers }: Answer): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const to = headers["location"];
  return `The address leads on to ${to && URL.canParse(to) ? new URL(to).origin : "another one"}: configure that one.`;
}
