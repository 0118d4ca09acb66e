import { definePath, type LeaseTerms, type Login, type OperationRequest, type Path } from "../framework/backend";
import { type BoundAddress, isWithinBounds, parseBoundAddress } from "../framework/bound-address";
import { Failure, Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { isWireList, type WireObject } from "../framework/wire-value";
import type { JwtProfile } from "../profiles/secrets-profile";
import { checkBoundClaims } from "./bound-claims";
import { TokenFailure } from "./compact-jws";
import type { ConfigRecord } from "./config-record";
import { identityFrom } from "./login-identity";
import type { RoleRecord } from "./role-record";
import { createValidator, type Validator } from "./validator";

const fields = { role: "lowerCaseString", jwt: "string", distributed_claim_access_token: "string" } as const;

export interface LoginPathOptions {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly profile: JwtProfile;
}

/** `login`: a signed token in, a token of the server out; the checks in the order of reference 3.1. */
export function loginPath({ storage, now, profile }: LoginPathOptions): Path {
  const validatorOf = createValidators(profile);

  const login = async ({ data, remoteAddress }: OperationRequest<typeof fields>): Promise<Login> => {
    const config = storage.get<ConfigRecord>("config");
    if (config === undefined) throw new Refusal("could not load configuration");
    const roleName = data.get("role") || config.default_role;
    if (roleName === "") throw new Refusal("missing role");
    const role = storage.get<RoleRecord>(`role/${roleName}`);
    if (role === undefined) throw new Refusal(`role ${JSON.stringify(roleName)} could not be found`);
    if (role.role_type === "oidc") throw new Refusal("role with oidc role_type is not allowed");
    if (data.get("jwt") === "") throw new Refusal("missing token");
    if (!isWithinBounds(remoteAddress, role.token_bound_cidrs)) {
      throw new Refusal("permission denied", { status: 403 });
    }
    const validator = await worded("error configuring token validator", () => validatorOf(config));
    const claims = await worded("error validating token", () =>
      validator.claimsOf(data.get("jwt"), expectedOf(config, role), now()),
    );
    refuseStrayAudience(claims, role, profile);
    const { user, metadata, groups } = identityFrom(claims, role);
    checkBoundClaims(claims, role);
    const who = { alias: user, groups, metadata: { ...metadata, role: roleName }, role: roleName };
    return grantOf(role, { ...who, boundAddresses: boundAddressesOf(role, remoteAddress) });
  };

  return definePath({
    pattern: "login",
    fields,
    operations: { update: async (request) => ({ login: await login(request) }) },
  });
}

/** What the role says now about the life of a token that it issued. @throws Failure (reference 3.6) */
export function roleTerms(storage: Storage, name: string): LeaseTerms {
  const role = storage.get<RoleRecord>(`role/${name}`);
  if (role === undefined) throw new Failure(`failed to renew entry: role ${name} does not exist during renewal`);
  return termsOf(role);
}

/** A validator keeps the keys that it has fetched until the configuration is written again. */
function createValidators(profile: JwtProfile): (config: ConfigRecord) => Promise<Validator> {
  let kept: { readonly config: ConfigRecord; readonly validator: Validator } | undefined;
  return async (config) => {
    if (kept?.config !== config) kept = { config, validator: await createValidator(config, profile) };
    return kept.validator;
  };
}

async function worded<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof TokenFailure) throw new Refusal(`${what}: ${failure.message}`);
    throw failure;
  }
}

function expectedOf(config: ConfigRecord, role: RoleRecord) {
  return {
    issuer: config.bound_issuer,
    subject: role.bound_subject,
    audiences: role.bound_audiences ?? [],
    expirationLeeway: role.expiration_leeway,
    notBeforeLeeway: role.not_before_leeway,
    clockSkewLeeway: role.clock_skew_leeway,
  };
}

function refuseStrayAudience(
  { aud }: WireObject,
  { bound_audiences: bound }: RoleRecord,
  { countsEmptyAudience }: JwtProfile,
): void {
  const isFilled = (typeof aud === "string" || isWireList(aud)) && aud.length > 0;
  const hasAudience = isFilled || (aud === "" && countsEmptyAudience);
  if (hasAudience && (bound ?? []).length === 0) {
    throw new Refusal("audience claim found in JWT but no audiences bound to the role");
  }
}

/** A token that is bound strictly is good only where its login came from. */
function boundAddressesOf(role: RoleRecord, remoteAddress: string): readonly BoundAddress[] {
  const own = role.token_strictly_bind_ip ? parseBoundAddress(remoteAddress) : undefined;
  return own === undefined ? role.token_bound_cidrs : [own];
}

function grantOf(
  role: RoleRecord,
  who: Pick<Login, "alias" | "groups" | "metadata" | "role" | "boundAddresses">,
): Login {
  return {
    ...who,
    policies: role.token_policies,
    withoutDefaultPolicy: role.token_no_default_policy,
    terms: termsOf(role),
    explicitMaxSeconds: role.token_explicit_max_ttl,
    uses: role.token_num_uses,
    tokenType: role.token_type,
  };
}

function termsOf(role: RoleRecord): LeaseTerms {
  return { ttlSeconds: role.token_ttl, maxSeconds: role.token_max_ttl, periodSeconds: role.token_period };
}
