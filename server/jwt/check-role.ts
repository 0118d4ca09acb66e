import type { FieldData } from "../framework/field-data";
import { goDurationText } from "../framework/go-duration";
import { compareBytes, goValueText } from "../framework/go-format";
import { Refusal } from "../framework/refusal";
import { sentTokenFields, withDeprecatedFields, withTokenFields } from "../framework/token-fields";
import { isNumberText, isWireList, type WireObject, type WireValue } from "../framework/wire-value";
import { keptFields, type roleFields } from "./role-fields";
import type { RoleRecord } from "./role-record";

type RoleData = FieldData<typeof roleFields>;

/**
 * The role after a write: present fields change, `role_type` and `bound_claims_type` fall back when omitted. Checks run in
 * the plugin's order. @throws Refusal
 */
export function writtenRole(
  stored: RoleRecord,
  data: RoleData,
  { maxLeaseSeconds }: { maxLeaseSeconds: number },
): RoleRecord {
  const roleType = data.get("role_type") || "oidc";
  if (roleType !== "jwt" && roleType !== "oidc") throw new Refusal(`invalid 'role_type': ${roleType}`);
  const boundClaimsType = data.given("bound_claims_type") ?? "string";
  const callbackMode = data.given("callback_mode") ?? stored.callback_mode;
  if (!callbackModes.includes(callbackMode)) throw new Refusal(`invalid 'callback_mode': ${callbackMode}`);
  const named = { role_type: roleType, bound_claims_type: boundClaimsType, callback_mode: callbackMode };
  const merged = { ...stored, ...keptValues(data), ...named };
  const current = withTokenFields(merged, sentTokenFields(data));
  if (current.token_strictly_bind_ip && current.token_bound_cidrs.length > 0) {
    throw new Refusal("'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
  }
  const role = withDeprecatedFields(current, data, deprecatedFields);
  if (role.token_period > maxLeaseSeconds) throw new Refusal(periodText(role.token_period, maxLeaseSeconds));
  if (boundClaimsType !== "string" && boundClaimsType !== "glob") {
    throw new Refusal(`invalid 'bound_claims_type': ${boundClaimsType}`);
  }
  if (boundClaimsType === "glob") refuseGlobs(data.given("bound_claims") ?? {});
  refuseMappings(data.given("claim_mappings") ?? {});
  if (role.user_claim === "") throw new Refusal("a user claim must be defined on the role");
  if (roleType === "oidc" && isEmpty(role.allowed_redirect_uris)) {
    throw new Refusal("'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.");
  }
  if (roleType === "jwt" && !isBound(role)) {
    throw new Refusal("must have at least one bound constraint when creating/updating a role");
  }
  if (role.token_max_ttl > 0 && role.token_ttl > role.token_max_ttl) {
    throw new Refusal("ttl should not be greater than max ttl");
  }
  return role;
}

const deprecatedFields = ["policies", "bound_cidrs", "num_uses", "ttl", "max_ttl", "period"] as const;
const callbackModes = ["client", "direct", "device"];

/** The warnings of a successful write. */
export function roleWarnings(role: RoleRecord, { maxLeaseSeconds }: { maxLeaseSeconds: number }): string[] {
  const maxWarning =
    "token max ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value will be truncated";
  const loggingWarning =
    "verbose_oidc_logging has been enabled for this role. This is not recommended in production since sensitive information may be present in OIDC responses.";
  return [
    ...(role.token_max_ttl > maxLeaseSeconds ? [maxWarning] : []),
    ...(role.verbose_oidc_logging ? [loggingWarning] : []),
  ];
}

function keptValues(data: RoleData): Partial<RoleRecord> {
  return Object.fromEntries(
    keptFields.map((name) => [name, data.given(name)] as const).filter(([, value]) => value !== undefined),
  );
}

function periodText(period: number, max: number): string {
  return `'period' of '"${goDurationText(period)}"' is greater than the backend's maximum lease TTL of '"${goDurationText(max)}"'`;
}

function refuseGlobs(claims: WireObject): void {
  for (const [, claim] of sorted(claims)) {
    if (isWireList(claim)) {
      for (const element of claim) refuseNonText(element);
    } else if (typeof claim === "string" || typeof claim === "boolean" || isNumberText(claim)) {
      refuseNonText(claim);
    } else {
      throw new Refusal(`claim is not a string or list: ${goValueText(claim)}`);
    }
  }
}

function refuseNonText(claim: WireValue): void {
  if (typeof claim !== "string") throw new Refusal(`claim is not a string: ${goValueText(claim)}`);
}

function refuseMappings(mappings: Readonly<Record<string, string>>): void {
  const targets = new Set<string>();
  for (const [, target] of sorted(mappings)) {
    if (target === "role") throw new Refusal('metadata key "role" is reserved and may not be a mapping destination');
    if (targets.has(target)) throw new Refusal(`multiple keys are mapped to metadata key ${JSON.stringify(target)}`);
    targets.add(target);
  }
}

// Vault checks them in Go's random order. A fixed order is one of those.
function sorted<T>(members: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(members).sort(([a], [b]) => compareBytes(a, b));
}

function isEmpty(list: readonly unknown[] | null): boolean {
  return list === null || list.length === 0;
}

function isBound(role: RoleRecord): boolean {
  const lists = [role.bound_audiences, role.token_bound_cidrs];
  const claims = Object.keys(role.bound_claims ?? {});
  return lists.some((list) => !isEmpty(list)) || role.bound_subject !== "" || claims.length > 0;
}
