import { defineScenario, refused, step } from "../../scenario.mts";

/** Reading, listing and deleting, and the paths beside them (reference B.1, B.7 to B.9, B.11). */
export const clusterReads = defineScenario({
  topic: "reads",
  service: "cluster",
  steps: [
    // @covers peering: Endpoints > GET peerings
    step("an empty list", "GET peerings", "ok"),
    step("a token for the second name", "POST peering/token", "ok", { body: { PeerName: "wire-b" } }),
    step("a token for the first name", "POST peering/token", "ok", { body: { PeerName: "wire-a" } }),
    // @covers peering: Endpoints > GET peerings
    step("the list is sorted by name", "GET peerings", "ok"),
    step("a list that would wait, but need not", "GET peerings?index=1&wait=1s", "ok"),
    step("a list of one's own cluster, whatever its name", "GET peerings?dc=nowhere", "ok"),
    // @covers peering: Endpoints > GET peering/{peerName}
    // @covers peering: Endpoints > bodies of answers
    step("a read", "GET peering/wire-a", "ok"),
    // @covers peering: Fields of the stored record > Name
    step("a read in upper case", "GET peering/WIRE-A", "ok"),
    // @covers peering: Endpoints > blocking queries
    step("a read that would wait, but need not", "GET peering/wire-a?index=1&wait=1s", "ok"),
    // @covers peering: Endpoints > GET peering/{peerName}
    step("a read of what is not there", "GET peering/wire-c", "absent"),
    step("a read of a name with a quote", "GET peering/a%22b", "absent"),
    step("a read of a name with a slash", "GET peering/a%2Fb", "absent"),
    step("a read without a name", "GET peering/", refused(/^400 Must specify a name to fetch\./)),
    step("a read with a bad wait", "GET peering/wire-c?wait=soon", refused(/^400 Invalid wait time/)),
    step("a read with a bad index", "GET peering/wire-c?index=soon", refused(/^400 Invalid index/)),
    // @covers peering: Endpoints > consistency mode
    step(
      "a read that contradicts itself",
      "GET peering/wire-c?stale&consistent",
      refused(/^400 Cannot specify \?stale with \?consistent/),
    ),
    // @covers peering: Endpoints > query partition
    step(
      "a read of a partition",
      "GET peering/wire-a?partition=team",
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    ),
    // @covers peering: Endpoints > query partition
    step(
      "a list of a partition",
      "GET peerings?partition=team",
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    ),
    // @covers peering: Endpoints > query partition
    step(
      "a delete in a partition",
      "DELETE peering/wire-a?partition=default",
      refused(/^400 Invalid query parameter: "partition" .*Leave out `partition`/),
    ),
    // The client follows both.
    step("a read without the slash", "GET peering", refused(/^400 Must specify a name to fetch/)),
    step("a list with a slash", "GET peerings/", refused(/^404 Invalid URL path: not a recognized/)),
    // @covers peering: Authentication, errors, limits, versions > since 1.13.0
    step("an unknown path", "GET peers", refused(/^404 Invalid URL path: not a recognized/)),
    step("a write to a name", "POST peering/wire-a", refused(/^405 method POST not allowed/), { body: {} }),
    step("a write to the list", "POST peerings", refused(/^405 method POST not allowed/), { body: {} }),
    // @covers peering: Endpoints > DELETE peering/{peerName}
    step("a delete", "DELETE peering/wire-a", "ok"),
    step("a delete with a doubled slash", "DELETE peering//wire-a", "ok"),
    step("the end of the first", "GET peering/wire-a", "absent", { until: /not found/ }),
    // @covers peering: Endpoints > DELETE peering/{peerName}
    step("a delete of what is gone", "DELETE peering/wire-a", "ok"),
    step("a delete in upper case", "DELETE peering/WIRE-B", "ok"),
    step("the end of the second", "GET peering/wire-b", "absent", { until: /not found/ }),
  ],
});
