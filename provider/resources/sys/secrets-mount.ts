import { defineResource } from "../../core/definition";
import { onlyOn, required } from "../../core/field";
import { boolean, path, string, stringSet } from "../../core/rows";
import { livingInSecrets } from "./inhabitants";
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

/** The secrets engines of Vault and OpenBao. */
const TYPES = [
  ...["ad", "alicloud", "aws", "azure", "consul", "database", "gcp", "gcpkms", "generic", "keymgmt", "kmip", "kv"],
  ...["kv-v2", "kubernetes", "ldap", "mongodbatlas", "nomad", "openldap", "pki", "rabbitmq", "ssh", "terraform"],
  ...["totp", "transform", "transit"],
];

const fields = {
  /** Path of the mount. @source vault/mounts enable */
  path: required(path()),
  /** Type of the secrets engine, such as `aws`. @source vault/mounts enable */
  type: required(string("type")),
  ...mountFields,
  /** Never cache what the mount stores. @source vault/mounts enable */
  forceNoCache: boolean("force_no_cache"),
  /** Names of managed keys that the engine may use. @source vault/mounts tune */
  allowedManagedKeys: onlyOn({ vaultEnterprise: "1.10.0" }, stringSet("allowed_managed_keys")),
  /** Accessors of auth methods that the engine may hand the login of a request to. @source vault/mounts tune */
  delegatedAuthAccessors: onlyOn({ vault: "1.16.3" }, stringSet("delegated_auth_accessors")),
};

const outputs = {
  /** The server's id of the mount. @source vault/mounts enable */
  accessor: required(string("accessor")),
};

export const sysSecretsMount = defineResource({
  token: "sys:SecretsMount",
  dialect: "vault",
  fields,
  outputs,
  id: "sys/mounts/{path}",
  label: "path",
  identity: [],
  moves: movesMount("{path}", "the leases of what it has issued"),
  trace: mountByAccessor("sys/mounts"),
  stable: ["accessor"],
  replaceOn: [...fixedAtMount, "forceNoCache"],
  ...mountWrites("sys/mounts/{path}"),
  read: { path: "sys/mounts", pick: mountOf },
  delete: { method: "DELETE", path: "sys/mounts/{path}" },
  adopt: { by: ["path", "type"] },
  inhabited: livingInSecrets,
  rules: [
    ...mountRules,
    notBuiltIn("cubbyhole", "identity", "system", "token"),
    notReserved("audit", "auth", "cubbyhole", "identity", "sys"),
    versionOnlyFor("kv", "generic"),
    looksLikeType(...TYPES),
  ],
});
