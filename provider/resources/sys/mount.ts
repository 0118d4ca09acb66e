import * as z from "zod";
import { isEmpty } from "../../core/canonical";
import { didYouMean, nearest } from "../../core/check";
import type { Values, WireRecord, Write } from "../../core/definition";
import { formatDuration, parseDuration } from "../../core/duration";
import { type Field, onlyOn, row, serversChoice } from "../../core/field";
import type { Move } from "../../core/move";
import { boolean, duration, local, oneOf, string, stringMap, stringSet } from "../../core/rows";
import { advice, notAbove, type Rule, rule } from "../../core/rules";
import type { Trace } from "../../core/trace";
import { isRecord } from "../../core/unknowns";
import { exceptLockout, withoutLockout } from "./user-lockout";

/** Rows that auth methods and secrets engines share. */
export const mountFields = {
  /** Description of the mount for people. @source vault/mounts tune */
  description: string("description"),
  /** Lifetime of tokens and leases that ask for none, in seconds or as a duration; 0 is the server's default. @source vault/mounts tune */
  defaultLeaseTtl: leaseTtl("default_lease_ttl"),
  /** Longest lifetime of tokens and leases, in seconds or as a duration; 0 is the server's maximum. @source vault/mounts tune */
  maxLeaseTtl: leaseTtl("max_lease_ttl"),
  /** Whether callers without a token see the mount in lists: `unauth` shows it, `hidden` does not; `hidden` when unset. @source vault/mounts tune */
  listingVisibility: oneOf("listing_visibility", ["hidden", "unauth"]),
  /** Request headers that the server passes on to the plugin. @source vault/mounts tune */
  passthroughRequestHeaders: namesIn("passthrough_request_headers"),
  /** Response headers that the plugin may set. @source vault/mounts tune */
  allowedResponseHeaders: namesIn("allowed_response_headers"),
  /** Request keys that the audit log shows in plain text. @source vault/mounts tune */
  auditNonHmacRequestKeys: namesIn("audit_non_hmac_request_keys"),
  /** Response keys that the audit log shows in plain text. @source vault/mounts tune */
  auditNonHmacResponseKeys: namesIn("audit_non_hmac_response_keys"),
  /** Options of the mount's plugin, such as `version` of `kv`. @source vault/mounts tune */
  options: mountOptions("options"),
  /** Remove slashes at the end of request paths, for clients that add one. @source vault/mounts tune */
  trimRequestTrailingSlashes: onlyOn({ vault: "1.18.1" }, boolean("trim_request_trailing_slashes")),
  /** Key of the identity store that signs identity tokens for the mount's plugin; `default` when unset. The key must exist. @source vault/mounts tune */
  identityTokenKey: onlyOn({ vault: "1.16.0" }, string("identity_token_key")),
  /** Version of the mount's plugin in the server's plugin catalog, such as `v1.2.0`. When unset, the server chooses when it enables the mount, and keeps that: a version cannot be reset. @source vault/mounts tune */
  pluginVersion: onlyOn({ vault: "1.12.0", openbao: "2.0.0" }, serversChoice(pluginVersion("plugin_version"))),
  /** Keep the mount local: it is not replicated to other clusters. @source vault/mounts enable */
  local: boolean("local"),
  /** Seal-wrap the mount's storage: encrypt it with the seal as well. @source vault/mounts enable */
  sealWrap: boolean("seal_wrap"),
  /** Delete the mount even if it contains roles, users or keys, which are lost. @default false */
  force: local(boolean("")),
};

/** Names in any order. Other tools tune a list that they leave out to one empty text, which names nothing. */
function namesIn(wire: string): Field<string[], false> {
  const names = stringSet(wire);
  return { ...names, canonical: (values) => names.canonical(values?.filter((value) => value.trim() !== "")) };
}

export const mountRules = [notAbove("defaultLeaseTtl", "maxLeaseTtl")];

/** Advice on a type that is like a known one. A plugin from outside may have any name. */
export function looksLikeType(...known: readonly string[]): Rule<"type"> {
  return advice(
    rule(["type"], ({ type }) => {
      const near = known.includes(String(type)) ? undefined : nearest(String(type), known);
      return near && `${JSON.stringify(type)} is no type that a server has by itself${didYouMean(near)}`;
    }),
  );
}

/** Types that the server mounts itself. */
export function notBuiltIn(...types: readonly string[]): Rule<"type"> {
  return rule(["type"], ({ type }) =>
    types.includes(String(type)) ? "is built into the server and cannot be mounted" : undefined,
  );
}

/** Paths of the server's own mounts, and everything below them. */
export function notReserved(...paths: readonly string[]): Rule<"path"> {
  return rule(["path"], ({ path }) =>
    paths.includes(String(path).split("/")[0] ?? "") ? "is reserved for the server's own mounts" : undefined,
  );
}

/** Only the key/value engine has versions. */
export function versionOnlyFor(...types: readonly string[]): Rule<"options" | "type"> {
  return rule(["options", "type"], ({ options, type }) =>
    isRecord(options) && "version" in options && !types.includes(String(type))
      ? [{ property: "options.version", reason: `cannot be set for a mount of type ${String(type)}` }]
      : undefined,
  );
}

/** What the API cannot change after a mount is made. */
export const fixedAtMount = ["type", "local", "sealWrap"] as const;

/**
 * Mounts move with what they store. What they have issued bears the old path, and the server ends it before. Asked of Vault
 * 1.21.1: a token is unknown afterwards; its role, secret ID, accessor and entity stay.
 */
