import { parseGoBool } from "../framework/coerce-field";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { Refusal } from "../framework/refusal";
import { cleanedPath, decodedPath, isPrintable } from "../framework/request-path";
import type { WireObject } from "../framework/wire-value";
import type { Exchange, Incoming, Outgoing } from "../http/exchange";
import type { SecretsProfile, TransportProfile } from "../profiles/secrets-profile";
import { commonHeaders, errorAnswer, replyAnswer } from "./answer";
import { type CoreRequest, handleRequest, type Verb } from "./core";
import type { MountTable } from "./mount-table";
import type { Namespaces } from "./namespaces";
import { fieldsFromBody, fieldsFromQuery, limitBody, queryParameters } from "./request-fields";
import { wrapAnswer } from "./wrap-answer";

export interface SecretsFront {
  readonly namespaces: Namespaces;
  readonly profile: SecretsProfile;
  isSealed(): boolean;
  /** Does the work that is due, by the clock or after the last request. */
  catchUp(): void;
  /** The documents that need no token and have no envelope, by path. */
  readonly documents: ReadonlyMap<string, (query: URLSearchParams) => Outgoing>;
}

/** Everything between the socket and the core: paths, verbs, bodies, envelopes. */
export function secretsExchange(front: SecretsFront): Exchange {
  return async (incoming) => {
    const namespace = incoming.headers["x-vault-namespace"];
    const outgoing = await answer(front, incoming);
    return namespace === undefined
      ? outgoing
      : { ...outgoing, headers: { ...outgoing.headers, "x-vault-namespace": namespace } };
  };
}

async function answer(front: SecretsFront, incoming: Incoming): Promise<Outgoing> {
  try {
    const { transport } = front.profile;
    const misdirected = redirected(incoming, transport);
    if (misdirected !== undefined) return misdirected;
    if (transport.limitsBodies) limitBody(incoming.body);
    const asked = decodedPath(incoming.path).slice("/v1/".length);
    const document = front.documents.get(asked);
    if (document !== undefined) return documentAnswer(document, incoming);
    const { core, path: within } = front.namespaces.route(incoming.headers["x-vault-namespace"], asked);
    const path = trimmed(core.mounts, { method: incoming.method, path: within });
    const request = coreRequest(incoming, { path, transport });
    if (request === undefined) return errorAnswer(405, []);
    if (front.isSealed()) return errorAnswer(503, ["Vault is sealed"]);
    front.catchUp();
    try {
      const answered = await handleRequest(core, request);
      const outgoing = replyAnswer(answered, request, transport);
      return wrapAnswer(core, request, { answered, outgoing });
    } finally {
      front.catchUp();
    }
  } catch (failure) {
    if (failure instanceof Refusal) return errorAnswer(failure.status, failure.message === "" ? [] : [failure.message]);
    throw failure;
  }
}

/** The path of a write without its last slash, where the mount is set so. */
function trimmed(mounts: MountTable, { method, path }: Pick<Incoming, "method" | "path">): string {
  const isWrite = verbs[method] === "update" && path.endsWith("/");
  return isWrite && mounts.route(path)?.config.trimsSlashes ? path.slice(0, -1) : path;
}

/** The answers of Go's mux, before Vault sees the request. */
function redirected({ path, method }: Incoming, { pageNotFound }: TransportProfile): Outgoing | undefined {
  const text = { "content-type": "text/plain; charset=utf-8" };
  const cleaned = cleanedPath(path);
  if (cleaned === undefined) return { status: 400, headers: text, body: "400 Bad Request" };
  if (!isPrintable(decodedPath(path))) return { status: 400, headers: {}, body: "" };
  if (cleaned !== path || folders.has(path)) {
    const location = folders.has(path) ? `${path}/` : cleaned;
    const { "content-type": _json, ...common } = commonHeaders;
    const headers = { ...common, location };
    if (method !== "GET" && method !== "HEAD") return { status: 307, headers, body: "" };
    const type = { "content-type": "text/html; charset=utf-8" };
    return { status: 307, headers: { ...headers, ...type }, body: `<a href="${location}">Temporary Redirect</a>.\n\n` };
  }
  if (path.startsWith("/v1/")) return undefined;
  if (pageNotFound === "errors") return errorAnswer(404, []);
  return { status: 404, headers: { ...commonHeaders, ...text }, body: "404 page not found\n" };
}

