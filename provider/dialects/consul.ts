import { parseJson } from "../core/parse-json";
import { isRecord } from "../core/unknowns";
import { isDefault, located, named, seenFrom } from "./consul-partition";
import { lackedRule, partitionRules, ruleFor } from "./consul-policy";
import type { Dialect, IssuedToken, Question } from "./dialect";

/** What Consul says of a peering or a config entry that is not there. */
export const NOT_FOUND = /^(Peering|Config entry) not found for "/;

/** What a Consul says that does not have this kind of config entry. */
export const NO_KIND = /invalid config entry kind/;

const OTHER_DIRECTION =
  "The name is in use for a peering in the other direction; choose another name or delete that peering.";

const NO_PARTITION = "Leave out `partition`: this is the community edition.";

const UNKNOWN_TOKEN = /ACL not found/;

/** Consul's peering API, and its config entries. */
export const consul: Dialect = {
  service: "cluster",
  prefix: "/",
  contentType: "application/json",
  headers: ({ token }) => (token === undefined ? {} : { "x-consul-token": token }),
  tenancy: {
    property: "partition",
    within: (_, partition) => partition,
    pathIn: (partition, path) => located(path, partition),
    // Recorded identities have the connection's own partition, as before resources could name one.
    isInIdentity: false,
    seenFrom,
    refusal: (own, partition) =>
      isDefault(partition) && !isDefault(own)
        ? `cannot be \`default\`: the connection has the partition "${own}" of its own. Name another connection`
        : undefined,
  },
  located,
  body: (members, { path }) => named(withoutEmpty(members), path),
  record: (json) => json,
  answers: ({ path }) => (LIST.test(path) ? "list" : "record"),
  flaw: (json, expects, question) => flaw(json, expects, question),
  isAbsent: (answer) => answer.status === 404 && NOT_FOUND.test(answer.text),
  logins: {
    methods: ["jwt"],
    path: "v1/acl/login",
    members: (mount, { jwt }) => ({ AuthMethod: mount, BearerToken: jwt }),
    issued: tokenIn,
    end: "v1/acl/logout",
    isUnknown: ({ status, text }) => status === 403 && UNKNOWN_TOKEN.test(text),
  },
  isFiltered: ({ headers }) =>
    headers["x-consul-results-filtered-by-acls"] === "true" || headers["x-service-results-filtered-by-acls"] === "true",
  names: {
    query: "",
    unsupported: NO_KIND,
    of: (list) => (Array.isArray(list) ? list.filter(isRecord).map(({ Name }) => String(Name)) : []),
  },
  capabilities(question) {
    const rule = ruleFor(question);
    return rule ? [`${rule.of}:${rule.access}`] : [];
  },
  details: (answer) => (answer.text.length > 0 && !/^\s*</.test(answer.text) ? [answer.text] : []),
  advice: [
    // Consul's own answers are plain text.
    { text: /^\{"errors":\[/, todo: "That is an answer of Vault or OpenBao, not of Consul: check the address." },
    {
      text: UNKNOWN_TOKEN,
      todo: "The token is unknown or deleted; give a valid one in {token}.",
      isAboutToken: true,
    },
    {
      text: /Permission denied/,
      todo(question, { text }) {
        const rule = lackedRule(text) ?? ruleFor(question);
        const needed = rule && partitionRules(question.tenant, [rule], ", ");
        return needed ? `The token's policy needs: ${needed}.` : "The token's policy does not allow it.";
      },
      isAboutToken: true,
    },
    {
      text: /invalid peering establishment secret/,
      todo: "The token has been used or replaced: raise `generation` of its cluster.PeeringToken to have a new one issued.",
    },
    { text: /existing peering expecting to be dialed/, todo: OTHER_DIRECTION },
    { text: /already an established peering/, todo: OTHER_DIRECTION },
    {
      text: /cannot create a peering within the same cluster/,
      todo: "This cluster has issued the token itself: give the token of the other cluster, or correct the address of one of the two connections.",
    },
    { text: /Partitions are a Consul Enterprise feature/, todo: NO_PARTITION },
    { text: /invalid config key "[^"]*Partition"/, todo: NO_PARTITION },
    {
      text: /namespaces are a consul enterprise feature/i,
      todo: "Leave out `namespace`: this is the community edition.",
    },
    {
      text: /sameness.groups are an? (enterprise-only|consul enterprise) feature/i,
      todo: "Leave out `samenessGroup`: this is the community edition.",
    },
    {
      text: /incompatible with L7 intentions permissions/,
      todo: "`permissions` need a service that speaks HTTP: set its protocol in its service-defaults, or in proxy-defaults.",
    },
    {
      text: /Referenced JWT Provider does not exist/,
      todo: "Write the config entry `jwt-provider` of that name first.",
    },
    { text: /peering must be enabled/, todo: "Set peering.enabled in the servers' configuration." },
    {
      text: /tls: unrecognized name/,
      todo: "The other cluster has no certificate for peerings yet, as in the seconds after its start; run this again.",
    },
    { status: 503, path: "establish", todo: "The other cluster cannot be reached at the addresses in the token." },
  ],
  // The trust domain tells clusters apart, and no token is needed to ask for it.
  probes: ["v1/connect/ca/roots"],
  server(answer, { namespace }) {
    const roots = answer?.status === 200 ? parseJson(answer.text) : undefined;
    const domain = isRecord(roots) ? roots["TrustDomain"] : undefined;
    if (typeof domain !== "string" || domain === "") return undefined;
    const identity = `consul:${domain}${namespace ? `/${namespace}` : ""}`;
    return { product: "consul", enterprise: false, identity };
  },
};

/** Consul renews no token; how long one lasts is a matter of its auth method. */
function tokenIn(json: unknown): IssuedToken | undefined {
  if (!isRecord(json)) return undefined;
  const { SecretID: token, ExpirationTime: end, CreateTime: start } = json;
  if (typeof token !== "string" || token === "") return undefined;
  // Both times are of the server's clock, with which this machine's may differ by more than the lease.
  const began = typeof start === "string" ? Date.parse(start) : Date.now();
  const left = typeof end === "string" ? Math.floor((Date.parse(end) - began) / 1000) : Number.NaN;
  return { token, seconds: Number.isNaN(left) ? 0 : Math.max(1, left), renewable: false, isBatch: false };
}

const LIST = /^v1\/(peerings|config\/service-intentions)(\?|$)/;
const RECORD = /^v1\/(peering|config\/[^/]+)\//;

function flaw(json: unknown, expects: "record" | "list", { method, path }: Question): string | undefined {
  const isNamed = (record: unknown) => isRecord(record) && typeof record["Name"] === "string" && record["Name"] !== "";
  if (expects === "record") {
    if (!isRecord(json)) return "it is no object";
    return method === "GET" && RECORD.test(path) && !isNamed(json) ? "it has no `Name`" : undefined;
  }
  if (!Array.isArray(json)) return "it is no list";
  return LIST.test(path) && !json.every(isNamed) ? "an entry of its list has no `Name`" : undefined;
}

/** The community edition refuses an empty partition in no place, but Enterprise may not; what is empty is left out. */
function withoutEmpty(members: unknown): unknown {
  if (!isRecord(members)) return members;
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== "" && !(isRecord(value) && Object.keys(value).length === 0),
    ),
  );
}
