import type { LeaseTerms, Login } from "../framework/backend";
import { type BoundAddress, parseBoundAddress } from "../framework/bound-address";
import { Failure } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { grantedToken, tokenTerms } from "../framework/token-fields";
import type { WireObject } from "../framework/wire-value";
import { checkBoundClaims } from "./bound-claims";
import { identityFrom } from "./login-identity";
import type { RoleRecord } from "./role-record";

export interface GrantingRole {
  readonly role: RoleRecord;
  readonly roleName: string;
  /** Where the login comes from. */
  readonly remoteAddress: string;
}

/** The user that verified claims are about, and what the role grants. @throws Refusal */
export function grantedLogin(claims: WireObject, { role, roleName, remoteAddress }: GrantingRole): Login {
  const { user, metadata, groups } = identityFrom(claims, role);
  checkBoundClaims(claims, role);
  return {
    ...grantedToken(role),
    alias: user,
    displayName: user,
    groups,
    metadata: { ...metadata, role: roleName },
    boundAddresses: boundAddressesOf(role, remoteAddress),
    role: roleName,
  };
}

/** A strictly bound token works only at the address of its login. */
function boundAddressesOf(role: RoleRecord, remoteAddress: string): readonly BoundAddress[] {
  const own = role.token_strictly_bind_ip ? parseBoundAddress(remoteAddress) : undefined;
  return own === undefined ? role.token_bound_cidrs : [own];
}

/** The lifetimes that the role now has for a token that it issued. @throws Failure */
export function roleTerms(storage: Storage, name: string): LeaseTerms {
  const role = storage.get<RoleRecord>(`role/${name}`);
  if (role === undefined) throw new Failure(`failed to renew entry: role ${name} does not exist during renewal`);
  return tokenTerms(role);
}
