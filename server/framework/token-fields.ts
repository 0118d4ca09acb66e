import { type BoundAddress, parseBoundAddress } from "../framework/bound-address";
import type { FieldData } from "../framework/field-data";
import { Refusal } from "../framework/refusal";
import { normalizedPolicies } from "../secrets/normalized-policies";
import type { roleFields } from "./role-fields";
import type { RoleRecord } from "./role-record";

type RoleData = FieldData<typeof roleFields>;

/** Sets and checks the `token_*` fields on the merged role, in the plugin's order. @throws Refusal */
export function withTokenFields(role: RoleRecord, data: RoleData): RoleRecord {
  const cidrs = data.given("token_bound_cidrs");
  const merged = {
    ...role,
    ...(cidrs === undefined ? {} : { token_bound_cidrs: parseAddresses(cidrs) }),
    token_type: tokenType(data.given("token_type")) ?? role.token_type,
  };
  if (merged.token_num_uses < 0) throw new Refusal("'token_num_uses' cannot be negative");
  if (merged.token_type === "batch") {
    const prefix = "'token_type' cannot be 'batch' or 'default_batch' when set to generate";
    if (merged.token_period !== 0) throw new Refusal(`${prefix} periodic tokens`);
    if (merged.token_num_uses !== 0) throw new Refusal(`${prefix} tokens with limited use count`);
  }
  if (merged.token_max_ttl > 0 && merged.token_ttl > merged.token_max_ttl) {
    throw new Refusal("'token_ttl' cannot be greater than 'token_max_ttl'");
  }
  if (merged.token_strictly_bind_ip && merged.token_bound_cidrs.length > 0) {
    throw new Refusal("'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one");
  }
  return merged;
}

/**
 * Folds the deprecated names in: alone they set both names; beside `token_*` they mirror it; a `token_*` alone clears the
 * old name. @throws Refusal
 */
export function withDeprecatedFields(role: RoleRecord, data: RoleData): RoleRecord {
  const policies = data.given("policies");
  const cidrs = data.given("bound_cidrs");
  return {
    ...role,
    ...twins(data, {
      old: "policies",
      current: "token_policies",
      empty: [],
      present: role.token_policies,
      value: policies && normalizedPolicies(policies, { addDefault: false }),
    }),
    ...twins(data, {
      old: "bound_cidrs",
      current: "token_bound_cidrs",
      empty: [],
      present: role.token_bound_cidrs,
      value: cidrs && parseAddresses(cidrs),
    }),
    ...numberTwins(role, data, { old: "num_uses", current: "token_num_uses" }),
    ...numberTwins(role, data, { old: "ttl", current: "token_ttl" }),
    ...numberTwins(role, data, { old: "max_ttl", current: "token_max_ttl" }),
    ...numberTwins(role, data, { old: "period", current: "token_period" }),
  };
}

type NumberName = "num_uses" | "ttl" | "max_ttl" | "period";

function numberTwins(
  role: RoleRecord,
  data: RoleData,
  { old, current }: { old: NumberName; current: `token_${NumberName}` },
): Partial<RoleRecord> {
  return twins(data, { old, current, empty: 0, present: role[current], value: data.given(old) });
}

interface Twins<T> {
  readonly old: keyof typeof roleFields & keyof RoleRecord;
  readonly current: keyof typeof roleFields & keyof RoleRecord;
  readonly empty: T;
  /** The value under the current name after this write. */
  readonly present: T;
  /** What was sent under the old name, decoded. */
  readonly value: T | undefined;
}

function twins<T>(data: RoleData, { old, current, empty, present, value }: Twins<T>): Partial<RoleRecord> {
  if (data.given(current) !== undefined) return { [old]: value === undefined ? empty : present };
  return value === undefined ? {} : { [old]: value, [current]: value };
}

function parseAddresses(texts: readonly string[]): readonly BoundAddress[] {
  return texts.map((text) => {
    const address = parseBoundAddress(text);
    if (address !== undefined) return address;
    const reason = `Unable to convert ${JSON.stringify(text)} to an IPv4 or IPv6 address, or a UNIX Socket`;
    throw new Refusal(`error parsing address ${JSON.stringify(text)}: ${reason}`);
  });
}

function tokenType(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given === "" || given === "default") return "default";
  if (given === "service" || given === "batch") return given;
  throw new Refusal(`invalid 'token_type' value "${given}"`);
}
