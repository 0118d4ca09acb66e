import type { Values } from "../../core/definition";
import type { Inhabited } from "../../core/inhabited";
import { isRecord } from "../../core/unknowns";

/**
 * What a mount contains, by its type: the collections below the mount that are lost when it is disabled. A type that is not
 * in the table may contain anything. From the source code of Vault 1.19 and 1.21 and of their plugins.
 */
type Collections = Readonly<Record<string, readonly string[] | undefined>>;

const AUTH: Collections = {
  alicloud: ["role"],
  approle: ["role"],
  aws: ["role", "config/sts", "config/certificates"],
  azure: ["role"],
  cert: ["certs", "crls"],
  cf: ["roles"],
  gcp: ["role"],
  github: ["map/teams", "map/users"],
  jwt: ["role"],
  kerberos: ["groups"],
  kubernetes: ["role"],
  ldap: ["groups", "users"],
  oci: ["role"],
  oidc: ["role"],
  okta: ["groups", "users"],
  radius: ["users"],
  userpass: ["users"],
};

const SECRETS: Collections = {
  alicloud: ["role"],
  // Vault 1.19 and OpenBao have static roles, but cannot list them.
  aws: ["roles", "static-roles"],
  azure: ["roles"],
  consul: ["roles"],
  database: ["config", "roles", "static-roles"],
  gcp: ["rolesets", "static-accounts", "impersonated-accounts"],
  gcpkms: ["keys"],
  kubernetes: ["roles"],
  ldap: ["role", "static-role", "library"],
  mongodbatlas: ["roles"],
  nomad: ["role"],
  openldap: ["role", "static-role", "library"],
  pki: ["roles", "issuers", "keys", "certs"],
  rabbitmq: ["roles"],
  ssh: ["roles"],
  terraform: ["role"],
  totp: ["keys"],
  transit: ["keys"],
};

/** What an auth method holds: its aliases of groups name it by its accessor, which no other one will have. */
export const livingInAuth: Inhabited = {
  by: ({ type }) => collectionsOf(AUTH, type)?.map((collection) => `auth/{path}/${collection}`),
  // https://github.com/openbao/openbao/pull/869
  onOpenBao: ({ type }) => (holdsJwtRoles(type) ? ["auth/{path}/cel/role"] : []),
  within: "auth/{path}/*",
  alone: { token: "jwt:Config", path: "auth/{path}/config", by: ({ type }) => holdsJwtRoles(type) },
  bound: {
    path: "identity/group-alias/id",
    of(list, { accessor }) {
      const infos = Object.values(isRecord(list) && isRecord(list["key_info"]) ? list["key_info"] : {}).filter(
        isRecord,
      );
      return infos.filter((info) => info["mount_accessor"] === accessor).map(({ name }) => String(name));
    },
    noun: "group alias",
  },
  unless: "force",
};

/** What a secrets engine holds. */
export const livingInSecrets: Inhabited = {
  by({ type, options }: Values) {
    // Version 1 keeps keys at the root of the mount, version 2 below `metadata`.
    if (type === "kv" || type === "generic")
      return [isRecord(options) && options["version"] === "2" ? "{path}/metadata" : "{path}"];
    return collectionsOf(SECRETS, type)?.map((collection) => `{path}/${collection}`);
  },
  within: "{path}/*",
  alone: { token: "cloud:RootConfig", path: "{path}/config/root", by: ({ type }) => type === "aws" },
  unless: "force",
};

const holdsJwtRoles = (type: unknown) => type === "jwt" || type === "oidc";

function collectionsOf(table: Collections, type: unknown): readonly string[] | undefined {
  return typeof type === "string" && Object.hasOwn(table, type) ? table[type] : undefined;
}
