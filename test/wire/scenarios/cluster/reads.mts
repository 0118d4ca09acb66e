import { defineScenario, refused } from "../../scenario.mts";

/** Reading, listing and deleting, and the paths beside them (reference B.1, B.7 to B.9, B.11). */
export const clusterReads = defineScenario({
  topic: "reads",
  service: "cluster",
  servers: ["consul"],
  steps: [
    // @covers peering: Endpoints > GET peerings
    { title: "an empty list", request: "GET peerings", outcome: "ok" },
    {
      title: "a token for the second name",
      request: "POST peering/token",
      body: { PeerName: "wire-b" },
      outcome: "ok",
    },
    { title: "a token for the first name", request: "POST peering/token", body: { PeerName: "wire-a" }, outcome: "ok" },
    // @covers peering: Endpoints > GET peerings
    { title: "the list is sorted by name", request: "GET peerings", outcome: "ok" },
    { title: "a list that would wait, but need not", request: "GET peerings?index=1&wait=1s", outcome: "ok" },
    { title: "a list of one's own cluster, whatever its name", request: "GET peerings?dc=nowhere", outcome: "ok" },
    // @covers peering: Endpoints > GET peering/{peerName}
    // @covers peering: Endpoints > bodies of answers
    { title: "a read", request: "GET peering/wire-a", outcome: "ok" },
    // @covers peering: Fields of the stored record > Name
    { title: "a read in upper case", request: "GET peering/WIRE-A", outcome: "ok" },
    // @covers peering: Endpoints > blocking queries
    { title: "a read that would wait, but need not", request: "GET peering/wire-a?index=1&wait=1s", outcome: "ok" },
    // @covers peering: Endpoints > GET peering/{peerName}
    { title: "a read of what is not there", request: "GET peering/wire-c", outcome: "absent" },
    { title: "a read of a name with a quote", request: "GET peering/a%22b", outcome: "absent" },
    { title: "a read of a name with a slash", request: "GET peering/a%2Fb", outcome: "absent" },
    {
      title: "a read without a name",
      request: "GET peering/",
      outcome: refused(/^400 Must specify a name to fetch\./),
    },
    {
      title: "a read with a bad wait",
      request: "GET peering/wire-c?wait=soon",
      outcome: refused(/^400 Invalid wait time/),
    },
    {
      title: "a read with a bad index",
      request: "GET peering/wire-c?index=soon",
      outcome: refused(/^400 Invalid index/),
    },
    // @covers peering: Endpoints > consistency mode
    {
      title: "a read that contradicts itself",
      request: "GET peering/wire-c?stale&consistent",
      outcome: refused(/^400 Cannot specify \?stale with \?consistent/),
    },
    // @covers peering: Endpoints > query partition
    {
      title: "a read of a partition",
      request: "GET peering/wire-a?partition=team",
      outcome: refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    },
    // @covers peering: Endpoints > query partition
    {
      title: "a list of a partition",
      request: "GET peerings?partition=team",
      outcome: refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    },
    // @covers peering: Endpoints > query partition
    {
      title: "a delete in a partition",
      request: "DELETE peering/wire-a?partition=default",
      outcome: refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    },
    // The client follows both.
    {
      title: "a read without the slash",
      request: "GET peering",
      outcome: refused(/^400 Must specify a name to fetch/),
    },
    {
      title: "a list with a slash",
      request: "GET peerings/",
      outcome: refused(/^404 Invalid URL path: not a recognized/),
    },
    // @covers peering: Authentication, errors, limits, versions > since 1.13.0
    { title: "an unknown path", request: "GET peers", outcome: refused(/^404 Invalid URL path: not a recognized/) },
    {
      title: "a write to a name",
      request: "POST peering/wire-a",
      body: {},
      outcome: refused(/^405 method POST not allowed/),
    },
    {
      title: "a write to the list",
      request: "POST peerings",
      body: {},
      outcome: refused(/^405 method POST not allowed/),
    },
    // @covers peering: Endpoints > DELETE peering/{peerName}
    { title: "a delete", request: "DELETE peering/wire-a", outcome: "ok" },
    { title: "a delete with a doubled slash", request: "DELETE peering//wire-a", outcome: "ok" },
    { title: "the end of the first", request: "GET peering/wire-a", until: /not found/, outcome: "absent" },
    // @covers peering: Endpoints > DELETE peering/{peerName}
    { title: "a delete of what is gone", request: "DELETE peering/wire-a", outcome: "ok" },
    { title: "a delete in upper case", request: "DELETE peering/WIRE-B", outcome: "ok" },
    { title: "the end of the second", request: "GET peering/wire-b", until: /not found/, outcome: "absent" },
  ],
});
