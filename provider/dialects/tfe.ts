import type { Values } from "../core/definition";
import { parseJson } from "../core/parse-json";
import { isRecord } from "../core/unknowns";
import type { Answer, Dialect, Doubt, Question } from "./dialect";

/** HCP Terraform and Terraform Enterprise: JSON:API (reference cluster-and-policy A). */
export const tfe: Dialect = {
  prefix: "/api/v2/",
  contentType: "application/vnd.api+json",
  headers: ({ token }) => ({
    accept: "application/vnd.api+json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }),
  body(members, values) {
    const id = values["parameterId"];
    return { data: { type: "vars", ...(id === undefined ? {} : { id }), attributes: members } };
  },
  record(json) {
    const data = isRecord(json) ? json["data"] : undefined;
    return Array.isArray(data) ? data.map(recordOf) : recordOf(data);
  },
  nextPage: (json) => nextPage(json),
  isAbsent: () => false, // a 404 of this API may also mean "no permission": `doubt` settles it
  // A page of a proxy says nothing about the record.
  doubt: (question, answer) => (answer.status === 404 && hasErrors(answer) ? hidden(question) : undefined),
  details: (answer) => errorsOf(answer),
  advice: [
    { status: 401, todo: "The token is missing or no longer valid; give one in TFE_TOKEN." },
    { status: 404, method: "POST", todo: cannotManage },
    { status: 429, todo: "The rate limit of 30 requests a second is used up; run again with a lower --parallel." },
  ],
  server: (_, { host }) => ({ product: "tfe", enterprise: false, identity: `tfe:${host}` }),
};

function recordOf(data: unknown): Values | undefined {
  if (!isRecord(data)) return undefined;
  return { ...(isRecord(data["attributes"]) ? data["attributes"] : {}), id: data["id"] };
}

function nextPage(json: unknown): string | undefined {
  const links = isRecord(json) ? json["links"] : undefined;
  const next = isRecord(links) ? links["next"] : undefined;
  if (typeof next !== "string" || !URL.canParse(next, "http://host")) return undefined;
  const url = new URL(next, "http://host");
  return url.pathname.replace("/api/v2/", "") + url.search;
}

function hasErrors(answer: Answer): boolean {
  const json = parseJson(answer.text);
  return isRecord(json) && Array.isArray(json["errors"]);
}

function errorsOf(answer: Answer): string[] {
  const json = parseJson(answer.text);
  const errors = isRecord(json) && Array.isArray(json["errors"]) ? json["errors"].filter(isRecord) : [];
  return errors.map((error) => String(error["detail"] ?? error["title"] ?? "")).filter(Boolean);
}

/**
 * Not there, or not to be seen? Whoever can read the policy set sees its parameters; but a set that is there always
 * has a list of them, so the list itself is never "not there".
 */
function hidden({ path }: Question): Doubt {
  const [, id = "", , parameter] = path.replace(/\?.*/, "").split("/");
  const set = `policy-sets/${id}`;
  return {
    path: set,
    settles: (answer) => answer.status === 200 && parameter !== undefined,
    otherwise: `The token cannot read the parameters of ${set}: it has no permission there, or the policy set is gone (then remove the resource with \`pulumi state delete\`).`,
  };
}

function cannotManage({ path }: Question): string {
  const set = path.split("/")[1];
  return `Either ${set} does not exist, or the token may not manage policies there, or its policies are managed individually.`;
}
