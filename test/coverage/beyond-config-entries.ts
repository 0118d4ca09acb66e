import type { Sections } from "./section.ts";

const recorded = ["wire cluster-config"];

/** Config entries of Consul, which no document describes. */
export const beyondConfigEntries = {
  "beyond: cluster.ExportedServices": {
    of: ["clusterExportedServices"],
    evidence: recorded,
    rows: {
      Partition: {
        real: "Enterprise only, and the name of the record; the community edition refuses it in body and path",
        asserted:
          "left out where it is the default one; else in the query, and the record's name, also where the connection names it",
      },
      Services: {
        real: "kept in the order of the write; a name, and at least one consumer, for each",
        asserted:
          "what the server refuses is refused before; the order is no difference; a real peer sees them, and no longer when they are gone",
      },
      Meta: {
        real: "not shown when empty",
        asserted: "changed and cleared; its limits",
      },
    },
  },
  "beyond: cluster.Intention": {
    of: ["clusterIntention"],
    evidence: recorded,
    rows: {
      Name: {
        real: "found in any letter case; kept as it was written; `*` for any",
        asserted: "another name replaces, another letter case does nothing; no part of a wildcard",
      },
      Namespace: {
        real: "Enterprise only; the community edition refuses it in body and path",
        asserted: "left out where it is the default one; else in path and body, and that of sources without their own",
      },
      Partition: {
        real: "Enterprise only; the community edition refuses it in body and path",
        asserted: "left out where it is the default one; else in the query",
      },
      Sources: {
        real: "sorted by a precedence that the server computes; methods in upper case",
        asserted: "what the server refuses is refused before; what it computes and sorts is no difference",
      },
      JWT: {
        real: "the issuers that it names must be there",
        asserted: "changed and cleared; the refusal says what to do",
      },
      Meta: {
        real: "not shown when empty",
        asserted: "changed and cleared; its limits",
      },
    },
  },
  "beyond: Config entries": {
    of: [],
    rows: {
      "permission of each kind": {
        real: "exported services: mesh, or else operator; an intention: that of the destination, of `*` that of all",
        evidence: recorded,
        asserted: "the refusal names the rule; the printed policy is enough",
      },
    },
  },
} satisfies Sections;
