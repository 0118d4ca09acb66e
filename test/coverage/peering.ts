import type { Sections } from "./section.ts";

/** Cluster peering: what a peering is, and its life. */
export const peering = {
  "peering: What the service does": {
    of: [],
    rows: {
      "token, establishment, records": {
        says: "one cluster issues a token, the other establishes the peering with it; peerings are read, listed, deleted",
        evidence: ["wire cluster-life", "reference peering B.10"],
        asserted: "the whole life between two clusters, and as resources, which are ACTIVE when they are made",
      },
      "the name elsewhere": {
        says: "queries and configuration entries name the peer",
        real: "the name cannot be changed",
        evidence: ["reference peering B.12"],
        asserted: "another name replaces, the old record first",
      },
    },
  },
  "peering: Peering connection": {
    of: ["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters", "clusterGetPeering", "clusterGetPeerings"],
    rows: {
      PeerName: {
        says: "a valid label of a DNS name",
        real: "small letters, digits and dashes, 63 at most, else a 500; `token` and `establish` are out of reach",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "wrong names are refused by the check and as Consul does; reads take any case",
      },
      Partition: {
        says: "Enterprise; else from the token, or `default`",
        real: "the community edition refuses any other, except in the body of an establishment",
        evidence: ["wire cluster-token", "wire cluster-establish", "reference peering B.4"],
        asserted:
          "refusals in body, query and header; sent only when the program names one; where there are any, one of its own",
      },
      ServerExternalAddresses: {
        says: "`host:port` of load balancers in front of the issuing cluster",
        real: "taken unchecked; when given, only they are dialled",
        evidence: ["wire cluster-token", "reference peering B.5"],
        asserted: "inside the token, dialled instead of the servers' own, checked in the program",
      },
      PeeringToken: {
        says: "from the other cluster; required to establish",
        real: "works once; a later token ends it; never shown again",
        evidence: ["wire cluster-life", "reference peering B.5"],
        asserted: "used, replaced and invented tokens; a secret output; another cluster's token replaces",
      },
      Meta: {
        says: "optional pairs of text, of no effect",
        real: "64 pairs, keys of 128, values of 512 bytes; kept from the first token, replaced by an establishment",
        evidence: ["wire cluster-token", "wire cluster-life", "reference peering B.4"],
        asserted: "limits on both sides, that a second token's are ignored, that a change replaces",
      },
      DeletedAt: {
        says: "time of the mark on a peering that is being deleted",
        real: "as documented, with nanoseconds; absent otherwise",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "set by a delete, kept by a second one; such a record counts as gone",
      },
    },
  },
  "peering: Fields of the stored record": {
    of: ["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters", "clusterGetPeering", "clusterGetPeerings"],
    evidence: ["reference peering B.7"],
    rows: {
      ID: {
        says: "not shown",
        real: "stays through other tokens and establishments",
        evidence: ["wire cluster-life", "reference peering B.7"],
        asserted: "kept by both; another id is another record",
      },
      Name: {
        says: "not shown",
        real: "in small letters; as typed once a delete was asked in capitals",
        evidence: ["wire cluster-reads", "reference peering B.9"],
        asserted: "found in any case, kept as typed by a delete",
      },
      State: {
        says: "not shown",
        real: "PENDING, ESTABLISHING, ACTIVE, FAILING, DELETING, TERMINATED",
        evidence: ["wire cluster-life", "wire cluster-outage", "wire cluster-deletion", "reference peering B.10"],
        asserted:
          "each of the six, on the side and at the moment that it belongs to; ACTIVE is waited for, none but TERMINATED is drift",
      },
      PeerID: {
        says: "not shown",
        real: "of dialers only: the id on the other cluster",
        evidence: ["wire cluster-life", "reference peering B.7"],
        asserted: "there for the dialer, absent for the acceptor",
      },
      PeerCAPems: {
        says: "not shown",
        real: "from the token, on the acceptor once connected",
        asserted: "on both sides of a connected pair",
      },
      PeerServerName: {
        says: "not shown",
        real: "of dialers only, from the token",
        asserted: "there for the dialer, absent for the acceptor",
      },
      PeerServerAddresses: {
        says: "not shown",
        real: "of dialers only; what the peer announces once connected",
        asserted: "the token's first, then the announced ones",
      },
      Remote: {
        says: "not shown",
        real: "always there: datacenter and partition of the other side, empty until it is known",
        asserted: "on both sides, read by the function",
      },
      StreamStatus: {
        says: "not shown",
        real: "always there: services and times, null until connected",
        asserted: "times that heartbeats move, null before; read by the function",
      },
    },
  },
  "peering: States": {
    of: [],
    rows: {
      "marked for deletion": {
        says: "DELETE marks the peering; what was imported goes later, reads go on working",
        real: "while its stream is up the marked record reads ACTIVE",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "the mark, the reads meanwhile, what is dropped at once",
      },
      removed: {
        says: "once all data is deleted the peering is removed",
        real: "as documented; stuck as TERMINATED when both sides go at once, until deleted again",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "404 in the end; the provider waits for it and asks again where it is stuck",
      },
      "other states": {
        says: "not shown",
        real: "see State above",
        evidence: ["wire cluster-life", "reference peering B.10"],
        asserted: "transitions of both sides: connect, lose, end, establish again",
      },
    },
  },
} satisfies Sections;
