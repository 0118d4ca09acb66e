import { coerceField } from "../framework/coerce-field";
import { CoercionFailure } from "../framework/coercion-failure";
import type { FieldValues } from "../framework/field-type";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { goValueText } from "../framework/go-format";
import { goQuoted } from "../framework/go-quoted";
import { Refusal } from "../framework/refusal";
import { isNumberText, isWireList, isWireObject, type WireObject, type WireValue } from "../framework/wire-value";
import { listSettings, type MountConfig, type MountKind, systemLeaseSeconds } from "../secrets/mount-table";

const tokenTypes: ReadonlySet<string> = new Set(["default-service", "default-batch", "service", "batch"]);

/** The `config` of a new mount. @throws Refusal in Vault's words */
export function mountConfigFrom(
  config: WireObject,
  { kind, type }: { readonly kind: MountKind; readonly type: string },
): MountConfig {
  const shape = `unable to convert given ${kind === "auth" ? "auth" : "mount"} config information`;
  const defaultLeaseSeconds = lifetime(config["default_lease_ttl"], { name: "default", shape });
  const maxLeaseSeconds = lifetime(config["max_lease_ttl"], { name: "max", shape });
  if (maxLeaseSeconds > 0 && defaultLeaseSeconds > maxLeaseSeconds) {
    throw new Refusal("given default lease TTL greater than given max lease TTL");
  }
  if (maxLeaseSeconds === 0 && defaultLeaseSeconds > systemLeaseSeconds) {
    throw new Refusal(`given default lease TTL greater than system max lease TTL of ${systemLeaseSeconds}`);
  }
  const pluginVersion = config["plugin_version"] ?? "";
  if (pluginVersion !== "") {
    throw new Refusal(`cannot select non-builtin version of ${kind === "auth" ? "auth" : "secrets"} plugin ${type}`);
  }
  const trims = config["trim_request_trailing_slashes"] ?? false;
  if (typeof trims !== "boolean") throw new Refusal(shape);
  const lockout = config["user_lockout_config"] ?? {};
  if (!isWireObject(lockout) || Object.values(lockout).some((value) => typeof value === "string")) {
    throw new Refusal(shape);
  }
  const accessors = config["delegated_auth_accessors"] ?? [];
  if (!isWireList(accessors)) throw new Refusal(shape);
  const { delegated_auth_accessors: delegated, ...lists } = listsFrom(config, shape);
  const isAuth = kind === "auth";
  return {
    defaultLeaseSeconds,
    maxLeaseSeconds,
    // Vault keeps some settings for secrets engines only.
    forceNoCache: (decoded("bool", config["force_no_cache"], shape) ?? false) && !isAuth,
    lists: { ...lists, ...(isAuth || delegated === undefined ? {} : { delegated_auth_accessors: delegated }) },
    listingVisibility: visibilityFrom(config["listing_visibility"]),
    ...(isAuth ? { tokenType: tokenTypeFrom(config["token_type"]) } : {}),
    identityTokenKey: tokenKeyFrom(config["identity_token_key"]),
    trimsTrailingSlashes: trims,
  };
}

/** The name of a key of the identity tokens; there is no other than the first. @throws Refusal */
export function tokenKeyFrom(value: WireValue | undefined): string {
  if (value === undefined || value === "" || value === "default") return value ?? "";
  throw new Refusal(`key ${goQuoted(goValueText(value))} does not exist`);
}

/** `""` stands for none. @throws Refusal */
export function visibilityFrom(value: WireValue | undefined): string {
  if (value === undefined || value === "") return "";
  if (value === "unauth" || value === "hidden") return value;
  throw new Refusal(`invalid listing_visibility ${goValueText(value)}`);
}

/** @throws Refusal */
export function tokenTypeFrom(value: WireValue | undefined): string {
  if (value === undefined || value === "") return "default-service";
  if (typeof value === "string" && tokenTypes.has(value)) return value;
  throw new Refusal("invalid value for 'token_type'");
}

/** The list settings that were given, by wire name. @throws Refusal with the text `shape` */
export function listsFrom(values: WireObject, shape: string): MountConfig["lists"] {
  const given = listSettings.flatMap((name) => {
    const value = decoded("commaStringSlice", values[name], shape);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** A lifetime in whole seconds; `""`, `system` and nothing are 0. @throws DurationFailure */
export function lifetimeSeconds(text: string): number {
  return text === "system" ? 0 : wholeSeconds(nanosecondsFromText(text));
}

function decoded<T extends "bool" | "commaStringSlice">(
  type: T,
  value: WireValue | undefined,
  shape: string,
): FieldValues[T] | undefined {
  try {
    return value === undefined ? undefined : coerceField(type, value);
  } catch (failure) {
    if (failure instanceof CoercionFailure) throw new Refusal(shape);
    throw failure;
  }
}

function lifetime(value: WireValue | undefined, { name, shape }: { name: string; shape: string }): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== "string" && !isNumberText(value)) throw new Refusal(shape);
  const text = typeof value === "string" ? value : value.rawJSON;
  try {
    return lifetimeSeconds(text);
  } catch (failure) {
    if (!(failure instanceof DurationFailure)) throw failure;
    throw new Refusal(`unable to parse ${name} TTL of ${text}: ${failure.message}`);
  }
}
