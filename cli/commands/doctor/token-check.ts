import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { parseJson } from "../../../provider/core/parse-json";
import { isRecord } from "../../../provider/core/unknowns";
import type { Answer } from "../../../provider/dialects/dialect";
import { saidIn } from "../../../provider/engine/answer";
import { redactor } from "../../../provider/http/redact";
import { serverOf } from "./api-checks";
import type { Inspection } from "./inspection";
import { failed, ok, type Verdict, warning } from "./report";

/** Where the token comes from, and what the server says of it. */
export async function checkToken(inspection: Inspection): Promise<Verdict> {
  const { settings, target } = inspection;
  const found = await inspection.session.token();
  if (found === undefined) {
    const { advice } = settings.token;
    const [, where = "", fix = advice] = /^No token was found(.*?): (.*?)\.?$/.exec(advice) ?? [];
    // A cluster without ACLs needs none.
    return target.service === "cluster"
      ? warning(`none was found${where}: requests are anonymous`, fix)
      : failed(`none was found${where}`, fix);
  }
  inspection.found = found;
  return { secrets: ofSecrets, cluster: ofCluster, policy: ofPolicy }[target.service](inspection, found.place);
}

/** A token that ends this soon may end during the run. */
const SOON_SECONDS = 300;

async function ofSecrets(inspection: Inspection, place: string): Promise<Verdict> {
  const answer = await inspection.aboutToken({ method: "GET", path: "auth/token/lookup-self" });
  if (answer.status !== 200) return refusedBySecrets(inspection, place, answer);
  const token = dataIn(answer);
  if (!Array.isArray(token["policies"])) return undescribed(inspection, place);
  const policies = [token["policies"], token["identity_policies"]].flat().filter((name) => typeof name === "string");
  const seconds = Number(token["ttl"] ?? 0);
  const ends = typeof token["expire_time"] === "string" ? `${formatDuration(seconds)} left` : "does not end";
  const uses = Number(token["num_uses"] ?? 0);
  const words = [
    `from ${place}`,
    `policies ${policies.join(", ") || "none"}`,
    ends,
    token["renewable"] === true ? "renewable" : "not renewable",
    ...(uses > 0 ? [`${uses} uses left`] : []),
  ];
  const isShort = typeof token["expire_time"] === "string" && seconds < SOON_SECONDS;
  return isShort || uses > 0
    ? warning(words.join("; "), `give one that lasts for the run in ${place}`)
    : ok(words.join("; "));
}

function refusedBySecrets(inspection: Inspection, place: string, answer: Answer): Verdict {
  const said = wordsIn(inspection, answer);
  const fix = `give a new token in ${place}`;
  if (answer.status !== 403) return failed(`from ${place}; the server answers ${said}`, fix);
  if (/invalid token|bad token/.test(answer.text))
    return failed(`from ${place}; the server does not know it: it is wrong, expired or revoked`, fix);
  const own = "its policies do not let it look itself up";
  // Vault says of a token that it does not know that it is invalid.
  if (serverOf(inspection)?.product === "vault")
    return warning(`from ${place}; ${own}`, "give it the policy `default` to have it checked");
  return failed(`from ${place}; it is wrong, expired or revoked, or ${own}`, fix);
}

async function ofCluster(inspection: Inspection, place: string): Promise<Verdict> {
  const answer = await inspection.asToken({ method: "GET", path: "v1/acl/token/self" });
  if (/ACL support disabled/.test(answer.text))
    return ok(`from ${place}; the cluster has no ACLs and asks for no token`);
  if (/ACL not found/.test(answer.text))
    return failed(`from ${place}; the cluster does not know it`, `give a new token in ${place}`);
  if (answer.status !== 200) return unsaid(inspection, place, { method: "GET", path: "v1/peerings" });
  const token = jsonIn(answer);
  if (typeof token["AccessorID"] !== "string") return undescribed(inspection, place);
  const names = ["Policies", "Roles"].flatMap((list) => (Array.isArray(token[list]) ? token[list] : []));
  const policies = names.flatMap((each) => (isRecord(each) ? [String(each["Name"])] : []));
  const ends = Date.parse(String(token["ExpirationTime"] ?? ""));
  const left = Math.round((ends - Date.now()) / 1000);
  const words = [
    `from ${place}`,
    `policies ${policies.join(", ") || "none"}`,
    Number.isNaN(ends) ? "does not end" : `${formatDuration(Math.max(0, left))} left`,
  ].join("; ");
  return left < SOON_SECONDS ? warning(words, `give one that lasts for the run in ${place}`) : ok(words);
}

async function ofPolicy(inspection: Inspection, place: string): Promise<Verdict> {
  const answer = await inspection.asToken({ method: "GET", path: "account/details" });
  if (answer.status === 401)
    return failed(`from ${place}; the server does not know it`, `give a new token in ${place}`);
  const { attributes } = dataIn(answer);
  const user = isRecord(attributes) ? attributes["username"] : undefined;
  return ok(`from ${place}; ${typeof user === "string" ? `of ${user}` : "the server does not say whose it is"}`);
}

/** A success that says nothing of the token: something answers in the server's place. */
function undescribed({ addressSetting }: Inspection, place: string): Verdict {
  const finding = `from ${place}; what answers says nothing of it`;
  return failed(finding, `correct ${addressSetting}, or let the API through what is before it`);
}

/** A server that does not describe tokens: whether it takes this one shows when it is used. */
async function unsaid(
  inspection: Inspection,
  place: string,
  question: { method: string; path: string },
): Promise<Verdict> {
  const answer = await inspection.asToken(question);
  if (/ACL not found/.test(answer.text))
    return failed(`from ${place}; the cluster does not know it`, `give a new token in ${place}`);
  return ok(`from ${place}; the cluster does not say what it may do`);
}

/** The server's words, in which the token does not stand. */
export function wordsIn({ dialect, found, settings }: Inspection, answer: Answer): string {
  const said = saidIn(dialect, answer, redactor([found?.token, ...settings.headers.secrets])).join("; ");
  return [String(answer.status), said].filter(Boolean).join(" ");
}

function jsonIn({ text }: Answer): Values {
  const json = parseJson(text);
  return isRecord(json) ? json : {};
}

function dataIn(answer: Answer): Values {
  const { data } = jsonIn(answer);
  return isRecord(data) ? data : {};
}
