import { compareBytes, goValueText } from "../framework/go-format";
import { Refusal } from "../framework/refusal";
import type { WireObject } from "../framework/wire-value";
import { claimAt, listOf, memberOf } from "./claims";
import type { RoleRecord } from "./role-record";

export interface LoginIdentity {
  /** Name of the entity's alias. */
  readonly user: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly groups: readonly string[];
}

/** The user of a token, by the role's user claim, claim mappings and groups claim. @throws Refusal */
export function identityFrom(claims: WireObject, role: RoleRecord): LoginIdentity {
  const user = userFrom(claims, role);
  const metadata = metadataFrom(claims, role.claim_mappings ?? {});
  return { user, metadata, groups: role.groups_claim === "" ? [] : groupsFrom(claims, role.groups_claim) };
}

function userFrom(claims: WireObject, role: RoleRecord): string {
  const find = role.user_claim_json_pointer ? claimAt : memberOf;
  const user = find(claims, role.user_claim) ?? undefined;
  if (user === undefined) throw new Refusal(`claim "${role.user_claim}" not found in token`);
  if (typeof user !== "string") throw new Refusal(`claim "${role.user_claim}" could not be converted to string`);
  return user;
}

function metadataFrom(claims: WireObject, mappings: Readonly<Record<string, string>>): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [source, target] of Object.entries(mappings).sort(([a], [b]) => compareBytes(a, b))) {
    const value = claimAt(claims, source);
    if (value === undefined) continue;
    if (typeof value !== "string") throw new Refusal(`error converting claim '${source}' to string`);
    metadata[target] = value;
  }
  return metadata;
}

function groupsFrom(claims: WireObject, name: string): readonly string[] {
  const claim = claimAt(claims, name);
  if (claim === undefined) throw new Refusal(`failed to fetch groups: "${name}" claim not found in token`);
  const groups = listOf(claim);
  if (groups === undefined) throw new Refusal(`"${name}" claim could not be converted to string list`);
  const names = groups.map((group) => {
    if (typeof group === "string") return group;
    throw new Refusal(`value ${goValueText(group)} in groups claim could not be parsed as string`);
  });
  return names.filter((group) => group !== "");
}
