import type { Availability, ServerInfo } from "../core/availability";
import type { Service } from "../core/connection-entry";
import type { WireRecord } from "../core/definition";
import type { LoginMethod } from "../core/login-entry";

/** The part of an answer that dialects use. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What is asked of a server, without its address. */
export interface Question {
  readonly method: string;
  readonly path: string;
  /** The tenant that the record names, where it is not the connection's own. */
  readonly tenant?: string | undefined;
}

/** What a caller needs of a successful answer: a record, a list of them, or nothing in particular. */
export type Expects = "record" | "list" | "anything";

/** A second question, for an answer that says "not there" and may mean something else. */
export interface Doubt {
  readonly path: string;
  /** True when the answer shows that the record really is not there. */
  isGone(answer: Answer): boolean;
  /** True when the answer shows what the first one denies: a node that is behind has given one of the two. */
  isLate?(answer: Answer): boolean;
  /** What to do when the record is not there because that which would hold it is missing. */
  readonly missing?: string;
  /** What it means otherwise, and what to do. */
  readonly otherwise: string;
}

/** A list of the names in a collection. */
export interface NameList {
  /** What is added to the collection's path. */
  readonly query: string;
  /** What the server says where it has no such collection, or none that can be listed. */
  readonly unsupported: RegExp;
  /** The names in the record that it answers. */
  of(record: unknown): readonly string[];
}

/** A mount as a list of mounts shows it. */
export interface ShownMount {
  /** As requests have it, with a slash at its end. */
  readonly path: string;
  readonly type: string;
  /** The type is the server's own word, and not the name under which somebody has registered a plugin. */
  readonly isBuiltIn: boolean;
  /** The server's own id of the mount: one that is made anew has another. */
  readonly accessor?: unknown;
}

/** Something that a server may answer, and what to do about it. What a row leaves out fits any answer. */
export interface Advice {
  readonly method?: string;
  /** The end of the path. */
  readonly path?: string;
  readonly status?: number;
  readonly text?: RegExp;
  /** `{token}` stands for where the token came from. */
  readonly todo: string | ((question: Question, answer: Answer) => string);
  /** The refusal is about the token. A caller without a token gets other advice. */
  readonly isAboutToken?: true;
}

/** A token that a login was answered. */
export interface IssuedToken {
  readonly token: string;
  /** How long it is valid; 0 where it does not end. */
  readonly seconds: number;
  readonly renewable: boolean;
  /** It is no entry in the server's store: it cannot be revoked, and ends by itself. */
  readonly isBatch: boolean;
}

/** How an API issues tokens for a login, and takes them back. */
export interface Logins {
  /** The auth methods that it has. */
  readonly methods: readonly LoginMethod[];
  /** Where the token is asked for, as a template over the mount. */
  readonly path: string;
  /** The body of that, from the mount and what the method shows. */
  members(mount: string, proof: WireRecord): WireRecord;
  /** The token in an answer to a login or a renewal. */
  issued(json: unknown): IssuedToken | undefined;
  /** Where a token is renewed, by itself. */
  readonly renew?: string;
  /** Where a token is revoked, by itself. */
  readonly end: string;
  /** Where what a token wraps is unwrapped, by itself. */
  readonly unwrap?: string;
  /** True when the server says that it does not know the token of the request. */
  isUnknown(answer: Pick<Answer, "status" | "text">): boolean;
}

/** What a server of an API is divided into. */
export interface Tenancy {
  /** The word for one, which is also its property and its setting. */
  readonly property: "namespace" | "partition";
  /** The tenant that a record names, seen from the connection's own. */
  within(own: string | undefined, named: string): string;
  /** A path in the tenant that a record names, as a policy or a request has it where the connection's own is. */
  pathIn(named: string, path: string): string;
  /** Whether the server's identity has it: a record of another one is one of another server then. Elsewhere the id tells. */
  readonly isInIdentity: boolean;
  /** The servers that have such, where the others would do a request outside of it. Unset where the others refuse it. */
  readonly on?: Availability;
  /** A record as it is seen from the connection's own tenant, which the server may show where nobody has named it. */
  seenFrom?(own: string, record: unknown): unknown;
  /** Why a connection with a tenant of its own cannot lead to the named one; undefined where it can. */
  refusal?(own: string | undefined, named: string): string | undefined;
}

/** How an API says how far a node has to be, before it may answer. */
export interface Consistency {
  /** The position of the last write as far as an answer tells it; `known` is what was known before. */
  position(known: string | undefined, answer: Answer): string | undefined;
  /** Headers of a request, once a position is known. */
  headers(position: string): Record<string, string>;
}

