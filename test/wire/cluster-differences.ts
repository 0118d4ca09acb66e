import { type Difference, differing } from "./difference.ts";

const server = "consul";

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
];
