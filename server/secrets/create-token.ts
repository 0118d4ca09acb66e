import type { Caller } from "../framework/backend";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { normalizedPolicies } from "../framework/normalized-policies";
import { Refusal } from "../framework/refusal";
import { builtInPolicies } from "./default-policy";
import { leaseLifetime } from "./lifetime";
import { systemLeaseSeconds } from "./mount-table";
import type { PolicyStore } from "./policy-store";
import { randomName, type TokenEntry, type TokenStore, type TokenType } from "./token-store";

export interface TokenRequest {
  readonly id: string;
  readonly policies: readonly string[];
  readonly ttl: string;
  /** The older name of `ttl`. */
  readonly lease: string;
  readonly explicitMaxTtl: string;
  readonly period: string;
  readonly displayName: string;
  readonly meta: Readonly<Record<string, string>> | null;
  readonly uses: number;
  readonly withoutParent: boolean;
  readonly withoutDefaultPolicy: boolean;
  readonly renewable: boolean;
  readonly type: string;
  readonly entityAlias: string;
}

export interface TokenCreation {
  readonly asked: TokenRequest;
  readonly parent: Caller;
  /** Whether this is the endpoint for tokens without a parent, which needs no sudo. */
  readonly isOrphan: boolean;
}

interface Parts {
  readonly tokens: TokenStore;
  readonly policies: PolicyStore;
  readonly now: () => Date;
}

const sha1Warning =
  "Supplying a custom ID for the token uses the weaker SHA1 hashing instead of the more secure SHA2-256 HMAC for token obfuscation. SHA1 hashed tokens on the wire leads to less secure lookups.";

/** Makes a token as `auth/token/create` and `create-orphan` do; the checks run in Vault's order. @throws Refusal */
export function createToken(parts: Parts, creation: TokenCreation): { entry: TokenEntry; warnings: string[] } {
  const { asked, parent } = creation;
  const maker = parts.tokens.find(parent.token);
  if (maker === undefined) throw new Refusal("parent token lookup failed: no parent found");
  refuseMaker(maker);
  const type = tokenType(asked);
  if (asked.uses < 0) throw new Refusal("number of uses cannot be negative");
  if (asked.entityAlias !== "") throw new Refusal("'entity_alias' is only allowed in combination with token role");
  if (asked.id !== "" && !parent.hasSudo) throw needsSudo("specify token id");
  const policies = policiesFor(creation, maker.policies);
  if (type === "batch" && policies.includes("root")) throw new Refusal("batch tokens cannot be root tokens");
  if (asked.withoutParent && !parent.hasSudo) throw needsSudo("create orphan token");
  const isOrphan = creation.isOrphan || asked.withoutParent;
  const explicitMax = positiveSeconds(asked.explicitMaxTtl, "explicit_max_ttl");
  const period = positiveSeconds(asked.period, "period");
  if (period > 0 && !parent.hasSudo) throw needsSudo("create periodic token");
  const ttl = asked.ttl === "" ? positiveSeconds(asked.lease, "lease") : positiveSeconds(asked.ttl, "ttl");
  const now = parts.now();
  const lifetime = lifetimeFor({ ttl, period, explicitMax, isRoot: policies.includes("root"), now });
  const ttlSeconds = lifetime.seconds;
  if (ttlSeconds === 0 && maker.creationTtlSeconds !== 0) {
    throw new Refusal("expiring root tokens cannot create non-expiring root tokens");
  }
  refuseId(parts.tokens, asked.id);
  const createdMs = now.getTime();
  const entry: TokenEntry = {
    id: asked.id || parts.tokens.newId(type),
    accessor: type === "batch" ? "" : randomName(24),
    policies,
    path: creation.isOrphan ? "auth/token/create-orphan" : "auth/token/create",
    meta: asked.meta,
    displayName: shownName(asked.displayName),
    usesLeft: asked.uses,
    parent: isOrphan ? undefined : parent.token,
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
    entityId: isOrphan ? "" : maker.entityId,
    boundAddresses: isOrphan || ttlSeconds === 0 ? [] : maker.boundAddresses,
    loginRole: undefined,
  };
  parts.tokens.put(entry);
  const missing = policies.filter((name) => !parts.policies.has(name));
  const warnings = [
    ...lifetime.warnings,
    ...(asked.id === "" ? [] : [sha1Warning]),
    ...missing.map((name) => `Policy ${JSON.stringify(name)} does not exist`),
  ];
  return { entry, warnings };
}

