import { defineResource } from "../../core/definition";
import { onlyOn, required } from "../../core/field";
import { oneOf, path, string } from "../../core/rows";
import { advice, rule } from "../../core/rules";
import { livingInAuth } from "./inhabitants";
import {
  fixedAtMount,
  looksLikeType,
  mountByAccessor,
  mountFields,
  mountOf,
  mountRules,
  mountWrites,
  movesMount,
  notBuiltIn,
  notReserved,
  versionOnlyFor,
} from "./mount";
import { lockoutOnlyFor, userLockout } from "./user-lockout";

/** The auth methods of Vault and OpenBao. */
const TYPES = [
  ...["alicloud", "approle", "aws", "azure", "cert", "cf", "gcp", "github", "jwt", "kerberos", "kubernetes", "ldap"],
  ...["oci", "oidc", "okta", "radius", "saml", "scep", "spiffe", "userpass"],
];

const fields = {
  /** Path of the mount, without `auth/`. @source vault/auth enable */
  path: required(path()),
  /** Type of the auth method, such as `jwt` or `oidc`. @source vault/auth enable */
  type: required(string("type")),
  ...mountFields,
  /** Type of the tokens that the mount issues. With a `default-` type, a role may choose another one. @source vault/auth enable */
  tokenType: oneOf("token_type", ["default-service", "default-batch", "service", "batch"], "default-service"),
  /** When the server locks a user out who failed to log in. Only for the types `approle`, `ldap` and `userpass`. @source vault/auth tune */
  userLockoutConfig: onlyOn({ vault: "1.13.0", openbao: "2.0.0" }, userLockout()),
};

const outputs = {
  /** The server's id of the mount, which policies and identity aliases use. @source vault/auth enable */
  accessor: required(string("accessor")),
};

export const sysAuthMount = defineResource({
  token: "sys:AuthMount",
  dialect: "vault",
  fields,
  outputs,
  id: "sys/auth/{path}",
  label: "path",
  identity: [],
  moves: movesMount("auth/{path}", "the tokens that it has issued"),
  trace: mountByAccessor("sys/auth"),
  stable: ["accessor"],
  replaceOn: fixedAtMount,
  ...mountWrites("sys/auth/{path}"),
  read: { path: "sys/auth", pick: mountOf },
  delete: { method: "DELETE", path: "sys/auth/{path}" },
  adopt: { by: ["path", "type"] },
  inhabited: livingInAuth,
  rules: [
    ...mountRules,
    notBuiltIn("token"),
    notReserved("token"),
    versionOnlyFor(),
    lockoutOnlyFor,
    looksLikeType(...TYPES),
    advice(
      rule(["path"], ({ path }) =>
        String(path).startsWith("auth/")
          ? `begins with auth/, which the server adds itself: it would be mounted at auth/${path}; leave it out`
          : undefined,
      ),
    ),
  ],
});
