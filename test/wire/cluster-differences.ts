import { type Difference, differing } from "./difference.ts";

const server = "consul";

const NOT_DIALLED =
  "the embedded clusters do not dial each other yet: a dialer stays PENDING, and no secret is exchanged (issue 5)";
const OLDER_GO =
  "Consul 1.22.0 as it is released is built with Go 1.25, which redirects with 301; the one recorded here with Go 1.26, which does with 307";

export const clusterDifferences: readonly Difference[] = [
  ...differing(
    { server, scenario: "cluster-status" },
    "the embedded server has no catalog, the only place of a list that leaves something out",
    ["a list that leaves out what the token may not see"],
  ),
  ...differing({ server, scenario: "cluster-reads" }, OLDER_GO, [
    "a read without the slash",
    "a delete with a doubled slash",
  ]),
  ...differing({ server, scenario: "cluster-establish" }, NOT_DIALLED, ["a cluster that nobody reaches"]),
  ...differing({ server, scenario: "cluster-deletion" }, NOT_DIALLED, ["the dialer while it goes"]),
  ...differing({ server, scenario: "cluster-life" }, NOT_DIALLED, [
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
  ...differing({ server, scenario: "cluster-outage" }, NOT_DIALLED, [
    "the dialer lost its stream",
    "nobody answers a fresh token",
  ]),
];