export function movesMount(within: string, ends: string): Move<"path"> {
  return {
    property: "path",
    within,
    catalog: {
      path: "sys/plugins/catalog",
      names: ({ detailed }) => pluginsIn(detailed, within.startsWith("auth/") ? "auth" : "secret"),
    },
    since: { vault: "1.10.0", openbao: "2.0.0" },
    request: { path: "sys/remount", members: (from, to) => ({ from, to }) },
    progress: {
      path: "sys/remount/status/{migration_id}",
      state: ({ migration_info }) => migrationState(migration_info),
    },
    ends,
  };
}

/** The accessor of a mount goes with it. */
export function mountByAccessor(path: string): Trace {
  return {
    property: "path",
    path,
    find(list, { accessor }) {
      const entries = isRecord(list) && typeof accessor === "string" ? Object.entries(list) : [];
      const [found] = entries.find(([, entry]) => isRecord(entry) && entry["accessor"] === accessor) ?? [];
      return found?.replace(/\/$/, "");
    },
  };
}

/** The builtin `kv` is mounted under other names, too. */
function pluginsIn(detailed: unknown, type: string): readonly string[] {
  const plugins = Array.isArray(detailed) ? detailed.filter(isRecord) : [];
  const names = plugins.filter((plugin) => plugin["type"] === type).map(({ name }) => String(name));
  return names.includes("kv") ? [...names, "kv-v1", "kv-v2", "generic"] : names;
}

function migrationState(info: unknown): ReturnType<Move["progress"]["state"]> {
  const status = isRecord(info) ? info["status"] : undefined;
  if (status === "success") return "done";
  return status === "failure" ? "failed" : "pending";
}

/** A built-in plugin has the server's version, and the server forgets such a version when it starts. */
function pluginVersion(wire: string): Field<string, false> {
  return row({
    place: "body",
    wire,
    schema: z
      .string({ error: "must be a string" })
      .regex(/^v?\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/, { error: "must be a version such as v1.2.0" })
      .refine((version) => !/\+(.+\.)?builtin\b/.test(version), {
        error: "must not be that of a built-in plugin, which has the version of the server: leave it out",
      }),
    // The server adds the letter.
    canonical: (version) => (version === undefined ? "" : version.replace(/^v?/, "v")),
  });
}

const OUTSIDE_CONFIG = ["type", "description", "options", "local", "seal_wrap"];
const TUNABLE_OUTSIDE_CONFIG = ["description", "options"];

/**
 * Enabling and tuning a mount take the same members, in different layouts. They are sent one after another: Vault 1.16 to
 * 1.21 enables a mount with the identity store locked and then locks the mounts, and a tuning with an identity token key
 * does it the other way round, so two at once can hang it until it is restarted.
 */
export function mountWrites(path: string): { create: Write; update: Write } {
  return {
    create: { method: "POST", path, sends: "everything", layout: nested, inTurn: true },
    update: { method: "POST", path: `${path}/tune`, sends: "everything", layout: tuned, inTurn: true },
  };
}

/** Finds the mount in a list. Its settings are in `config`, where 0 means inherited. */
export function mountOf(list: unknown, values: Values): Values | undefined {
  const entry = isRecord(list) ? list[`${String(values["path"])}/`] : undefined;
  return isRecord(entry) ? { ...entry, ...(isRecord(entry["config"]) ? entry["config"] : {}) } : undefined;
}

function nested(body: WireRecord): WireRecord {
  const inside = Object.entries(exceptLockout(body)).filter(([member]) => !OUTSIDE_CONFIG.includes(member));
  const outside = Object.entries(body).filter(([member]) => OUTSIDE_CONFIG.includes(member));
  return { ...Object.fromEntries(outside), config: Object.fromEntries(inside) };
}

/**
 * Tuning takes no fixed members and no empty version. It adds options to the present ones; an empty text removes one. No key
 * is sent to reset none: that would lock the identity store for nothing.
 */
function tuned(members: WireRecord, live: Values): WireRecord {
  const { options, plugin_version: version, identity_token_key: key, ...body } = withoutLockout(members, live);
  const fixed = OUTSIDE_CONFIG.filter((member) => !TUNABLE_OUTSIDE_CONFIG.includes(member));
  const gone = Object.keys(isRecord(live["options"]) ? live["options"] : {}).map((name) => [name, ""] as const);
  return {
    ...Object.fromEntries(Object.entries(body).filter(([member]) => !fixed.includes(member))),
    ...(version ? { plugin_version: version } : {}),
    ...(key || live["identityTokenKey"] !== undefined ? { identity_token_key: key } : {}),
    options: { ...Object.fromEntries(gone), ...(isRecord(options) ? options : {}) },
  };
}

/** An empty option counts as none: the server stores it when it makes a mount, and removes it when it tunes one. */
function mountOptions(wire: string): ReturnType<typeof stringMap> {
  const isSet = ([, value]: [string, string]) => value !== "";
  return { ...stringMap(wire), canonical: (value) => Object.fromEntries(Object.entries(value ?? {}).filter(isSet)) };
}

/** `system` resets the value, an empty text keeps it. */
function leaseTtl(wire: string): Field<string | number, false> {
  const seconds = duration(wire);
  return {
    ...seconds,
    empty: "system",
    decode: (ttl) => (ttl === "system" ? undefined : seconds.decode(ttl)),
    encode(value) {
      const count = parseDuration(value);
      return isEmpty(count) || count === 0 ? "system" : formatDuration(Number(count));
    },
  };
}
