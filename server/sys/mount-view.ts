import { listSettings, type Mount, mountView } from "../secrets/mount-table";
import { lockoutView } from "./user-lockout";

/** A mount as `sys/mounts` and `sys/auth` show it; lifetimes of 0 mean "inherited". */
export function mountEntry(mount: Mount): Readonly<Record<string, unknown>> {
  const { config } = mount;
  return {
    accessor: mount.accessor,
    config: {
      default_lease_ttl: config.defaultLeaseSeconds,
      force_no_cache: config.forceNoCache,
      max_lease_ttl: config.maxLeaseSeconds,
      ...optionalSettings(mount),
      ...(config.userLockout ? { user_lockout_config: lockoutView(config.userLockout) } : {}),
    },
    deprecation_status: "supported",
    description: mount.description,
    external_entropy_access: mount.externalEntropy,
    local: mount.local,
    options: mount.options,
    plugin_version: mount.pluginVersion ?? "",
    running_plugin_version: mount.runningVersion,
    running_sha256: "",
    seal_wrap: mount.sealWrap,
    type: mount.type,
    uuid: mount.uuid,
  };
}

/** A mount as `sys/internal/ui/mounts/:path` shows it: lifetimes as they take effect. */
export function shownMount(mount: Mount): Readonly<Record<string, unknown>> {
  const { config, ...entry } = mountEntry(mount);
  const { defaultLeaseSeconds, maxLeaseSeconds } = mountView(mount);
  const lifetimes = { default_lease_ttl: defaultLeaseSeconds, max_lease_ttl: maxLeaseSeconds };
  return { ...entry, config: { ...(config as object), ...lifetimes }, path: mount.path };
}

/** The tuning of a mount: lifetimes as they take effect. */
export function tuneEntry(mount: Mount): Readonly<Record<string, unknown>> {
  const { defaultLeaseSeconds, maxLeaseSeconds } = mountView(mount);
  // Asked of Vault 1.19.0 and 1.21.1: the tuning alone leaves them out.
  const { delegated_auth_accessors: _, ...tuned } = optionalSettings(mount);
  return {
    default_lease_ttl: defaultLeaseSeconds,
    description: mount.description,
    force_no_cache: mount.config.forceNoCache,
    max_lease_ttl: maxLeaseSeconds,
    ...(Object.keys(mount.options ?? {}).length > 0 ? { options: mount.options } : {}),
    ...(mount.externalEntropy ? { external_entropy_access: true } : {}),
    ...(mount.pluginVersion ? { plugin_version: mount.pluginVersion } : {}),
    ...tuned,
    ...(mount.config.userLockout ? lockoutView(mount.config.userLockout) : {}),
  };
}

function optionalSettings({ config }: Mount): Readonly<Record<string, unknown>> {
  const lists = listSettings.map((name) => [name, config.lists[name]] as const);
  return {
    ...Object.fromEntries(lists.filter(([, value]) => value !== undefined && value.length > 0)),
    ...(config.trimsSlashes ? { trim_request_trailing_slashes: true } : {}),
    ...(config.identityTokenKey === undefined ? {} : { identity_token_key: config.identityTokenKey }),
    ...(config.listingVisibility === "" ? {} : { listing_visibility: config.listingVisibility }),
    ...(config.tokenType === undefined ? {} : { token_type: config.tokenType }),
  };
}
