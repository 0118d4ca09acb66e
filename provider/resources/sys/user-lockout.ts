import * as z from "zod";
import type { Values, WireRecord } from "../../core/definition";
import { formatDuration, parseDuration } from "../../core/duration";
import { type Field, row } from "../../core/field";
import { duration } from "../../core/rows";
import { type Rule, rule } from "../../core/rules";

/** When the server locks a user out who failed to log in, and for how long. What is unset is as the server is configured. */
export interface UserLockoutConfig {
  /** Failed logins after which the user is locked out. */
  lockoutThreshold?: number;
  /** How long the user is locked out, in seconds or as a duration. */
  lockoutDuration?: string | number;
  /** Time without a failed login after which failures are no longer counted, in seconds or as a duration. */
  lockoutCounterResetDuration?: string | number;
  /** Never lock a user out. */
  lockoutDisable?: boolean;
}

/** The auth methods that have it. */
const TYPES = ["approle", "ldap", "userpass"];
const MEMBER = "user_lockout_config";

/** In seconds; 0 stands for what the server is configured with. */
interface Lockout {
  readonly threshold: number;
  readonly duration: number;
  readonly counterReset: number;
  readonly disable: boolean;
}

export function userLockout(): Field<UserLockoutConfig, false> {
  const span = duration("").schema.optional();
  const shape = z.strictObject(
    {
      lockoutThreshold: z.int({ error: "must be a whole number" }).min(0, { error: "must be at least 0" }).optional(),
      lockoutDuration: span,
      lockoutCounterResetDuration: span,
      lockoutDisable: z.boolean({ error: "must be true or false" }).optional(),
    },
    { error: ({ code }) => (code === "invalid_type" ? "must be a map of settings" : undefined) },
  );
  return row<UserLockoutConfig>({
    place: "body",
    wire: MEMBER,
    // zod's optional member may be `undefined`; `exactOptionalPropertyTypes` knows only an absent one.
    schema: shape as unknown as z.ZodType<UserLockoutConfig>,
    empty: sent({}),
    encode: sent,
    decode: shown,
    canonical: lockoutOf,
  });
}

/** Members of a tuning without a lockout that the method does not have, or that neither the program nor the mount has. */
export function withoutLockout({ [MEMBER]: lockout, ...body }: WireRecord, live: Values): WireRecord {
  const isReset = JSON.stringify(lockout) === JSON.stringify(sent({}));
  const isMeant = TYPES.includes(String(body["type"])) && !(isReset && live["userLockoutConfig"] === undefined);
  return isMeant ? { ...body, [MEMBER]: lockout } : body;
}

/** Enabling a method refuses or ignores what only tuning takes. */
export function exceptLockout({ [MEMBER]: _, ...body }: WireRecord): WireRecord {
  return body;
}

export const lockoutOnlyFor: Rule<"userLockoutConfig" | "type"> = rule(
  ["userLockoutConfig", "type"],
  ({ userLockoutConfig, type }) =>
    userLockoutConfig === undefined || TYPES.includes(String(type))
      ? undefined
      : `is only for the types ${TYPES.join(", ")}, not ${String(type)}`,
);

/** The names of a request; an answer has others. A text is the form that every release takes. */
function sent(config: UserLockoutConfig): WireRecord {
  const { threshold, duration, counterReset, disable } = lockoutOf(config);
  return {
    lockout_threshold: String(threshold),
    lockout_duration: `${duration}s`,
    lockout_counter_reset_duration: `${counterReset}s`,
    lockout_disable: disable,
  };
}

/** An answer puts `user_` before each name. */
function shown(answer: unknown): UserLockoutConfig | undefined {
  const members = Object.entries(answer ?? {}).map(([name, value]) => [name.replace(/^user_/, ""), value] as const);
  // The server answers numbers and switches, and what was sent are texts.
  const of = Object.fromEntries(members) as Readonly<Record<string, string | number | boolean | undefined>>;
  const [threshold, disable] = [Number(of["lockout_threshold"] ?? 0), of["lockout_disable"] === true];
  const [duration, counterReset] = [of["lockout_duration"], of["lockout_counter_reset_duration"]].map((span) =>
    Number(parseDuration(typeof span === "boolean" ? 0 : (span ?? 0))),
  ) as [number, number];
  const config = {
    ...(threshold > 0 ? { lockoutThreshold: threshold } : {}),
    ...(duration > 0 ? { lockoutDuration: formatDuration(duration) } : {}),
    ...(counterReset > 0 ? { lockoutCounterResetDuration: formatDuration(counterReset) } : {}),
    ...(disable ? { lockoutDisable: true } : {}),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function lockoutOf(config: UserLockoutConfig = {}): Lockout {
  const seconds = (span: string | number | undefined) => Number(parseDuration(span ?? 0));
  return {
    threshold: config.lockoutThreshold ?? 0,
    duration: seconds(config.lockoutDuration),
    counterReset: seconds(config.lockoutCounterResetDuration),
    disable: config.lockoutDisable ?? false,
  };
}
