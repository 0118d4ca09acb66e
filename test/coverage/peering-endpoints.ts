import type { Sections } from "./section.ts";

/** Cluster peering: endpoints and what holds for them. */
export const peeringEndpoints = {
  "peering: Endpoints": {
    of: ["clusterGetPeerings"],
    rows: {
      "POST peering/token": {
        says: "name required, partition, addresses and meta optional; JSON; needs peering:write",
        real: "200 with one member, the token; every call issues another",
        evidence: ["wire cluster-token", "reference peering B.5"],
        asserted:
          "the answer, the record behind it, required fields, the permission; no run without a change asks for one",
      },
      "POST peering/establish": {
        says: "name and token required; no data, the status tells; needs peering:write",
        real: "200 with an empty object; 403 for a spent token, 503 after three seconds for nobody there",
        evidence: ["wire cluster-establish", "wire cluster-life", "reference peering B.6"],
        asserted:
          "the answer and the refusals; what a failed one leaves is adopted by the next; a run waits for ACTIVE and records what it has when that does not come",
      },
      "GET peering/{peerName}": {
        says: "JSON; needs peering:read",
        real: "404 names what is not there; a refusal takes twelve seconds",
        evidence: ["wire cluster-reads", "wire cluster-access", "reference peering B.7"],
        asserted: "the record, the 404, the refusal and that it is waited for",
      },
      "DELETE peering/{peerName}": {
        says: "no data, the status tells; needs peering:write",
        real: "200, whether or not it was there",
        evidence: ["wire cluster-reads", "wire cluster-deletion", "reference peering B.9"],
        asserted: "both, and the permission",
      },
      "GET peerings": {
        says: "a JSON array; needs peering:read",
        real: "sorted by name, `[]` when empty, the ended ones too",
        evidence: ["wire cluster-reads", "reference peering B.8"],
        asserted: "order and empty list; one list for all peerings of a connection",
      },
      peerings: {
        says: "what the list holds",
        real: "the records of single reads",
        evidence: ["wire cluster-reads", "reference peering B.8"],
        asserted: "each is the record that a read answers",
      },
      "query partition": {
        says: "optional, Enterprise, on read, delete and list",
        real: "the community edition answers 400 for any value",
        evidence: ["wire cluster-reads", "reference peering B.4"],
        asserted: "the refusal on each of the three; with the profile `enterprise`, that each stays in its partition",
      },
      "JSON both ways": {
        says: "bodies and answers are JSON",
        real: "a strict decoder: unknown members are a 400; errors are plain text",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "every way in which a body is wrong, in Go's words",
      },
      "bodies of answers": {
        says: "not shown",
        real: "recorded; see the record's fields above",
        evidence: ["wire cluster-token", "wire cluster-reads", "reference peering B.5"],
        asserted: "what is in a token, what is in a record",
      },
      "blocking queries": {
        says: "on read and list, not on writes",
        real: "as documented since 1.15; ACTIVE and FAILING move no index",
        evidence: ["wire cluster-reads", "reference peering B.11"],
        asserted: "waits for an index, ends with its time, wakes for what is written and sleeps through what is not",
      },
      "consistency mode": {
        says: "`consistent` on read and list, none on writes",
        real: "`stale` is switched off: the leader always answers; both together are an odd 400",
        evidence: ["wire cluster-reads", "reference peering B.11"],
        asserted: "the answer to the contradiction, and that the leader is known",
      },
      "agent caching": {
        says: "background refresh on the list, none elsewhere",
        real: "not on the wire: `cached` is ignored, no header tells of a cache",
        evidence: ["reference peering B.11"],
        asserted: "a list with `cached` is the same list, without such a header",
      },
    },
  },
  "peering: Authentication, errors, limits, versions": {
    of: [],
    rows: {
      "permission of each endpoint": {
        says: "peering:write for token, establish and delete, peering:read for read and list",
        real: "as documented; where no rule is about peering, the operator's right decides",
        evidence: ["wire cluster-access", "reference peering B.3"],
        asserted: "reading ends at writing; rules in every combination; the order of checks",
      },
      "partition of the token": {
        says: "inferred from the ACL token when not given",
        real: "Enterprise; the community edition has one partition",
        evidence: ["reference peering B.4"],
        asserted: "without one none is sent, `default` is the same as none",
      },
      "filtered lists": {
        says: "a header tells that ACLs have left something out",
        real: "never with peerings: the right to list is all or nothing",
        evidence: ["wire cluster-status", "reference peering B.3"],
        asserted: "a list is refused whole; one with the header would say nothing about what is missing",
      },
      "how the token travels": {
        says: "not shown",
        real: "query, `X-Consul-Token`, bearer; the first one counts, also when it is bad",
        evidence: ["wire cluster-access", "reference peering B.3"],
        asserted: "the three places and their order; the provider uses the header",
      },
      "status codes and bodies": {
        says: "not shown",
        real: "plain text; 400 decoding, 403 rights, 404, 405, and 500 for nearly every wrong value",
        evidence: ["wire cluster-token", "wire cluster-reads", "reference peering B.2"],
        asserted: "the texts; a 500 is no reason to try again or to forget",
      },
      "rate and size limits": {
        says: "not shown",
        real: "name 63, meta 64 pairs; no limit of requests unless configured, then 429",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "the borders, and that a 429 is waited for",
      },
      "since 1.13.0": {
        says: "peering exists from that release on",
        real: "older servers know no such path",
        evidence: ["wire cluster-closed", "reference peering B.14"],
        asserted: "what a cluster without peering answers; an unknown path is not a record that is gone",
      },
    },
  },
} satisfies Sections;
