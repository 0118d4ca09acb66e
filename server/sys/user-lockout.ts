import { DurationFailure } from "../framework/go-duration";
import { goQuoted } from "../framework/go-quoted";
import { Failure, Refusal } from "../framework/refusal";
import { isNumberText, type WireObject, type WireValue } from "../framework/wire-value";
import type { Mount, UserLockout } from "../secrets/mount-table";
import { lifetimeSeconds } from "./mount-config";

const TYPES: ReadonlySet<string> = new Set(["ldap", "approle", "userpass"]);
const SHAPE = "unable to convert given user lockout config information";
const NONE: UserLockout = { threshold: 0, durationSeconds: 0, counterResetSeconds: 0, isDisabled: false };

/** The lockout with the given settings changed and all others kept; an empty text keeps one too. @throws Refusal, Failure */
export function tunedLockout({ type, config }: Mount, given: WireObject | null | undefined): UserLockout | undefined {
  if (!given || Object.keys(given).length === 0) return config.userLockout;
  const [threshold, duration, counterReset] = [
    text(given["lockout_threshold"]),
    text(given["lockout_duration"]),
    text(given["lockout_counter_reset_duration"]),
  ];
  const isDisabled = flag(given["lockout_disable"]);
  if (!TYPES.has(type.toLowerCase()))
    throw new Refusal(`tuning of user lockout configuration for auth type ${goQuoted(type)} not allowed`);
  const before = config.userLockout ?? NONE;
  return {
    threshold: threshold === "" ? before.threshold : counted(threshold),
    durationSeconds: duration === "" ? before.durationSeconds : seconds(duration),
    counterResetSeconds: counterReset === "" ? before.counterResetSeconds : seconds(counterReset),
    isDisabled: isDisabled ?? before.isDisabled,
  };
}

/** As `sys/auth` and, without the outer member, a read of the tuning show it. */
export function lockoutView(lockout: UserLockout): Readonly<Record<string, unknown>> {
  return {
    user_lockout_counter_reset_duration: lockout.counterResetSeconds,
    user_lockout_disable: lockout.isDisabled,
    user_lockout_duration: lockout.durationSeconds,
    user_lockout_threshold: lockout.threshold,
  };
}

function text(value: WireValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (isNumberText(value)) return value.rawJSON;
  throw new Refusal(SHAPE);
}

function flag(value: WireValue | undefined): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  throw new Refusal(SHAPE);
}

function counted(threshold: string): number {
  if (/^\d+$/.test(threshold)) return Number(threshold);
  const parsed = `strconv.ParseUint: parsing ${goQuoted(threshold)}: invalid syntax`;
  throw new Failure(`unable to parse user lockout threshold: ${parsed}`);
}

function seconds(duration: string): number {
  try {
    return lifetimeSeconds(duration);
  } catch (failure) {
    if (failure instanceof DurationFailure) throw new Refusal(failure.message);
    throw failure;
  }
}
