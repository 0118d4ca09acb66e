import { type Difference, differing } from "./difference.ts";

const server = "vault-1.21";

/** Texts of policies. */
const unread = [
  "write a policy with +* in a path",
  "write a policy with half of a template in a path",
  "write a policy with paths that are assigned",
  "write a policy with parameters that are no map",
  "write a policy with a parameter without a list",
  "write a policy with required parameters that are no list",
  "write a policy with a lifetime that is none",
  "write a policy with lifetimes in the wrong order",
];
const reader = "the embedded server reads less of the grammar of policies than the real one";

export const secretsDifferences: readonly Difference[] = [
  ...differing(
    { server, scenario: "secrets-sys-quota" },
    "the embedded server has no quotas: a fault script answers 429 where a test wants it",
    ["set the limit", "read a role beyond the limit", "write a role beyond the limit"],
  ),
  ...differing({ server, scenario: "secrets-sys-policies" }, reader, [...unread, "write a policy with a key twice"]),
  ...differing({ server: "vault-1.19", scenario: "secrets-sys-policies" }, reader, [
    ...unread,
    "write a capability that came later",
  ]),
  ...differing(
    { server, scenario: "secrets-transport" },
    "the embedded server refuses with 501 what it does not imitate, rather than do something else",
    ["ask for help"],
  ),
  ...differing(
    { server, scenario: "secrets-cloud-credential-rules" },
    "moto lets temporary credentials live for any time: the embedded cloud has the limits of the real one, as document 3 says",
    ["for more than the cloud's maximum"],
  ),
];
