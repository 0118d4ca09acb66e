import type { FieldData } from "../framework/field-data";
import { DurationFailure } from "../framework/go-duration";
import { Refusal } from "../framework/refusal";
import { listSettings, type Mount, type MountConfig } from "../secrets/mount-table";
import { keySetting, lifetimeSeconds, tokenTypeFrom, visibilityFrom } from "./mount-config";
import { versionAtTuning } from "./plugin-version";
import { tunedLockout } from "./user-lockout";

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
  user_lockout_config: "map",
  trim_request_trailing_slashes: "bool",
  identity_token_key: "string",
  allowed_managed_keys: "commaStringSlice",
  delegated_auth_accessors: "commaStringSlice",
} as const;

type Tuning = Pick<FieldData<typeof tuneFields>, "get" | "given">;

/** The mount with the given settings changed and all others kept. `lacking` is what the product does not have. @throws Refusal */
export function tunedMount(mount: Mount, supplied: FieldData<typeof tuneFields>, lacking: readonly string[]): Mount {
  const data: Tuning = {
    get: supplied.get,
    given: (name) => (lacking.includes(name) ? undefined : supplied.given(name)),
  };
  const defaultLeaseSeconds = tunedLifetime(data.get("default_lease_ttl"), mount.config.defaultLeaseSeconds);
  const maxLeaseSeconds = tunedLifetime(data.get("max_lease_ttl"), mount.config.maxLeaseSeconds);
  if (maxLeaseSeconds > 0 && maxLeaseSeconds < defaultLeaseSeconds) {
    const given = `backend max lease TTL of ${maxLeaseSeconds}`;
    throw new Refusal(`${given} would be less than backend default lease TTL of ${defaultLeaseSeconds}`);
  }
  const userLockout = tunedLockout(mount, data.given("user_lockout_config"));
  const version = data.given("plugin_version");
  const pluginVersion = version === undefined ? mount.pluginVersion : versionAtTuning(version, mount);
  const { trimsSlashes, identityTokenKey, ...present } = mount.config;
  const trims = data.given("trim_request_trailing_slashes") ?? trimsSlashes ?? false;
  const config: MountConfig = {
    ...present,
    ...(trims ? { trimsSlashes: true } : {}),
    ...keySetting(data.given("identity_token_key") ?? identityTokenKey ?? ""),
    ...(userLockout === undefined ? {} : { userLockout }),
    defaultLeaseSeconds,
    maxLeaseSeconds,
    lists: { ...mount.config.lists, ...givenLists(mount, data) },
    listingVisibility: visibilityFrom(data.given("listing_visibility") ?? mount.config.listingVisibility),
    ...tokenTypeSetting(mount, data.given("token_type")),
  };
  const options = data.given("options");
  return {
    ...mount,
    ...(pluginVersion === undefined ? {} : { pluginVersion }),
    config,
    description: data.given("description") ?? mount.description,
    options: options === undefined ? mount.options : mergedOptions({ ...mount.options, ...options }),
  };
}

// New options are added to the old ones; an empty one is removed [asked of Vault 1.21.1].
function mergedOptions(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
}

const ofEngines: readonly string[] = ["allowed_managed_keys", "delegated_auth_accessors"];

function givenLists({ kind }: Mount, data: Tuning): MountConfig["lists"] {
  const own = listSettings.filter((name) => kind === "secret" || !ofEngines.includes(name));
  const given = own.map((name) => [name, data.given(name)] as const);
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
