import { lacking } from "../../../provider/core/availability";
import { parseJson } from "../../../provider/core/parse-json";
import { isRecord } from "../../../provider/core/unknowns";
import type { Need } from "../../../provider/dialects/needs";
import { grantLine, merged } from "../../../provider/dialects/vault-policy";
import { type Needy, rulesFor } from "../../facts/needs/policy-of";
import { serverOf } from "./api-checks";
import type { Inspection } from "./inspection";
import { type Check, failed, notAsked, ok, type Verdict } from "./report";
import { wordsIn } from "./token-check";

/** What the token may do, for each resource of the connection. */
export async function checkResources(inspection: Inspection, { readOnly = false } = {}): Promise<readonly Check[]> {
  const server = serverOf(inspection);
  const isAsked = (need: Need) =>
    !need.isOptional &&
    (!readOnly || need.for === "read") &&
    (need.on === undefined || !server || lacking(need.on, server) === undefined);
  const dependants = inspection.target.resources.map((each) => ({ ...each, needs: each.needs.filter(isAsked) }));
  if (dependants.length === 0) return [];
  const check =
    inspection.target.service === "secrets"
      ? await bySelf(inspection, dependants)
      : await byReading(inspection, dependants);
  return dependants.map((each) => ({ check: "resource" as const, resource: each.title, ...check(each) }));
}

/** A policy of Vault is asked about all paths at once. */
async function bySelf(inspection: Inspection, dependants: readonly Needy[]): Promise<(of: Needy) => Verdict> {
  const paths = [...new Set(dependants.flatMap(({ needs }) => needs.map(askedPath)))];
  const answer = await inspection.asToken({ method: "POST", path: "sys/capabilities-self", members: { paths } });
  const json = parseJson(answer.text);
  const data = isRecord(json) && isRecord(json["data"]) ? json["data"] : undefined;
  if (answer.status !== 200 || data === undefined) {
    const todo = "the policy `default` lets a token ask what it may do";
    return () => notAsked(`${wordsIn(inspection, answer)} (POST sys/capabilities-self): ${todo}`);
  }
  return ({ needs }) => {
    const missing = needs.flatMap((need) => {
      const granted = [data[askedPath(need)]].flat();
      const words = granted.includes("root") ? [] : need.capabilities.filter((word) => !granted.includes(word));
      return words.length > 0 ? [{ path: need.path, capabilities: words, comments: [] }] : [];
    });
    if (missing.length === 0) return ok(mayDo(needs));
    const grants = merged(missing);
    const wholes = merged(needs.map(({ path, capabilities }) => ({ path, capabilities, comments: [] })));
    const lines = wholes.filter(({ path }) => grants.some((grant) => grant.path === path)).map(grantLine);
    const lacks = grants.map(({ path, capabilities }) => `${capabilities.join(", ")} on ${path}`);
    return failed(`the token lacks ${lacks.join("; ")}`, lines.join(" "));
  };
}

/** A list has a slash at its end where the server compares paths. */
function askedPath({ path }: Need): string {
  return path.replace(/\?.*$/, path.includes("?list=true") ? "/" : "");
}

/** The other products say nothing of permissions: what can be read is read. */
async function byReading(inspection: Inspection, dependants: readonly Needy[]): Promise<(of: Needy) => Verdict> {
  const verdicts = new Map<string, Verdict>();
  for (const { path } of dependants.flatMap(readsOf)) {
    if (verdicts.has(path)) continue;
    const answer = await inspection.asToken({ method: "GET", path: encoded(path) });
    // What is not there yet was looked for.
    const isRead = (answer.status >= 200 && answer.status < 300) || inspection.dialect.isAbsent(answer);
    verdicts.set(path, isRead ? ok(path) : failed(`${wordsIn(inspection, answer)} (GET ${path})`, ""));
  }
  return (of) => {
    const bad = readsOf(of)
      .map(({ path }) => verdicts.get(path))
      .find((verdict) => verdict?.status === "failed");
    const writes = of.needs.some((need) => need.for !== "read");
    if (bad) return failed(`the token may not read it: ${bad.finding}`, remedy(inspection, of));
    return ok(writes ? "may be read; whether it may be written, only a write shows" : "may be read");
  };
}

function readsOf({ needs }: Needy): readonly Need[] {
  return needs.filter((need) => need.for === "read");
}

function remedy({ target }: Inspection, of: Needy): string {
  if (target.service === "cluster") return rulesFor([of], ", ");
  return "use the token of a user or team that may manage policies in the organization, and check the policy set's id";
}

function encoded(path: string): string {
  const [plain = "", query] = path.split("?");
  return plain.split("/").map(encodeURIComponent).join("/") + (query === undefined ? "" : `?${query}`);
}

function mayDo(needs: readonly Need[]): string {
  const verbs = ["read", "create", "update", "delete"] as const;
  const words = verbs.filter((verb) => needs.some((need) => need.for === verb));
  return `the token may ${words.join(", ")} it`;
}
