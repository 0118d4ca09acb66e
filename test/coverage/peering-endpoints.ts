import type { Sections } from "./section.ts";

/** Document 2, part B: endpoints and what holds for them. */
export const peeringEndpoints = {
  "2B Endpoints": {
    of: ["clusterGetPeerings"],
    rows: {
      "POST peering/token": {
        says: "name required, partition, addresses and meta optional; JSON; needs peering:write",
        real: "200 with one member, the token; every call issues another",
        evidence: ["wire cluster-token", "reference peering B.5"],
        asserted:
          "the answer, the record behind it, required fields, the permission; no run without a change asks for one",
        tests: [
          "wire cluster-token > a token",
          "wire cluster-token > no name",
          "wire cluster-access > a token without the right",
          "contract/traps/cluster-traps > no run without a change issues a token, as that would kill one that is in use",
        ],
      },
      "POST peering/establish": {
        says: "name and token required; no data, the status tells; needs peering:write",
        real: "200 with an empty object; 403 for a spent token, 503 after three seconds for nobody there",
        evidence: ["wire cluster-establish", "wire cluster-life", "reference peering B.6"],
        asserted:
          "the answer and the refusals; what a failed one leaves is adopted by the next; a run waits for ACTIVE and records what it has when that does not come",
        tests: [
          "wire cluster-life > the dialer uses it",
          "wire cluster-establish > no token",
          "wire cluster-establish > a cluster that nobody reaches",
          "wire cluster-access > an establishment by anybody",
          "contract/traps/cluster-traps > a record that a failed establish left behind is adopted by the next attempt",
          "contract/peering-wait > $resource that does not become ACTIVE > but stays %s is recorded whole, and the next run waits on without a new token",
        ],
      },
      "GET peering/{peerName}": {
        says: "JSON; needs peering:read",
        real: "404 names what is not there; a refusal takes twelve seconds",
        evidence: ["wire cluster-reads", "wire cluster-access", "reference peering B.7"],
        asserted: "the record, the 404, the refusal and that it is waited for",
        tests: [
          "wire cluster-reads > a read",
          "wire cluster-reads > a read of what is not there",
          "wire cluster-access > a read without the right",
          "contract/traps/cluster-traps > a refused read is waited for as long as Consul takes, twenty seconds and more",
        ],
      },
      "DELETE peering/{peerName}": {
        says: "no data, the status tells; needs peering:write",
        real: "200, whether or not it was there",
        evidence: ["wire cluster-reads", "wire cluster-deletion", "reference peering B.9"],
        asserted: "both, and the permission",
        tests: [
          "wire cluster-reads > a delete",
          "wire cluster-reads > a delete of what is gone",
          "wire cluster-access > a delete without the right",
        ],
      },
      "GET peerings": {
        says: "a JSON array; needs peering:read",
        real: "sorted by name, `[]` when empty, the ended ones too",
        evidence: ["wire cluster-reads", "reference peering B.8"],
        asserted: "order and empty list; one list for all peerings of a connection",
        tests: [
          "wire cluster-reads > an empty list",
          "wire cluster-reads > the list is sorted by name",
          "contract/requests > a refresh lists all peerings of a connection once",
        ],
      },
      peerings: {
        says: "what the list holds",
        real: "the records of single reads",
        evidence: ["wire cluster-reads", "reference peering B.8"],
        asserted: "each is the record that a read answers",
        tests: [
          "server/cluster-records > lists all peerings by name, and an empty cluster as []",
          "contract/functions > lists nothing as an empty list, of another cluster",
        ],
      },
      "query partition": {
        says: "optional, Enterprise, on read, delete and list",
        real: "the community edition answers 400 for any value",
        evidence: ["wire cluster-reads", "reference peering B.4"],
        asserted: "the refusal on each of the three; with the profile `enterprise`, that each stays in its partition",
        tests: [
          "wire cluster-reads > a read of a partition",
          "wire cluster-reads > a list of a partition",
          "wire cluster-reads > a delete in a partition",
          "server/profiles > keeps peerings of one name apart by their partition, of the body or of the query",
          "server/profile-partitions > $resource is in the partition that it names, and another one replaces it",
        ],
      },
      "JSON both ways": {
        says: "bodies and answers are JSON",
        real: "a strict decoder: unknown members are a 400; errors are plain text",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "every way in which a body is wrong, in Go's words",
        tests: [
          "server/cluster-requests > answers the body %j with 400",
          "wire cluster-token > an unknown member",
          "wire cluster-token > half a body",
        ],
      },
      "bodies of answers": {
        says: "not shown",
        real: "recorded; see the record's fields above",
        evidence: ["wire cluster-token", "wire cluster-reads", "reference peering B.5"],
        asserted: "what is in a token, what is in a record",
        tests: [
          "server/cluster-tokens > says where and as whom the other cluster finds this one",
          "wire cluster-reads > a read",
        ],
      },
      "blocking queries": {
        says: "on read and list, not on writes",
        real: "as documented since 1.15; ACTIVE and FAILING move no index",
        evidence: ["wire cluster-reads", "reference peering B.11"],
        asserted: "waits for an index, ends with its time, wakes for what is written and sleeps through what is not",
        tests: [
          "server/cluster-records > waits until the index passes",
          "server/cluster-records > answers with what there was when its wait runs out",
          "server/cluster-peering-states > sleeps through heartbeats and a lost stream, and answers with what it saw when it began",
          "wire cluster-reads > a read that would wait, but need not",
        ],
      },
      "consistency mode": {
        says: "`consistent` on read and list, none on writes",
        real: "`stale` is switched off: the leader always answers; both together are an odd 400",
        evidence: ["wire cluster-reads", "reference peering B.11"],
        asserted: "the answer to the contradiction, and that the leader is known",
        tests: [
          "wire cluster-reads > a read that contradicts itself",
          "server/cluster-records > carries the headers of a query",
        ],
      },
      "agent caching": {
        says: "background refresh on the list, none elsewhere",
        real: "not on the wire: `cached` is ignored, no header tells of a cache",
        evidence: ["reference peering B.11"],
        asserted: "a list with `cached` is the same list, without such a header",
        tests: [
          "server/cluster-records > lists all peerings by name, and an empty cluster as []",
          "server/cluster-records > carries the headers of a query",
        ],
      },
    },
  },
  "2B Authentication, errors, limits, versions": {
    of: [],
    rows: {
      "permission of each endpoint": {
        says: "peering:write for token, establish and delete, peering:read for read and list",
        real: "as documented; where no rule is about peering, the operator's right decides",
        evidence: ["wire cluster-access", "reference peering B.3"],
        asserted: "reading ends at writing; rules in every combination; the order of checks",
        tests: [
          "server/cluster-acl > %j grant listing, deleting, and looking at the agent: %j",
          "server/cluster-records > of a token that may read ends at writing",
          "wire cluster-access > the operator's right is enough",
          "wire cluster-access > an invalid name comes before the right",
        ],
      },
      "partition of the token": {
        says: "inferred from the ACL token when not given",
        real: "Enterprise; the community edition has one partition",
        evidence: ["reference peering B.4"],
        asserted: "without one none is sent, `default` is the same as none",
        tests: [
          "contract/traps/cluster-traps > no partition is sent, in body or query, unless the program names one",
          "contract/cases/cluster-peering > the default and an unset partition",
          "unit/rules/cluster > the default partition",
        ],
      },
      "filtered lists": {
        says: "a header tells that ACLs have left something out",
        real: "never with peerings: the right to list is all or nothing",
        evidence: ["wire cluster-status", "reference peering B.3"],
        asserted: "a list is refused whole; one with the header would say nothing about what is missing",
        tests: [
          "unit/dialects/consul > with the headers %j may hide some: %s",
          "wire cluster-access > a list by anybody",
          "server/profiles > say that something was left out while the admin interface wants it, reads of one never",
        ],
      },
      "how the token travels": {
        says: "not shown",
        real: "query, `X-Consul-Token`, bearer; the first one counts, also when it is bad",
        evidence: ["wire cluster-access", "reference peering B.3"],
        asserted: "the three places and their order; the provider uses the header",
        tests: [
          "server/cluster-records > looks for the token in the query, then the header, then the bearer; an earlier bad one wins",
          "wire cluster-access > a token in the query comes before the header's",
          "unit/dialects/consul > with %j has the headers %j",
        ],
      },
      "status codes and bodies": {
        says: "not shown",
        real: "plain text; 400 decoding, 403 rights, 404, 405, and 500 for nearly every wrong value",
        evidence: ["wire cluster-token", "wire cluster-reads", "reference peering B.2"],
        asserted: "the texts; a 500 is no reason to try again or to forget",
        tests: [
          "wire cluster-token > a reserved Meta key",
          "server/cluster-records > answers %s %s with 405, and OPTIONS with the same Allow",
          "unit/dialects/consul > a peering is not there > not because of %s",
        ],
      },
      "rate and size limits": {
        says: "not shown",
        real: "name 63, meta 64 pairs; no limit of requests unless configured, then 429",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "the borders, and that a 429 is waited for",
        tests: [
          "server/cluster-requests > refuse %j, whoever asks",
          "server/cluster-requests > allow 64 pairs, empty values, line breaks, 512 bytes and a reserved prefix in another case",
          "support/contract-fault-suite > %s on any call is an error, nothing is lost, and the next run completes",
        ],
      },
      "since 1.13.0": {
        says: "peering exists from that release on",
        real: "older servers know no such path",
        evidence: ["wire cluster-closed", "reference peering B.14"],
        asserted: "what a cluster without peering answers; an unknown path is not a record that is gone",
        tests: [
          "wire cluster-closed > a token",
          "wire cluster-reads > an unknown path",
          "server/cluster-peering-tokens > says so of a server that has no peerings",
          "unit/dialects/consul > not because of an unknown path",
        ],
      },
    },
  },
} satisfies Sections;