// Registered with a final slash only, so that Go's mux adds it.
const folders: ReadonlySet<string> = new Set(["/v1", "/v1/sys"]);

function documentAnswer(document: (query: URLSearchParams) => Outgoing, { method, query }: Incoming): Outgoing {
  return method === "GET" || method === "HEAD" ? document(queryParameters(query)) : errorAnswer(405, []);
}

const verbs: Readonly<Record<string, Verb>> = {
  GET: "read",
  POST: "update",
  PUT: "update",
  DELETE: "delete",
  LIST: "list",
  PATCH: "patch",
  HEAD: "header",
  OPTIONS: "options",
};

interface Asked {
  readonly path: string;
  readonly transport: TransportProfile;
}

function coreRequest(incoming: Incoming, { path, transport }: Asked): CoreRequest | undefined {
  const sentVerb = verbs[incoming.method];
  if (sentVerb === undefined) return undefined;
  refuseUnsupported(incoming);
  if (sentVerb === "update" && path.endsWith("/")) throw new Refusal("cannot write to a path ending in '/'");
  const verb = sentVerb === "read" && listParameter(incoming.query) ? "list" : sentVerb;
  return {
    verb,
    path: verb === "list" && !path.endsWith("/") ? `${path}/` : path,
    body: fields(incoming, { verb, transport }),
    token: tokenFrom(incoming.headers),
    remoteAddress: incoming.remoteAddress,
    wrapSeconds: wrapSeconds(incoming.headers["x-vault-wrap-ttl"] ?? ""),
    clientCertificates: incoming.clientCertificates,
  };
}

function fields(incoming: Incoming, { verb, transport }: { verb: Verb; transport: TransportProfile }): WireObject {
  const contentType = incoming.headers["content-type"];
  if (verb === "update") return fieldsFromBody(incoming.body, { ...transport, contentType });
  if (verb !== "patch") return withoutList(fieldsFromQuery(incoming.query));
  const type = contentType?.split(";")[0]?.trim();
  if (type === undefined || type === "") throw new Refusal("mime: no media type");
  if (type !== "application/merge-patch+json") {
    const wanted = "PATCH requires Content-Type of application/merge-patch+json";
    throw new Refusal(`${wanted}, provided ${type}`, { status: 415 });
  }
  return patchFields(incoming.body);
}

// A PATCH is told only that its body is wrong.
function patchFields(body: Buffer): WireObject {
  return fieldsFromBody(body, { contentType: undefined, unparsable: () => "error parsing JSON" });
}

function withoutList({ list: _list, ...others }: WireObject): WireObject {
  return others;
}

function listParameter(query: string): boolean {
  const value = queryParameters(query).get("list");
  if (value === null || value === "") return false;
  const parsed = parseGoBool(value);
  if (parsed === undefined) throw new Refusal("");
  return parsed;
}

function tokenFrom(headers: Incoming["headers"]): string | undefined {
  const bearer = /^Bearer +(.*)$/.exec(headers["authorization"] ?? "")?.[1]?.trim();
  return headers["x-vault-token"] || bearer || undefined;
}

function wrapSeconds(text: string): number {
  const problem = "error parsing X-Vault-Wrap-TTL header";
  try {
    const seconds = wholeSeconds(nanosecondsFromText(text));
    if (seconds < 0) throw new Refusal(`${problem}: requested wrap ttl cannot be negative`);
    return seconds;
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(`${problem}: ${failure.message}`);
    throw failure;
  }
}

// Not imitated; doing the plain operation instead would look like success.
function refuseUnsupported(incoming: Incoming): void {
  if (queryParameters(incoming.query).has("help")) {
    throw new Refusal("help is not supported by the embedded server", { status: 501 });
  }
  if (incoming.headers["x-vault-wrap-format"]?.toLowerCase() === "jwt") {
    throw new Refusal("wrapping in the format jwt is not supported by the embedded server", { status: 501 });
  }
}