function needsSudo(what: string): Refusal {
  return new Refusal(`root or sudo privileges required to ${what}`);
}

function refuseMaker(maker: TokenEntry): void {
  if (maker.type === "batch") throw new Refusal("batch tokens cannot create more tokens");
  // Its own uses: 0 means no limit.
  if (maker.usesLeft !== 0) throw new Refusal("restricted use token cannot generate child tokens");
}

function tokenType({ type, explicitMaxTtl, uses, period }: TokenRequest): TokenType {
  if (type === "" || type === "service") return "service";
  if (type !== "batch") throw new Refusal("invalid 'token_type' value");
  // Only the first of these that is given is looked at.
  if (explicitMaxTtl !== "") refuseForBatch("explicit_max_ttl", explicitMaxTtl);
  else if (uses !== 0) throw new Refusal('batch tokens cannot have "num_uses" set');
  else if (period !== "") refuseForBatch("period", period);
  return "batch";
}

function refuseForBatch(name: string, text: string): void {
  const nanoseconds = nanosecondsIn(text);
  if (nanoseconds === undefined) throw new Refusal(`"${name}" value could not be parsed`);
  if (nanoseconds !== 0n) throw new Refusal(`batch tokens cannot have "${name}" set`);
}

function nanosecondsIn(text: string): bigint | undefined {
  try {
    return nanosecondsFromText(text);
  } catch (failure) {
    if (failure instanceof DurationFailure) return undefined;
    throw failure;
  }
}

function shownName(name: string): string {
  return name === "" ? "token" : `token-${name}`.replace(/[^a-zA-Z0-9-]/g, "-").replace(/-$/, "");
}

function refuseId(tokens: TokenStore, id: string): void {
  if (id.includes(".")) throw new Refusal("custom token ID cannot have a '.' in the value");
  if (id !== "" && tokens.find(id) !== undefined) throw new Refusal("cannot create a token with a duplicate ID");
}

/** Only what the parent itself has counts, not what its entity adds. With sudo it may give any but root. */
function policiesFor({ asked, parent }: TokenCreation, own: readonly string[]): readonly string[] {
  const { policies: wanted, withoutDefaultPolicy } = asked;
  const isWanted = wanted.length > 0;
  if (isWanted && !parent.hasSudo) {
    const outside = normalizedPolicies(wanted, { addDefault: false }).some((name) => !own.includes(name));
    if (outside) throw new Refusal("child policies must be subset of parent");
  }
  // Without sudo the default policy is not added to what the parent has.
  const mayAdd = isWanted && (parent.hasSudo || own.includes("default"));
  const policies = normalizedPolicies(isWanted ? wanted : own, { addDefault: mayAdd && !withoutDefaultPolicy }).filter(
    (name) => !(withoutDefaultPolicy && name === "default"),
  );
  const internal = policies.find((name) => builtInPolicies.has(name));
  if (internal !== undefined) throw new Refusal(`cannot assign policy "${internal}"`);
  if (policies.includes("root") && !own.includes("root")) {
    throw new Refusal("root tokens may not be created without parent token being root");
  }
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
  // A root token without a requested lifetime lives as long as it may: without a maximum, for ever.
  if (isRoot && ttl === 0 && period === 0) return { seconds: explicitMax, warnings: [] };
  return leaseLifetime({
    terms: { ttlSeconds: ttl, periodSeconds: period, maxSeconds: 0 },
    explicitMaxSeconds: explicitMax,
    mount: { defaultLeaseSeconds: systemLeaseSeconds, maxLeaseSeconds: systemLeaseSeconds },
    issuedMs: now.getTime(),
    now,
  });
}

function positiveSeconds(text: string, name: string): number {
  try {
    const nanoseconds = nanosecondsFromText(text);
    if (nanoseconds < 0n) throw new Refusal(`${name} must be positive`);
    return wholeSeconds(nanoseconds);
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(failure.message);
    throw failure;
  }
}
