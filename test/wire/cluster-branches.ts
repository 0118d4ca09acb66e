import type { Branch } from "./branch.ts";

const service = "cluster";
const dialect = "provider/dialects/consul.ts";
const advice = `${dialect} advice`;

const token = "POST peering/token";
const establish = "POST peering/establish";
const read = "GET peering/{name}";
const list = "GET peerings";
const remove = "DELETE peering/{name}";
const exported = "GET config/exported-services/{name}";
const intention = "GET config/service-intentions/{name}";
const intentions = "GET config/service-intentions";
const putEntry = "PUT config";

/** Every branch on an answer of Consul. */
export const clusterBranches: readonly Branch[] = [
  {
    where: `${dialect} isAbsent`,
    service,
    status: 404,
    text: /^(Peering|Config entry) not found for "/,
    requests: [read, exported, intention],
  },
  {
    where: `${dialect} isFiltered`,
    service,
    status: 200,
    shows: /^x-consul-results-filtered-by-acls: true$/m,
    // No list of peerings is ever filtered, but the header is the same on all lists (reference B.3.6).
    requests: ["GET catalog/nodes", intentions],
  },
  {
    where: `${dialect} isFiltered`,
    service,
    status: 200,
    shows: /^x-service-results-filtered-by-acls: true$/m,
    requests: [list],
    unrecorded: "the document's name of the header; Consul's own is the other one",
  },
  {
    where: "provider/engine/confirm.ts unanswered",
    service,
    status: 500,
    requests: [list],
  },
  { where: `${dialect} server`, service, status: 200, shows: /"TrustDomain":"/, requests: ["GET connect/ca/roots"] },
  {
    where: advice,
    service,
    status: 404,
    text: /^\{"errors":\[/,
    requests: [list],
    unrecorded: "an answer of another product, which a wrong address leads to",
  },
  { where: advice, service, status: 403, text: /ACL not found/, requests: [token, establish, list, remove] },
  { where: advice, service, status: 403, text: /Permission denied/, requests: [token, establish, read, list, remove] },
  { where: advice, service, status: 403, text: /invalid peering establishment secret/, requests: [establish] },
  { where: advice, service, status: 500, text: /existing peering expecting to be dialed/, requests: [establish] },
  { where: advice, service, status: 500, text: /already an established peering/, requests: [token] },
  {
    where: advice,
    service,
    status: 500,
    text: /cannot create a peering within the same cluster/,
    requests: [establish],
  },
  { where: advice, service, status: 500, text: /Partitions are a Consul Enterprise feature/, requests: [token] },
  {
    where: advice,
    service,
    status: 400,
    text: /Partitions are a Consul Enterprise feature/,
    requests: [token, establish, read, list, remove],
  },
  { where: advice, service, status: 400, text: /invalid config key "[^"]*Partition"/, requests: [putEntry] },
  {
    where: advice,
    service,
    status: 400,
    text: /namespaces are a consul enterprise feature/i,
    requests: [putEntry, intention],
  },
  {
    where: advice,
    service,
    status: 500,
    text: /sameness.groups are an? (enterprise-only|consul enterprise) feature/i,
    requests: [putEntry],
  },
  {
    where: advice,
    service,
    status: 500,
    text: /incompatible with L7 intentions permissions/,
    requests: [putEntry],
  },
  { where: advice, service, status: 500, text: /Referenced JWT Provider does not exist/, requests: [putEntry] },
  {
    where: `${dialect} NO_KIND`,
    service,
    status: 500,
    text: /invalid config entry kind/,
    requests: [intentions],
    unrecorded: "only a Consul before 1.9 has no intentions among its config entries",
  },
  {
    where: advice,
    service,
    status: 500,
    text: /peering must be enabled/,
    requests: [token, establish, list, remove],
  },
  {
    where: advice,
    service,
    status: 503,
    text: /tls: unrecognized name/,
    requests: [establish],
    unrecorded: "only in the first seconds of a slow cluster",
  },
  { where: advice, service, status: 503, requests: [establish] },
  {
    where: "provider/resources/cluster/peer.ts ending",
    service,
    status: 200,
    shows: /"DeletedAt":"/,
    requests: [read],
  },
  {
    where: "provider/resources/cluster/peer.ts terminated",
    service,
    status: 200,
    shows: /"State":"TERMINATED"/,
    requests: [read, list],
  },
  {
    where: "provider/resources/cluster/peer.ts ending",
    service,
    status: 200,
    shows: /"State":"TERMINATED"/,
    requests: [read],
  },
  // ESTABLISHING goes by too fast to be recorded. None of them is drift.
  ...["PENDING", "ACTIVE", "FAILING"].map(
    (state): Branch => ({
      where: "provider/resources/cluster/peer.ts onItsWayToActive",
      service,
      status: 200,
      shows: new RegExp(`"State":"${state}"`),
      requests: [read, list],
    }),
  ),
  {
    where: "provider/resources/cluster/peer.ts terminated",
    service,
    status: 200,
    shows: /"State":"DELETING"/,
    requests: [read],
  },
  { where: "provider/engine/answer.ts jsonOf", service, status: 200, shows: /\n$/, requests: [remove] },
  {
    where: "provider/http/transport.ts redirectOf",
    service,
    status: 307,
    shows: /^location: /m,
    requests: ["GET peering", "DELETE peering//{name}"],
  },
];
