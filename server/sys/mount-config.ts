import { coerceField } from "../framework/coerce-field";
import { DurationFailure, nanosecondsFromText, wholeSeconds } from "../framework/go-duration";
import { Refusal } from "../framework/refusal";
import { isNumberText, type WireObject, type WireValue } from "../framework/wire-value";
import { listSettings, type MountConfig, type MountKind, systemLeaseSeconds } from "../secrets/mount-table";

const tokenTypes: ReadonlySet<string> = new Set(["default-service", "default-batch", "service", "batch"]);

/** The `config` of a new mount. @throws Refusal in Vault's words (reference 5.1) */
export function mountConfigFrom(config: WireObject, kind: MountKind): MountConfig {
  const shape = `unable to convert given ${kind === "auth" ? "auth" : "mount"} config information`;
  const defaultLeaseSeconds = lifetime(config["default_lease_ttl"], { name: "default", shape });
  const maxLeaseSeconds = lifetime(config["max_lease_ttl"], { name: "max", shape });
  if (maxLeaseSeconds > 0 && defaultLeaseSeconds > maxLeaseSeconds) {
    throw new Refusal("given default lease TTL greater than given max lease TTL");
  }
  if (maxLeaseSeconds === 0 && defaultLeaseSeconds > systemLeaseSeconds) {
    throw new Refusal(`given default lease TTL greater than system max lease TTL of ${systemLeaseSeconds}`);
  }
  const visibility = visibilityFrom(config["listing_visibility"]);
  return {
    defaultLeaseSeconds,
    maxLeaseSeconds,
    forceNoCache:
      config["force_no_cache"] === undefined ? false : (coerceField("bool", config["force_no_cache"]) ?? false),
    lists: listsFrom(config),
    ...(visibility === undefined ? {} : { listingVisibility: visibility }),
    ...(kind === "auth" ? { tokenType: tokenTypeFrom(config["token_type"]) } : {}),
  };
}

/** `undefined` when none was given. @throws Refusal */
export function visibilityFrom(value: WireValue | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (value === "unauth" || value === "hidden") return value;
  throw new Refusal(`invalid listing_visibility ${String(value)}`);
}

/** @throws Refusal */
export function tokenTypeFrom(value: WireValue | undefined): string {
  if (value === undefined || value === "") return "default-service";
  if (typeof value === "string" && tokenTypes.has(value)) return value;
  throw new Refusal("invalid value for 'token_type'");
}

/** The list settings that were given, by wire name. */
export function listsFrom(values: WireObject): MountConfig["lists"] {
  const given = listSettings.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, coerceField("commaStringSlice", value) ?? []] as const];
  });
  return Object.fromEntries(given);
}

/** A lifetime in whole seconds; `""`, `system` and nothing are 0. @throws DurationFailure */
export function lifetimeSeconds(text: string): number {
  return text === "system" ? 0 : wholeSeconds(nanosecondsFromText(text));
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
