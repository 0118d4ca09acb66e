import type { Values } from "../../core/definition";
import { required } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { boolean, integer, lowerCase, string, stringList, stringMap } from "../../core/rows";
import { isRecord } from "../../core/unknowns";
import { jwtRole } from "../../resources/jwt/role";

const fields = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Role to log in with; the auth method's `defaultRole` when unset. @source vault/jwt login */
  role: lowerCase(string("role")),
  /** Signed JSON Web Token. @source vault/jwt login */
  jwt: required(string("jwt")),
};

const results = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Token that the server issues. @source vault/jwt login */
  clientToken: required(string("client_token")),
  /** Accessor of the token, to look the token up or revoke it. Batch tokens have none. @source vault/jwt login */
  accessor: string("accessor"),
  /** All policies of the token. @source vault/jwt login */
  policies: stringList("policies"),
  /** Policies from the role. @source vault/jwt login */
  tokenPolicies: stringList("token_policies"),
  /** Policies from the entity and its groups. @source vault/jwt login */
  identityPolicies: stringList("identity_policies"),
  /** Name of the role, and the claims that `claimMappings` copies. @source vault/jwt login */
  metadata: stringMap("metadata"),
  /** Lifetime of the token in seconds. @source vault/jwt login */
  leaseDuration: required(integer("lease_duration")),
  /** Whether the token can be renewed. @source vault/jwt login */
  renewable: boolean("renewable"),
  /** Id of the entity that has logged in. @source vault/jwt login */
  entityId: string("entity_id"),
  /** Type of the token: `service` or `batch`. @source vault/jwt login */
  tokenType: string("token_type"),
  /** How often the token can be used; 0 is no limit. @source vault/jwt login */
  numUses: integer("num_uses"),
};

export const jwtLogin = defineFunction({
  token: "jwt:login",
  dialect: "vault",
  fields,
  results,
  label: "role",
  secrets: { jwt: "always" },
  secretResults: ["clientToken"],
  issues: true,
  request: () => ({ method: "POST", path: "auth/{mount}/login" }),
  // A batch token cannot be revoked.
  release: {
    path: "auth/token/revoke-self",
    as: "clientToken",
    members: ({ tokenType }) => (tokenType === "batch" ? undefined : {}),
  },
  renewal: {
    path: "auth/token/renew-self",
    as: "clientToken",
    members: ({ renewable }) => (renewable === true ? {} : undefined),
  },
  refusal: ({ mfa_requirement }) => (isRecord(mfa_requirement) ? needsSecondFactor(mfa_requirement) : undefined),
});

/** A login that needs a second factor succeeds, but has no token. */
function needsSecondFactor({ mfa_constraints }: Values): string {
  const enforcements = isRecord(mfa_constraints) ? Object.keys(mfa_constraints) : [];
  const by = enforcements.length === 0 ? "" : ` by ${enforcements.map((name) => JSON.stringify(name)).join(", ")}`;
  const way = "use a mount, role or entity that no login enforcement of MFA applies to";
  return `multi-factor authentication is enforced${by}, and a program has no second factor: ${way}`;
}
