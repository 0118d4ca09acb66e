import { type Difference, differing } from "./difference.ts";

const server = "vault-1.21";

export const secretsDifferences: readonly Difference[] = [
  ...differing(
    { server, scenario: "secrets-sys-quota" },
    "the embedded server has no quotas: a fault script answers 429 where a test wants it",
    ["set the limit", "read a role beyond the limit", "write a role beyond the limit"],
  ),
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
