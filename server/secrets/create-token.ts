import type { Caller } from "../framework/backend";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { normalizedPolicies } from "../framework/normalized-policies";
import { Refusal } from "../framework/refusal";
import { leaseLifetime } from "./lifetime";
import { systemLeaseSeconds } from "./mount-table";
import type { PolicyStore } from "./policy-store";
import { randomName, type TokenEntry, type TokenStore, type TokenType } from "./token-store";

export interface TokenRequest {
  readonly id: string;
  readonly policies: readonly string[];
  readonly ttl: string;
  readonly explicitMaxTtl: string;
  readonly period: string;
  readonly displayName: string;
  readonly meta: Readonly<Record<string, string>> | null;
  readonly uses: number;
  readonly isOrphan: boolean;
  readonly withoutDefaultPolicy: boolean;
  readonly renewable: boolean;
  readonly type: string;
  readonly entityAlias: string;
}

export interface TokenCreation {
  readonly asked: TokenRequest;
  readonly parent: Caller;
}

interface Parts {
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly now: () => Date;
}

const sha1Warning =
  "Supplying a custom ID for the token uses the weaker SHA1 hashing instead of the more secure SHA2-256 HMAC for token obfuscation. SHA1 hashed tokens on the wire leads to less secure lookups.";

/** Makes a token as `auth/token/create` does. @throws Refusal */
export function createToken(parts: Parts, creation: TokenCreation): { entry: TokenEntry; warnings: string[] } {
  const { asked, parent } = creation;
  const type = tokenType(asked.type);
  const maker = parts.tokens.find(parent.token);
  refuseParent(maker);
  refuseIds(parts.tokens, creation);
  if (asked.uses < 0) throw new Refusal("number of uses cannot be negative");
  if (asked.entityAlias !== "") throw new Refusal("'entity_alias' is only allowed in combination with token role");
  const policies = policiesFor(creation, maker?.policies ?? []);
  const period = positiveSeconds(asked.period, "period");
  const explicitMax = positiveSeconds(asked.explicitMaxTtl, "explicit_max_ttl");
  const ttl = positiveSeconds(asked.ttl, "ttl");
  if (type === "batch") refuseBatch({ policies, period });
  const now = parts.now();
  const lifetime = lifetimeFor({ ttl, period, explicitMax, isRoot: policies.includes("root"), now });
  const ttlSeconds = lifetime.seconds;
  const createdMs = now.getTime();
  const entry: TokenEntry = {
    id: asked.id || parts.tokens.newId(type),
    accessor: type === "batch" ? "" : randomName(24),
    policies,
    path: "auth/token/create",
    meta: asked.meta,
    displayName: asked.displayName === "" ? "token" : `token-${asked.displayName.replace(/[^a-zA-Z0-9-]/g, "-")}`,
    usesLeft: asked.uses,
    parent: asked.isOrphan ? undefined : parent.token,
    createdMs,
    creationTtlSeconds: ttlSeconds,
    ttlSeconds,
    explicitMaxSeconds: explicitMax,
    periodSeconds: period,
    expiresMs: ttlSeconds > 0 ? createdMs + ttlSeconds * 1000 : undefined,
    renewedMs: undefined,
    renewable: type === "service" && ttlSeconds > 0 && asked.renewable,
    type,
    // The limits of the parent hold for its children too.
    entityId: asked.isOrphan ? "" : (maker?.entityId ?? ""),
    boundAddresses: asked.isOrphan ? [] : (maker?.boundAddresses ?? []),
    loginRole: undefined,
  };
  parts.tokens.put(entry);
  const missing = policies.filter((name) => !parts.policies.has(name));
  const warnings = [
    ...(asked.id === "" ? [] : [sha1Warning]),
    ...lifetime.warnings,
    ...missing.map((name) => `Policy ${JSON.stringify(name)} does not exist`),
  ];
  return { entry, warnings };
}

function tokenType(text: string): TokenType {
  if (text === "" || text === "service") return "service";
  if (text === "batch") return "batch";
  throw new Refusal("invalid 'token_type' value");
}

function refuseParent(parent: TokenEntry | undefined): void {
  if (parent?.type === "batch") throw new Refusal("batch tokens cannot create more tokens");
  // The parent's own uses: 0 means no limit.
  if (parent !== undefined && parent.usesLeft !== 0) {
    throw new Refusal("restricted use token cannot generate child tokens");
  }
}

function refuseBatch({ policies, period }: { policies: readonly string[]; period: number }): void {
  if (policies.includes("root")) throw new Refusal("batch tokens cannot be root tokens");
  if (period > 0) throw new Refusal('batch tokens cannot have "period" set');
}

function refuseIds(tokens: TokenStore, { asked: { id, isOrphan }, parent }: TokenCreation): void {
  const needsSudo = isOrphan ? "create orphan token" : id === "" ? undefined : "specify token id";
  if (needsSudo !== undefined && !parent.hasSudo) throw new Refusal(`root or sudo privileges required to ${needsSudo}`);
  if (id.includes(".")) throw new Refusal("custom token ID cannot have a '.' in the value");
  if (id !== "" && tokens.find(id) !== undefined) throw new Refusal("cannot create a token with a duplicate ID");
}

/** Only what the parent itself has counts, not what its entity adds. */
function policiesFor({ asked, parent }: TokenCreation, own: readonly string[]): readonly string[] {
  const isRootParent = own.includes("root");
  const wanted = asked.policies.length > 0 ? asked.policies : own;
  // Without sudo the default policy is not added to what the parent has.
  const mayAdd = parent.hasSudo || own.includes("default");
  const policies = normalizedPolicies(wanted, { addDefault: mayAdd && !asked.withoutDefaultPolicy });
  const outside = policies.filter((name) => name !== "default" && !own.includes(name));
  if (!isRootParent && outside.length > 0) throw new Refusal("child policies must be subset of parent");
  return policies;
}

interface AskedLifetime {
  readonly ttl: number;
  readonly period: number;
  readonly explicitMax: number;
  readonly isRoot: boolean;
  readonly now: Date;
}

function lifetimeFor(asked: AskedLifetime): { seconds: number; warnings: string[] } {
  const { ttl, period, explicitMax, isRoot, now } = asked;
  // A root token without a requested lifetime never expires.
  if (isRoot && ttl === 0 && period === 0 && explicitMax === 0) return { seconds: 0, warnings: [] };
  return leaseLifetime({
    terms: { ttlSeconds: ttl, periodSeconds: period, maxSeconds: 0 },
    explicitMaxSeconds: explicitMax,
    mount: { defaultLeaseSeconds: systemLeaseSeconds, maxLeaseSeconds: systemLeaseSeconds },
    issuedMs: now.getTime(),
    now,
  });
}

function positiveSeconds(text: string, name: string): number {
  const value = seconds(text);
  if (value < 0) throw new Refusal(`${name} must be positive`);
  return value;
}

function seconds(text: string): number {
  try {
    return wholeSeconds(nanosecondsFromText(text));
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(failure.message);
    throw failure;
  }
}
