import { type Difference, differing } from "./difference.ts";

const reason = "the embedded server reads less of the grammar of policies than the real one";
const scenario = "secrets-sys-policies";

/** Texts of policies that the server takes where it should refuse them. */
const taken = [
  "write a policy with +* in a path",
  "write a policy with half of a template in a path",
  "write a policy with paths that are assigned",
  "write a policy with parameters that are no map",
  "write a policy with a parameter without a list",
  "write a policy with required parameters that are no list",
  "write a policy with a lifetime that is none",
  "write a policy with lifetimes in the wrong order",
];

export const policyTextDifferences: readonly Difference[] = [
  ...differing({ server: "vault-1.21", scenario }, reason, [...taken, "write a policy with a key twice"]),
  ...differing({ server: "vault-1.19", scenario }, reason, [...taken, "write a capability that came later"]),
];
