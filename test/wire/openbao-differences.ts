import { type Difference, differing } from "./difference.ts";

const server = "openbao";

const optionsReason = "OPTIONS is refused as an unsupported operation, which is Vault's reason";

/** What differs on OpenBao besides what differs from every Vault. */
export const openBaoDifferences: readonly Difference[] = [
  ...differing(
    { server, scenario: "secrets-sys-mounts" },
    "built-in mounts are tuned as Vault tunes them: OpenBao refuses, with other words",
    ["tune sys", "tune the cubbyhole", "tune the identities", "list after all"],
  ),
  ...differing(
    { server, scenario: "secrets-jwt-groups" },
    "entities are those of Vault: OpenBao puts the namespace into names",
    ["the entity of the login"],
  ),
  ...differing({ server, scenario: "secrets-transport" }, "storage refuses two dots in a name, as that of Vault does", [
    "read a name with two dots",
  ]),
  ...differing({ server, scenario: "secrets-transport" }, optionsReason, ["ask for the options"]),
  ...differing({ server, scenario: "secrets-jwt-login-keys" }, optionsReason, ["log in by OPTIONS"]),
];