/** What is special about an API family on the wire. */
export interface Dialect {
  /** The kind of server that speaks it. */
  readonly service: Service;
  /** Before every path. */
  readonly prefix: string;
  readonly contentType: string;
  /** Headers that carry the credentials and the tenant. */
  headers(credentials: { token: string | undefined; namespace: string | undefined }): Record<string, string>;
  /** How a read asks for what was written before, where another node may answer it than the one that took the write. */
  readonly consistency?: Consistency;
  /** What a server is divided into, where it is. */
  readonly tenancy?: Tenancy;
  /** The path as it names the tenant, where a header does not. */
  located?(path: string, tenant: string | undefined): string;
  /** The body of a write, from its members. */
  body(members: unknown, question: Question): unknown;
  /** The record, or the collection, of a successful answer. */
  record(json: unknown): unknown;
  /** What a read of this path answers. */
  answers(question: Question): "record" | "list";
  /** What is wrong with a successful answer that does not come from this API; undefined when nothing is. */
  flaw(json: unknown, expects: "record" | "list", question: Question): string | undefined;
  /** What the server warns of although it did what was asked. */
  warnings?(json: unknown): readonly string[];
  /** The server may hand a request on to another one of its nodes. */
  readonly hasStandbys?: boolean;
  /** What a successful answer hands out, with its lease: a token or credentials. */
  issued?(json: unknown): WireRecord | undefined;
  /** How a connection logs in, where it has no token. */
  readonly logins?: Logins;
  /** The path of the next page. */
  nextPage?(json: unknown): string | undefined;
  /** True when the answer says that the record is not there, and nothing else. */
  isAbsent(answer: Answer): boolean;
  /** The answer to a write is the record that is stored then, so nothing has to be read back. */
  readonly answersWrites?: boolean;
  /** The record that has the collection of this path, and its id: without it no record of the collection is declared gone. */
  home?(path: string): { readonly path: string; readonly id: string } | undefined;
  /** How to ask for the names in a collection alone. */
  readonly names?: NameList;
  /** The mounts, where a path is in something that was mounted there. */
  readonly mounts?: {
    /** The list that has the mount of a path. */
    listFor(path: string): string;
    /** What shows the mount of a path alone, also to a token that may not read the list. */
    aloneAt(path: string): string;
    /** What one of these two shows. */
    in(path: string, record: unknown): readonly ShownMount[];
  };
  /** The ends of paths that anybody may ask without a token. */
  readonly openPaths?: readonly string[];
  /** What to ask when an answer says "not there" but may mean something else. */
  doubt?(question: Question, answer: Answer): Doubt | undefined;
  /** Where `doubt` asks after a read of this path, if anywhere, and why. */
  doubtAt?(path: string): { readonly path: string; readonly why: string } | undefined;
  /** What the server wants a token to be allowed for this request. `isNew`: the record of the path is not there yet. */
  capabilities(question: Question, options?: { readonly isNew: boolean }): readonly string[];
  /** True when the collection may have more records, which this token may not see. */
  isFiltered?(answer: Answer): boolean;
  /** The server's own words. */
  details(answer: Answer): readonly string[];
  /** What to do about refused requests: the first row that fits counts. */
  readonly advice: readonly Advice[];
  /** The paths that tell, without token and tenant, which server this is: the first that does so. Without one the host does. */
  readonly probes?: readonly string[];
  server(answer: Answer | undefined, at: { host: string; namespace: string | undefined }): ServerInfo | undefined;
  /** Why the server cannot say which one it is, where the answer to a probe shows that, and what to do about it. */
  hindrance?(answer: Answer): { readonly why: string; readonly todo: string } | undefined;
}

/** What to do about a refused request. */
export function adviceOn(
  dialect: Pick<Dialect, "advice" | "hasStandbys">,
  question: Question,
  answer: Answer,
): string | undefined {
  const found = rowOn(dialect, question, answer);
  const todo = typeof found?.todo === "function" ? found.todo(question, answer) : found?.todo;
  return redirectHint(answer, dialect.hasStandbys) ?? plainHint(answer) ?? todo;
}

/** True for a refusal that is about the token. */
export function isAboutToken(dialect: Pick<Dialect, "advice">, question: Question, answer: Answer): boolean {
  return rowOn(dialect, question, answer)?.isAboutToken ?? false;
}

function rowOn({ advice }: Pick<Dialect, "advice">, question: Question, answer: Answer): Advice | undefined {
  return advice.find(
    ({ method, path, status, text }) =>
      (method === undefined || method === question.method) &&
      (path === undefined || question.path.endsWith(path)) &&
      (status === undefined || status === answer.status) &&
      (text === undefined || text.test(answer.text)),
  );
}

/** What Go's servers say on a port of theirs that speaks TLS. */
function plainHint({ status, text }: Answer): string | undefined {
  const isPlain = status === 400 && text.startsWith("Client sent an HTTP request to an HTTPS server");
  return isPlain ? "The server speaks TLS on this port: write https:// in the address." : undefined;
}

/** What to do about a redirect that is not followed, and why it is not. */
function redirectHint({ status, headers }: Answer, hasStandbys = false): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const to = headers["location"];
  const isElsewhere = to && URL.canParse(to);
  const said = `The server redirects to ${isElsewhere ? new URL(to).origin : "another path"}; set that as the address.`;
  return isElsewhere && hasStandbys ? `${said} ${BEHIND_BALANCER}` : said;
}

/** A node's own address helps nobody who has to go through a load balancer. */
const BEHIND_BALANCER =
  "Only a 307 that repeats the path is followed, twice at most, and not where `followRedirects` is off. Behind a load balancer, let it send requests to the active node alone: that is the one whose health (GET /v1/sys/health) is 200.";
