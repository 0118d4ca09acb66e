import type { WireRecord } from "../core/definition";
import { parseJson } from "../core/parse-json";
import { isRecord } from "../core/unknowns";
import type { Answer, Dialect, Doubt, Question } from "./dialect";

/** HCP Terraform and Terraform Enterprise: JSON:API. */
export const tfe: Dialect = {
  service: "policy",
  prefix: "/api/v2/",
  contentType: "application/vnd.api+json",
  headers: ({ token }) => ({
    accept: "application/vnd.api+json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }),
  body: (members, question) => ({ data: documentOf(isRecord(members) ? members : {}, question) }),
  record(json) {
    const data = isRecord(json) ? json["data"] : undefined;
    return Array.isArray(data) ? data.map(recordOf) : recordOf(data);
  },
  answers: ({ path }) => (COLLECTION.test(path) ? "list" : "record"),
  flaw: (json, expects) => flaw(json, expects),
  nextPage: (json) => nextPage(json),
  answersWrites: true,
  // A proxy may answer every list with an empty one, but it has neither policy set nor organization.
  home(path) {
    if (!COLLECTION.test(path)) return undefined;
    return { path: holderOf(path), id: decodeURIComponent(holderOf(path).split("/")[1] ?? "") };
  },
  isAbsent: () => false, // a 404 of this API may also mean "no permission": `doubt` asks which
  // A page of a proxy says nothing about the record.
  doubt: (question, answer) => (answer.status === 404 && hasErrors(answer) ? hidden(question) : undefined),
  doubtAt(path) {
    return { path: holderOf(path), why: "Distinguishes what is missing from what the token may not see." };
  },
  capabilities: ({ method }) => [method === "GET" ? "read" : "manage"],
  details: (answer) => errorsOf(answer),
  advice: [
    { status: 401, todo: "The token is missing or no longer valid; give one in {token}.", isAboutToken: true },
    { status: 404, method: "POST", todo: cannotManage },
    { status: 429, todo: (_, answer) => limited(answer) },
  ],
  server: (_, { host }) => ({ product: "tfe", enterprise: false, identity: `tfe:${host}` }),
};

/** A list of records, which belongs to the record before it in the path. */
const COLLECTION = /^(organizations\/[^/]+\/policy-sets|policy-sets\/[^/]+\/parameters)(\?|$)/;

/** The name of a member that is no attribute, but a relationship. */
const RELATED = "relationships/";

/** The document of a write: its type follows from the path, and so does the id of what is there already. */
function documentOf(members: WireRecord, { method, path }: Question): WireRecord {
  const related = Object.entries(members).filter(([name]) => name.startsWith(RELATED));
  const attributes = Object.entries(members).filter(([name]) => !name.startsWith(RELATED));
  const relationships = related.map(([name, value]) => [name.slice(RELATED.length), value]);
  return {
    type: /\/parameters(\/|$)/.test(path) ? "vars" : "policy-sets",
    ...(method === "PATCH" ? { id: decodeURIComponent(path.split("/").at(-1) ?? "") } : {}),
    attributes: Object.fromEntries(attributes),
    ...(related.length > 0 ? { relationships: Object.fromEntries(relationships) } : {}),
  };
}

/** The attributes of a record, its id, and the relationships that are lists. */
function recordOf(data: unknown): WireRecord | undefined {
  if (!isRecord(data)) return undefined;
  const attributes = isRecord(data["attributes"]) ? data["attributes"] : {};
  const relationships = isRecord(data["relationships"]) ? Object.entries(data["relationships"]) : [];
  const lists = relationships.filter(([, other]) => isRecord(other) && Array.isArray(other["data"]));
  // A global policy set applies to all workspaces and projects: a list of them says nothing of what it is attached to.
  const shown = lists.filter(([name]) => attributes["global"] !== true || !ATTACHED.includes(name));
  const related = shown.map(([name, other]) => [RELATED + name, other]);
  return { ...attributes, ...Object.fromEntries(related), id: data["id"] };
}

const ATTACHED = ["workspaces", "projects"];

function flaw(json: unknown, expects: "record" | "list"): string | undefined {
  const data = isRecord(json) ? json["data"] : undefined;
  if (expects === "record")
    return isResource(data) ? undefined : "its `data` is no record with id, type and attributes";
  if (!Array.isArray(data)) return "its `data` is no list";
  return data.every(isResource) ? undefined : "an entry of its list has no id, type or attributes";
}

function isResource(data: unknown): boolean {
  if (!isRecord(data) || !isRecord(data["attributes"])) return false;
  return typeof data["type"] === "string" && typeof data["id"] === "string" && data["id"] !== "";
}

/** A link that is no address is answered as a text that the caller refuses as a link to another path. */
function nextPage(json: unknown): string | undefined {
  const links = isRecord(json) ? json["links"] : undefined;
  const next = isRecord(links) ? links["next"] : undefined;
  if (next === undefined || next === null) return undefined;
  if (typeof next !== "string" || !URL.canParse(next, "http://host")) return "no address";
  const { pathname, search } = new URL(next, "http://host");
  return pathname.replace(/^.*?\/api\/v2\//, "") + search;
}

/** The limit is announced with every answer. */
function limited({ headers }: Answer): string {
  const limit = Number(headers["x-ratelimit-limit"]);
  const which = limit > 0 ? `The rate limit of ${limit} requests a second` : "The rate limit";
  return `${which} is used up; run again with a lower --parallel.`;
}

function hasErrors(answer: Answer): boolean {
  const json = parseJson(answer.text);
  return isRecord(json) && Array.isArray(json["errors"]);
}

function errorsOf(answer: Answer): readonly string[] {
  const json = parseJson(answer.text);
  const errors = isRecord(json) && Array.isArray(json["errors"]) ? json["errors"].filter(isRecord) : [];
  const words = errors.map(({ detail, title }) => (typeof detail === "string" && detail !== "" ? detail : title));
  return words.filter((text): text is string => typeof text === "string" && text !== "");
}

/**
 * Not there, or not to be seen? Whoever can read the policy set sees its parameters; but a set or an organization that is
 * there always has its list, so the list itself is never "not there". A set that can neither be changed nor read is gone
 * only if it is not in the list of its organization either, which is looked at next.
 */
function hidden({ method, path }: Question): Doubt {
  const [family, id = "", collection, parameter] = path.replace(/\?.*/, "").split("/");
  const holder = holderOf(path);
  if (family === "policy-sets" && collection === undefined && method !== "GET") {
    const isGone = (answer: Answer) => answer.status === 404 && hasErrors(answer);
    return { path: holder, isGone, otherwise: "The token may read the policy set, but not manage policies." };
  }
  const what = family === "organizations" ? ["policy sets", "organization"] : ["parameters", "policy set"];
  return {
    path: holder,
    isGone: (answer) => parameter !== undefined && isPolicySet(answer, id),
    otherwise: `The token cannot read the ${what[0]} of ${holder}: there is no such ${what[1]}, or the token may not see it. Check the id and the token. Where the ${what[1]} was deleted, a refresh of the stack that has it takes what was in it out of the state, too; elsewhere do that by \`pulumi state delete\`.`,
  };
}

/** The policy set or organization of a path in it. */
function holderOf(path: string): string {
  return path.replace(/\?.*/, "").split("/").slice(0, 2).join("/");
}

/** True only for this very policy set: a proxy may answer 200 to anything. */
function isPolicySet({ status, text }: Answer, id: string): boolean {
  const json = status === 200 ? parseJson(text) : undefined;
  const data = isRecord(json) ? json["data"] : undefined;
  return isRecord(data) && data["type"] === "policy-sets" && data["id"] === decodeURIComponent(id);
}

function cannotManage({ path }: Question): string {
  const [family, holder] = path.split("/");
  if (family === "organizations")
    return `Either the organization ${holder} does not exist, or the token may not manage policies there.`;
  return `Either ${holder} does not exist, or the token may not manage policies there, or its policies are managed individually.`;
}
