import type { Login } from "../framework/backend";
import { normalizedPolicies } from "../framework/normalized-policies";
import { Failure, Refusal } from "../framework/refusal";
import type { IdentityStore } from "../identity/identity-store";
import { builtInPolicies } from "./default-policy";
import { leaseLifetime } from "./lifetime";
import { type Mount, mountView } from "./mount-table";
import { randomName, type TokenStore, type TokenType } from "./token-store";
import { authBlock } from "./token-views";

interface Parts {
  readonly tokens: TokenStore;
  readonly identities: IdentityStore;
  readonly now: () => Date;
}

export interface LoginAt {
  readonly login: Login;
  readonly mount: Mount;
  /** Of the request. */
  readonly path: string;
}

interface Issued {
  readonly auth: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

/** Issues the token of a login. @throws Refusal or Failure */
export function issueLoginToken({ tokens, identities, now }: Parts, { login, mount, path }: LoginAt): Issued {
  if (login.alias === "") throw new Failure("missing name in alias");
  const { alias, groups, aliasMetadata: metadata = login.metadata } = login;
  const entity = identities.recognise({ alias, metadata, groups, mountAccessor: mount.accessor });
  if (entity.disabled) throw new Refusal("permission denied", { status: 403 });
  const ofIdentity = identities.policiesOf(entity.id);
  const time = now();
  const { seconds, warnings } = leaseLifetime({
    terms: login.terms,
    explicitMaxSeconds: login.explicitMaxSeconds,
    mount: mountView(mount),
    issuedMs: time.getTime(),
    now: time,
  });
  const policies = normalizedPolicies(login.policies, { addDefault: !login.withoutDefaultPolicy });
  refusePolicies([...policies, ...normalizedPolicies(ofIdentity, { addDefault: false })]);
  const type = issuedType(login.tokenType, mount.config.tokenType);
  const entry = {
    id: tokens.newId(type),
    accessor: type === "batch" ? "" : randomName(24),
    policies,
    path,
    meta: login.metadata,
    displayName: `${mount.path.replaceAll("/", "-")}${login.displayName}`.replace(/-$/, ""),
    usesLeft: login.uses,
    parent: undefined,
    createdMs: time.getTime(),
    creationTtlSeconds: seconds,
    ttlSeconds: seconds,
    explicitMaxSeconds: login.explicitMaxSeconds,
    periodSeconds: login.terms.periodSeconds,
    expiresMs: time.getTime() + seconds * 1000,
    renewedMs: undefined,
    renewable: type === "service",
    type,
    entityId: entity.id,
    boundAddresses: login.boundAddresses,
    loginRole: login.role,
    ...(groups.length === 0 ? {} : { loginGroups: groups }),
    ...(login.internal === undefined ? {} : { loginInternal: login.internal }),
  };
  tokens.put(entry);
  return { auth: authBlock(entry, { now: time, ofIdentity }), warnings };
}

function refusePolicies(policies: readonly string[]): void {
  if (policies.includes("root")) throw new Refusal("auth methods cannot create root tokens");
  const internal = policies.find((name) => builtInPolicies.has(name));
  if (internal !== undefined) throw new Refusal(`cannot assign policy "${internal}"`);
}

/** A mount that says `service` or `batch` overrides the role; otherwise it decides only when the role says `default`. */
function issuedType(ofRole: string, ofMount: string | undefined): TokenType {
  if (ofMount === "service" || ofMount === "batch") return ofMount;
  if (ofRole === "service" || ofRole === "batch") return ofRole;
  return ofMount === "default-batch" ? "batch" : "service";
}
