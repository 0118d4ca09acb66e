import type { Difference } from "./differences.ts";

/** Steps of one scenario that differ for one reason. */
function differing(topic: string, reason: string, steps: readonly string[]): Difference[] {
  return steps.map((step) => ({ server: "consul", scenario: `cluster-${topic}`, step, reason }));
}

const NOT_DIALLED =
  "the embedded clusters do not dial each other yet: a dialer stays PENDING, and no secret is exchanged (issue 5)";
const OLDER_GO =
  "Consul 1.22.0 as it is released is built with Go 1.25, which redirects with 301; the one recorded here with Go 1.26, which does with 307";

export const clusterDifferences: readonly Difference[] = [
  ...differing("status", "the embedded server has no catalog, the only place of a list that leaves something out", [
    "a list that leaves out what the token may not see",
  ]),
  ...differing("reads", OLDER_GO, ["a read without the slash", "a delete with a doubled slash"]),
  ...differing("establish", NOT_DIALLED, ["a cluster that nobody reaches"]),
  ...differing("life", NOT_DIALLED, [
    "the dialer is active",
    "the acceptor is active",
    "so is the list of the acceptor",
    "a token that has been used",
    "a token that has been replaced",
    "the dialer has the new Meta",
    "the dialer hears of it",
    "and lists it",
    "the dialer is active again",
    "the acceptor hears of it",
    "and is of no use",
  ]),
  ...differing("outage", NOT_DIALLED, ["the dialer lost its stream", "nobody answers a fresh token"]),
];
