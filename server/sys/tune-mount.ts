import type { FieldData } from "../framework/field-data";
import { DurationFailure } from "../framework/go-duration";
import { goQuoted } from "../framework/go-quoted";
import { Refusal } from "../framework/refusal";
import { listSettings, type Mount, type MountConfig } from "../secrets/mount-table";
import { tunedLockout } from "./lockout-config";
import { lifetimeSeconds, tokenKeyFrom, tokenTypeFrom, visibilityFrom } from "./mount-config";

export const tuneFields = {
  path: "string",
  default_lease_ttl: "string",
  max_lease_ttl: "string",
  description: "string",
  listing_visibility: "string",
  token_type: "string",
  options: "kvPairs",
  plugin_version: "string",
  audit_non_hmac_request_keys: "commaStringSlice",
  audit_non_hmac_response_keys: "commaStringSlice",
  passthrough_request_headers: "commaStringSlice",
  allowed_response_headers: "commaStringSlice",
  allowed_managed_keys: "commaStringSlice",
  delegated_auth_accessors: "commaStringSlice",
  identity_token_key: "string",
  trim_request_trailing_slashes: "bool",
  user_lockout_config: "map",
} as const;

/** Those that an auth method does not have. */
export const secretsOnly: readonly string[] = ["allowed_managed_keys", "delegated_auth_accessors"];

/** The mount with the given settings changed and all others kept. @throws Refusal */
export function tunedMount(mount: Mount, data: FieldData<typeof tuneFields>): Mount {
  const userLockout = tunedLockout(mount, data.given("user_lockout_config") ?? {});
  refuseVersion(mount.type, data.given("plugin_version"));
  const identityTokenKey = data.given("identity_token_key");
  const defaultLeaseSeconds = tunedLifetime(data.get("default_lease_ttl"), mount.config.defaultLeaseSeconds);
  const maxLeaseSeconds = tunedLifetime(data.get("max_lease_ttl"), mount.config.maxLeaseSeconds);
  if (maxLeaseSeconds > 0 && maxLeaseSeconds < defaultLeaseSeconds) {
    const given = `backend max lease TTL of ${maxLeaseSeconds}`;
    throw new Refusal(`${given} would be less than backend default lease TTL of ${defaultLeaseSeconds}`);
  }
  const config: MountConfig = {
    ...mount.config,
    defaultLeaseSeconds,
    maxLeaseSeconds,
    lists: { ...mount.config.lists, ...givenLists(data) },
    listingVisibility: visibilityFrom(data.given("listing_visibility") ?? mount.config.listingVisibility),
    ...tokenTypeSetting(mount, data.given("token_type")),
    ...(identityTokenKey === undefined ? {} : { identityTokenKey: tokenKeyFrom(identityTokenKey) }),
    trimsTrailingSlashes: data.given("trim_request_trailing_slashes") ?? mount.config.trimsTrailingSlashes ?? false,
    ...(userLockout === undefined ? {} : { userLockout }),
  };
  const options = data.given("options");
  return {
    ...mount,
    config,
    description: data.given("description") ?? mount.description,
    options: options === undefined ? mount.options : mergedOptions({ ...mount.options, ...options }),
  };
}

// New options are added to the old ones; an empty one is removed [asked of Vault 1.21.1].
function mergedOptions(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
}

function givenLists(data: FieldData<typeof tuneFields>): MountConfig["lists"] {
  const given = listSettings.map((name) => [name, data.given(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

// `""` keeps what is there, `system` goes back to inheriting.
function tunedLifetime(text: string, present: number): number {
  if (text === "") return present;
  try {
    return lifetimeSeconds(text);
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(failure.message);
    throw failure;
  }
}

function tokenTypeSetting(mount: Mount, given: string | undefined): Pick<MountConfig, "tokenType"> {
  if (given === undefined) return {};
  if (mount.kind !== "auth") throw new Refusal("'token_type' can only be modified on auth mounts");
  return { tokenType: tokenTypeFrom(given) };
}

// All plugins here are built in, and have no other version.
function refuseVersion(type: string, version: string | undefined): void {
  if (version === undefined) return;
  const [, numbers, more = ""] = /^v?(\d+(?:\.\d+){0,2})([-+].*)?$/.exec(version) ?? [];
  if (numbers === undefined) {
    throw new Refusal(`version ${goQuoted(version)} is not a valid semantic version: Malformed version: ${version}`);
  }
  const full = [...numbers.split("."), "0", "0"].slice(0, 3).join(".");
  throw new Refusal(`plugin not found in the catalog: ${type}, version=v${full}${more}`);
}
