import type { Sections } from "./section.ts";

/** Document 2, part B: what a peering is, and its life. */
export const peering = {
  "2B What the service does": {
    of: [],
    rows: {
      "token, establishment, records": {
        says: "one cluster issues a token, the other establishes the peering with it; peerings are read, listed, deleted",
        real: "as documented",
        evidence: ["wire cluster-life", "reference peering B.10"],
        asserted: "the whole life between two clusters, and as resources, which are ACTIVE when they are made",
        tests: [
          "wire cluster-life > the dialer is active",
          "server/cluster-peering-tokens > leads to the cluster that issued it",
          "contract/peering-life > a token and the peering made with it become ACTIVE, which is no change, and go away whole",
          "contract/peering-wait > a peering is ACTIVE when it is made, and when it is made anew",
        ],
      },
      "the name elsewhere": {
        says: "queries and configuration entries name the peer",
        real: "the name cannot be changed",
        evidence: ["reference peering B.12"],
        asserted: "another name replaces, the old record first",
        tests: [
          "contract/fields > clusterPeering.peerName",
          "contract/traps/cluster-traps > a replacement under the same name deletes, waits until the name is free, and only then creates",
        ],
      },
    },
  },
  "2B Peering connection": {
    of: ["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters", "clusterGetPeering", "clusterGetPeerings"],
    rows: {
      PeerName: {
        says: "a valid label of a DNS name",
        real: "small letters, digits and dashes, 63 at most, else a 500; `token` and `establish` are out of reach",
        evidence: ["wire cluster-token", "reference peering B.4"],
        asserted: "wrong names are refused by the check and as Consul does; reads take any case",
        tests: [
          "wire cluster-token > a name in upper case",
          "wire cluster-token > a name of 64 letters",
          "wire cluster-establish > a name with a dot",
          "contract/traps/cluster-traps > names are labels in lower case, and two of them are reserved",
        ],
      },
      Partition: {
        says: "Enterprise; else from the token, or `default`",
        real: "the community edition refuses any other, except in the body of an establishment",
        evidence: ["wire cluster-token", "wire cluster-establish", "reference peering B.4"],
        asserted:
          "refusals in body, query and header; sent only when the program names one; where there are any, one of its own",
        tests: [
          "wire cluster-token > a partition on the community edition",
          "wire cluster-token > the default partition",
          "server/cluster-requests > refuse a partition beside %s",
          "contract/traps/cluster-traps > no partition is sent, in body or query, unless the program names one",
          "server/profile-partitions > $resource is in the partition that it names, and another one replaces it",
          "server/profile-partitions > a peering is imported by its partition and its name",
        ],
      },
      ServerExternalAddresses: {
        says: "`host:port` of load balancers in front of the issuing cluster",
        real: "taken unchecked; when given, only they are dialled",
        evidence: ["wire cluster-token", "reference peering B.5"],
        asserted: "inside the token, dialled instead of the servers' own, checked in the program",
        tests: [
          "wire cluster-token > a token with addresses of its own",
          "server/cluster-peering-tokens > are dialled instead of the server's own, not before them",
          "contract/traps/cluster-traps > external addresses are sent as they are, and none when none are given",
          "unit/rules/cluster > a cluster.PeeringToken",
        ],
      },
      PeeringToken: {
        says: "from the other cluster; required to establish",
        real: "works once; a later token ends it; never shown again",
        evidence: ["wire cluster-life", "reference peering B.5"],
        asserted: "used, replaced and invented tokens; a secret output; another cluster's token replaces",
        tests: [
          "wire cluster-life > a token that has been used",
          "wire cluster-life > a token that has been replaced",
          "contract/secrets > the token that a cluster issues is a secret output, through the %s host",
          "contract/traps/cluster-traps > a dialer whose token is another cluster's is replaced, one with a fresh token of the same is not",
        ],
      },
      Meta: {
        says: "optional pairs of text, of no effect",
        real: "64 pairs, keys of 128, values of 512 bytes; kept from the first token, replaced by an establishment",
        evidence: ["wire cluster-token", "wire cluster-life", "reference peering B.4"],
        asserted: "limits on both sides, that a second token's are ignored, that a change replaces",
        tests: [
          "wire cluster-token > 65 pairs of Meta",
          "wire cluster-token > a second token, whose Meta is ignored",
          "wire cluster-token > the acceptor is the same",
          "wire cluster-life > the dialer has the new Meta",
          "contract/traps/cluster-traps > a change of meta replaces on both sides",
        ],
      },
      DeletedAt: {
        says: "time of the mark on a peering that is being deleted",
        real: "as documented, with nanoseconds; absent otherwise",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "set by a delete, kept by a second one; such a record counts as gone",
        tests: [
          "wire cluster-deletion > the dialer while it goes",
          "wire cluster-deletion > a second delete",
          "contract/traps/cluster-traps > a record that is being deleted is gone, and one that the other side ended asks for a repair",
        ],
      },
    },
  },
  "2B Fields of the stored record": {
    of: ["clusterPeeringToken", "clusterPeering", "clusterPeeredClusters", "clusterGetPeering", "clusterGetPeerings"],
    rows: {
      ID: {
        says: "not shown",
        real: "stays through other tokens and establishments",
        evidence: ["wire cluster-life", "reference peering B.7"],
        asserted: "kept by both; another id is another record",
        tests: [
          "wire cluster-token > the acceptor is the same",
          "server/cluster-tokens > again with another token replaces everything but the identity",
          "contract/traps/cluster-traps > outputs that no other provider shows: the id of the record, and whether it was ended",
        ],
      },
      Name: {
        says: "not shown",
        real: "in small letters; as typed once a delete was asked in capitals",
        evidence: ["wire cluster-reads", "reference peering B.9"],
        asserted: "found in any case, kept as typed by a delete",
        tests: [
          "wire cluster-reads > a read in upper case",
          "server/cluster-records > marks the record, drops what Consul drops and keeps the name as it was typed",
        ],
      },
      State: {
        says: "not shown",
        real: "PENDING, ESTABLISHING, ACTIVE, FAILING, DELETING, TERMINATED",
        evidence: ["wire cluster-life", "wire cluster-outage", "wire cluster-deletion", "reference peering B.10"],
        asserted:
          "each of the six, on the side and at the moment that it belongs to; ACTIVE is waited for, none but TERMINATED is drift",
        tests: [
          "server/cluster-peering-states > is ESTABLISHING on the dialer between the exchange and the stream, and then ACTIVE on both sides",
          "wire cluster-outage > the dialer lost its stream",
          "wire cluster-life > the dialer hears of it",
          "contract/traps/peering-state-traps > FAILING says nothing about why, so it is neither drift nor an end",
          "unit/engine/until-ready > asks until the peering is active",
          "unit/engine/until-ready > does not wait for one that is %s",
        ],
      },
      PeerID: {
        says: "not shown",
        real: "of dialers only: the id on the other cluster",
        evidence: ["wire cluster-life", "reference peering B.7"],
        asserted: "there for the dialer, absent for the acceptor",
        tests: [
          "server/cluster-peering-states > shows the acceptor's id, CA, server name, addresses and datacenter on the dialer",
          "server/cluster-peering-states > shows the dialer's datacenter and CA on the acceptor, and nothing else of it",
        ],
      },
      PeerCAPems: {
        says: "not shown",
        real: "from the token, on the acceptor once connected",
        evidence: ["reference peering B.7"],
        asserted: "on both sides of a connected pair",
        tests: [
          "server/cluster-peering-states > shows the acceptor's id, CA, server name, addresses and datacenter on the dialer",
          "contract/functions > reads one peering, and lists all",
        ],
      },
      PeerServerName: {
        says: "not shown",
        real: "of dialers only, from the token",
        evidence: ["reference peering B.7"],
        asserted: "there for the dialer, absent for the acceptor",
        tests: [
          "server/cluster-peering-states > shows the acceptor's id, CA, server name, addresses and datacenter on the dialer",
        ],
      },
      PeerServerAddresses: {
        says: "not shown",
        real: "of dialers only; what the peer announces once connected",
        evidence: ["reference peering B.7"],
        asserted: "the token's first, then the announced ones",
        tests: [
          "server/cluster-peering-tokens > are dialled, and the server's own are shown once the clusters are connected",
        ],
      },
      Remote: {
        says: "not shown",
        real: "always there: datacenter and partition of the other side, empty until it is known",
        evidence: ["reference peering B.7"],
        asserted: "on both sides, read by the function",
        tests: [
          "server/cluster-peering-states > shows the dialer's datacenter and CA on the acceptor, and nothing else of it",
          "unit/functions/definitions > a peering shows what its stream carries, and nothing of what is not there yet",
        ],
      },
      StreamStatus: {
        says: "not shown",
        real: "always there: services and times, null until connected",
        evidence: ["reference peering B.7"],
        asserted: "times that heartbeats move, null before; read by the function",
        tests: [
          "server/cluster-peering-states > has the times of its stream, of which heartbeats move all, and no index",
          "unit/functions/definitions > a peering shows what its stream carries, and nothing of what is not there yet",
        ],
      },
    },
  },
  "2B States": {
    of: [],
    rows: {
      "marked for deletion": {
        says: "DELETE marks the peering; what was imported goes later, reads go on working",
        real: "while its stream is up the marked record reads ACTIVE",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "the mark, the reads meanwhile, what is dropped at once",
        tests: [
          "wire cluster-deletion > the dialer while it goes",
          "server/cluster-peering-states > is marked, while its stream is up reads as ACTIVE with DeletedAt, and is removed in the background",
          "server/cluster-peering-states > is DELETING where no stream is up, and still read",
        ],
      },
      removed: {
        says: "once all data is deleted the peering is removed",
        real: "as documented; stuck as TERMINATED when both sides go at once, until deleted again",
        evidence: ["wire cluster-deletion", "reference peering B.9"],
        asserted: "404 in the end; the provider waits for it and asks again where it is stuck",
        tests: [
          "wire cluster-deletion > the end of the dialer",
          "server/cluster-records > ends with the record gone and its name free",
          "contract/traps/peering-state-traps > a record that is stuck as TERMINATED is deleted again while its end is awaited",
        ],
      },
      "other states": {
        says: "not shown",
        real: "see State above",
        evidence: ["wire cluster-life", "reference peering B.10"],
        asserted: "transitions of both sides: connect, lose, end, establish again",
        tests: [
          "server/cluster-peering-states > is TERMINATED where the other side has deleted its record, whichever side that is",
          "server/cluster-peering-outage > is FAILING on both sides at once, keeps its times, and is ACTIVE again when the way is free",
          "wire cluster-life > the dialer is active again",
        ],
      },
    },
  },
} satisfies Sections;
