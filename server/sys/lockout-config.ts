import { DurationFailure } from "../framework/go-duration";
import { goQuoted } from "../framework/go-quoted";
import { Failure, Refusal } from "../framework/refusal";
import type { WireObject, WireValue } from "../framework/wire-value";
import type { Mount, UserLockout } from "../secrets/mount-table";
import { lifetimeSeconds } from "./mount-config";

const lockableTypes: ReadonlySet<string> = new Set(["approle", "ldap", "userpass"]);
const texts = ["lockout_threshold", "lockout_duration", "lockout_counter_reset_duration"];

/** The mount's setting with what is given of it; `undefined` for none. @throws Refusal or Failure */
export function tunedLockout({ type, config }: Mount, given: WireObject): UserLockout | undefined {
  if (Object.keys(given).length === 0) return config.userLockout;
  const disable = given["lockout_disable"] ?? undefined;
  const isReadable = texts.every((name) => isText(given[name])) && ["boolean", "undefined"].includes(typeof disable);
  if (!isReadable) throw new Refusal("unable to convert given user lockout config information");
  if (!lockableTypes.has(type)) {
    throw new Refusal(`tuning of user lockout configuration for auth type ${goQuoted(type)} not allowed`);
  }
  const present = config.userLockout;
  return {
    user_lockout_threshold: threshold(textOf(given["lockout_threshold"])) ?? present?.user_lockout_threshold ?? 0,
    user_lockout_duration: seconds(textOf(given["lockout_duration"])) ?? present?.user_lockout_duration ?? 0,
    user_lockout_counter_reset_duration:
      seconds(textOf(given["lockout_counter_reset_duration"])) ?? present?.user_lockout_counter_reset_duration ?? 0,
    user_lockout_disable: typeof disable === "boolean" ? disable : (present?.user_lockout_disable ?? false),
  };
}

// A number of a request is a text to Vault.
function isText(value: WireValue | undefined): boolean {
  return value === undefined || value === null || typeof value === "string" || textOf(value) !== "";
}

function textOf(value: WireValue | undefined): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" && "rawJSON" in value ? String(value.rawJSON) : "";
}

function threshold(text: string): number | undefined {
  if (text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const problem = `strconv.ParseUint: parsing ${goQuoted(text)}: invalid syntax`;
  throw new Failure(`unable to parse user lockout threshold: ${problem}`);
}

function seconds(text: string): number | undefined {
  if (text === "") return undefined;
  try {
    return lifetimeSeconds(text);
  } catch (failure) {
    throw failure instanceof DurationFailure ? new Refusal(failure.message) : failure;
  }
}
