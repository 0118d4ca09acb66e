import { definePath, type Login, type OperationRequest, type Path } from "../framework/backend";
import { isWithinBounds } from "../framework/bound-address";
import { Refusal } from "../framework/refusal";
import type { Storage } from "../framework/storage";
import { isWireList, type WireObject } from "../framework/wire-value";
import type { JwtProfile } from "../profiles/secrets-profile";
import type { ConfigRecord } from "./config-record";
import { grantedLogin } from "./granted-login";
import { perConfiguration } from "./per-configuration";
import { reworded } from "./reworded";
import type { RoleRecord } from "./role-record";
import { createValidator } from "./validator";

const fields = { role: "lowerCaseString", jwt: "string", distributed_claim_access_token: "string" } as const;

export interface LoginPathOptions {
  readonly storage: Storage;
  readonly now: () => Date;
  readonly profile: JwtProfile;
}

/** `login`: a signed token in, a token of the server out; the checks run in Vault's order. */
export function loginPath({ storage, now, profile }: LoginPathOptions): Path {
  // A validator keeps the keys that it has fetched.
  const validatorOf = perConfiguration((config) => createValidator(config, profile));

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
    const validator = await reworded(refusing("error configuring token validator"), () => validatorOf(config));
    const claims = await reworded(refusing("error validating token"), () =>
      validator.claimsOf(data.get("jwt"), expectedOf(config, role), now()),
    );
    refuseStrayAudience(claims, role, profile);
    return grantedLogin(claims, { role, roleName, remoteAddress });
  };

  return definePath({
    pattern: "login",
    fields,
    operations: { update: async (request) => ({ login: await login(request) }) },
  });
}

function refusing(what: string): (text: string) => Refusal {
  return (text) => new Refusal(`${what}: ${text}`);
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
