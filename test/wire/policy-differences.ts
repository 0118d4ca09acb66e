import type { Difference } from "./difference.ts";

export const policyDifferences: readonly Difference[] = [
  {
    server: "reference",
    scenario: "policy-parameters",
    step: "the policy set can be read",
    reason: "the reference says that a set can be read, not which attributes it has: the embedded server shows some",
  },
  {
    server: "reference",
    scenario: "policy-refused",
    step: "more than thirty requests in a second",
    reason:
      "the embedded server refuses no one for their number unless it is started with a limit, which every other scenario would meet too",
  },
];
