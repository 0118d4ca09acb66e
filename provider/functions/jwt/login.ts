import type { Values } from "../../core/definition";
import { required } from "../../core/field";
import { defineFunction, rowsOf } from "../../core/function";
import { boolean, integer, lowerCase, string, stringList, stringMap } from "../../core/rows";
import { isRecord } from "../../core/unknowns";
import { jwtRole } from "../../resources/jwt/role";

const fields = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** Role to log in with; `defaultRole` of the method when unset. @source vault/jwt login */
  role: lowerCase(string("role")),
  /** The signed JSON Web Token. @source vault/jwt login */
  jwt: required(string("jwt")),
};

const results = {
  ...rowsOf(jwtRole.fields, "mount"),
  /** The server's token. @source vault/jwt login */
  clientToken: required(string("client_token")),
  /** What names the token without being it, to look it up or revoke it; none for batch tokens. @source vault/jwt login */
  accessor: string("accessor"),
  /** All policies of the token. @source vault/jwt login */
  policies: stringList("policies"),
  /** Policies that the role gives. @source vault/jwt login */
  tokenPolicies: stringList("token_policies"),
  /** Policies of the entity and its groups. @source vault/jwt login */
  identityPolicies: stringList("identity_policies"),
  /** The role, and the claims that `claimMappings` maps. @source vault/jwt login */
  metadata: stringMap("metadata"),
  /** Lifetime of the token in seconds. @source vault/jwt login */
  leaseDuration: required(integer("lease_duration")),
  /** Whether the token can be renewed. @source vault/jwt login */
  renewable: boolean("renewable"),
  /** Id of the entity that has logged in. @source vault/jwt login */
  entityId: string("entity_id"),
  /** Kind of token: `service` or `batch`. @source vault/jwt login */
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
  refusal: ({ mfa_requirement }) => (isRecord(mfa_requirement) ? needsSecondFactor(mfa_requirement) : undefined),
});

/** A login that an enforcement asks for more is answered well, without a token (reference secrets-server 3.2). */
function needsSecondFactor({ mfa_constraints }: Values): string {
  const enforcements = isRecord(mfa_constraints) ? Object.keys(mfa_constraints) : [];
  const by = enforcements.length === 0 ? "" : ` by ${enforcements.map((name) => JSON.stringify(name)).join(", ")}`;
  const way = "use a mount, role or entity that no login enforcement of MFA applies to";
  return `multi-factor authentication is enforced${by}, and a program has no second factor: ${way}`;
}
