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
    ["ask for help", "have the answer wrapped"],
  ),
  ...differing({ server, scenario: "secrets-jwt-login" }, "the embedded server logs nobody in yet (issue 5)", [
    "log in",
    "log in before there is a configuration",
    "log in without a role",
    "log in as an unknown role",
    "log in as a role for people",
    "log in without a JWT",
    "log in with what is no JWT",
    "log in without the claims",
    "log in with a claim that is a list",
    "log in by GET",
    "the address to log in at, without a provider",
    "the address to log in at, before there is a configuration",
    "the address for an unknown role",
    "the address without a redirect URI",
    "the address with a redirect URI that is not allowed",
    "come back with an unknown state",
    "come back by POST where the mode is another",
    "log in with a JWT where people log in",
  ]),
  ...differing(
    { server, scenario: "secrets-cloud-credentials" },
    "the embedded cloud issues no credentials yet (issue 5)",
    [
      "of a role that is not there",
      "by sts of a role that is not there",
      "of a user",
      "of a role to assume",
      "by sts of a role to assume",
      "of one of many roles, not named",
      "of a role that is not allowed",
      "of a federation without a policy",
      "for a time that is none",
      "delete",
    ],
  ),
  ...differing({ server, scenario: "secrets-cloud-revocation" }, "the embedded server has no leases yet (issue 5)", [
    "revoke what is gone already",
    "revoke nothing in particular",
  ]),
];
