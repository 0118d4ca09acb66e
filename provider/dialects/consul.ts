import { isRecord } from "../core/unknowns";
import { type Answer, type Dialect, parseJson, type Question, redirectHint } from "./dialect";

/** Consul's peering API (reference cluster-and-policy B). */
export const consul: Dialect = {
  prefix: "/",
  contentType: "application/json",
  headers: ({ token }) => (token === undefined ? {} : { "x-consul-token": token }),
  body: withoutEmpty,
  record: (json) => json,
  isAbsent: (answer) => answer.status === 404 && /^Peering not found for "/.test(answer.text),
  isFiltered: ({ headers }) =>
    headers["x-consul-results-filtered-by-acls"] === "true" || headers["x-service-results-filtered-by-acls"] === "true",
  details: (answer) =>
    answer.text.length > 0 && !/^\s*</.test(answer.text) ? [answer.text.slice(0, LONGEST_DETAIL)] : [],
  hint: (question, answer) => redirectHint(answer) ?? hint(question, answer),
  // The trust domain tells clusters apart, and no token is needed to ask for it.
  probe: "v1/connect/ca/roots",
  server(answer, { namespace }) {
    const roots = answer?.status === 200 ? parseJson(answer.text) : undefined;
    if (!isRecord(roots) || typeof roots["TrustDomain"] !== "string") return undefined;
    const identity = `consul:${roots["TrustDomain"]}${namespace ? `/${namespace}` : ""}`;
    return { product: "consul", enterprise: false, identity };
  },
};

/** An unreachable peer is answered with one line per attempt, about 4 kB. */
const LONGEST_DETAIL = 400;

/** The community edition refuses an empty partition in no place, but Enterprise may not; what is empty is left out. */
function withoutEmpty(members: unknown): unknown {
  if (!isRecord(members)) return members;
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== "" && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}

function hint({ method, path }: Question, answer: Answer): string | undefined {
  if (/ACL not found/.test(answer.text))
    return "The token is unknown or deleted; give a valid one in CONSUL_HTTP_TOKEN.";
  if (/Permission denied/.test(answer.text)) {
    return `The token's policy needs: peering = "${method === "GET" ? "read" : "write"}".`;
  }
  if (/invalid peering establishment secret/.test(answer.text)) {
    return "The token has been used or replaced: raise `generation` of its cluster.PeeringToken to have a new one issued.";
  }
  if (/existing peering expecting to be dialed|already an established peering/.test(answer.text)) {
    return "The name is in use for a peering in the other direction; choose another name or delete that peering.";
  }
  if (/Partitions are a Consul Enterprise feature/.test(answer.text))
    return "Leave out `partition`: this is the community edition.";
  if (/peering must be enabled/.test(answer.text)) return "Set peering.enabled in the servers' configuration.";
  if (answer.status === 503 && path.endsWith("establish"))
    return "The other cluster cannot be reached at the addresses in the token.";
  return undefined;
}
