import type { ServerInfo } from "./availability";
import { isEmpty } from "./canonical";
import { parseDuration } from "./duration";
import type { Failure } from "./errors";

/** A rule over several properties. It is skipped while one of them is unknown. */
export interface Rule<Key extends string = string> {
  readonly on: readonly Key[];
  /** A warning is for what the server accepts although it is a mistake, or is refused by some servers only. */
  readonly severity: "error" | "warning";
  // Method syntax, so that a rule over some properties is a rule of a resource that has more.
  /** `server` is the connected one, where it is known. */
  check(values: Readonly<Record<string, unknown>>, server?: ServerInfo): readonly Failure[];
}

/** A rule with its own check. A text that the check answers is the reason, reported at the first property. */
export function rule<const Key extends string>(
  on: readonly [Key, ...Key[]],
  reasonFor: (
    values: Readonly<Record<string, unknown>>,
    server?: ServerInfo,
  ) => string | readonly Failure[] | undefined,
): Rule<Key> {
  return {
    on,
    severity: "error",
    check(values, server) {
      const answer = reasonFor(values, server);
      if (answer === undefined) return [];
      return typeof answer === "string" ? [{ property: on[0], reason: answer }] : answer;
    },
  };
}

/** The same rule as a warning, which refuses nothing. */
export function advice<Key extends string>(of: Rule<Key>): Rule<Key> {
  return { ...of, severity: "warning" };
}

/** The rule, for inputs where a property has a certain value. */
export function when<Key extends string, const On extends string>(
  property: On,
  holds: (value: unknown) => boolean,
  then: Rule<Key>,
): Rule<Key | On> {
  return {
    on: [property, ...then.on],
    severity: then.severity,
    check: (values, server) => (holds(values[property]) ? then.check(values, server) : []),
  };
}

/** At least one of the properties is set. */
export function atLeastOne<const Key extends string>(...keys: [Key, ...Key[]]): Rule<Key> {
  return rule(keys, (values) =>
    keys.some((key) => !isEmpty(values[key])) ? undefined : `must be set, or one of ${keys.slice(1).join(", ")}`,
  );
}

/** All of the properties are set, or none. */
export function together<const Key extends string>(...keys: [Key, ...Key[]]): Rule<Key> {
  return rule(keys, (values) => {
    const missing = keys.filter((key) => isEmpty(values[key]));
    if (missing.length === 0 || missing.length === keys.length) return undefined;
    return missing.map((property) => ({ property, reason: `must be set: ${keys.join(" and ")} belong together` }));
  });
}

/** A property that needs another one. */
export function needs<const Key extends string>(property: Key, other: Key): Rule<Key> {
  return rule([property, other], (values) =>
    isEmpty(values[property]) || !isEmpty(values[other]) ? undefined : `needs ${other} to be set`,
  );
}

/** Properties of which at most one is set. */
export function notTogether<const Key extends string>(...keys: [Key, ...Key[]]): Rule<Key> {
  return rule(keys, (values) => {
    const [first = "", ...others] = keys.filter((key) => !isEmpty(values[key]));
    const reason = `cannot be set together with ${others.join(" and ")}`;
    return others.length === 0 ? undefined : [{ property: first, reason }];
  });
}

/** One duration is not longer than another, where both are set. */
export function notAbove<const Key extends string>(lower: Key, upper: Key): Rule<Key> {
  return rule([lower, upper], (values) => {
    const [low, high] = [secondsOf(values[lower]), secondsOf(values[upper])];
    return low > 0 && high > 0 && low > high ? `must not be longer than ${upper}` : undefined;
  });
}

/** Properties that mean something only while another one has one of these values. */
export function onlyWhen<const Key extends string, const On extends string>(
  properties: readonly Key[],
  on: On,
  allowed: readonly string[],
): Rule<Key | On> {
  return {
    on: [on, ...properties],
    severity: "error",
    check: (values) =>
      allowed.includes(String(values[on]))
        ? []
        : properties
            .filter((key) => !isEmpty(values[key]) && !isZero(values[key]))
            .map((property) => ({ property, reason: `only valid when ${on} is ${allowed.join(" or ")}` })),
  };
}

/**
 * Advice that a name has no two dots in a row. Vault refuses them with "relative paths not supported", OpenBao does not:
 * see `auth/jwt/role/a..b` in the recordings (`test/fixtures/wire`, `secrets-transport.json`).
 */
export function noDoubleDots<const Key extends string>(key: Key): Rule<Key> {
  return advice(
    rule([key], (values) =>
      String(values[key]).includes("..") ? "has two dots in a row, which Vault refuses" : undefined,
    ),
  );
}

/** Advice on names of policies that are another policy's than they look: the server reads them in lower case, one a text. */
export function asPolicyNames<const Key extends string>(key: Key): Rule<Key> {
  return advice(
    rule([key], (values) => {
      const names = Array.isArray(values[key]) ? values[key] : [];
      return names.flatMap((name, index) => {
        const reason = policyNameProblem(String(name));
        return reason === undefined ? [] : [{ property: `${key}[${index}]`, reason }];
      });
    }),
  );
}

function policyNameProblem(name: string): string | undefined {
  // A template is filled in by the server.
  if (name.includes("{{")) return undefined;
  const said = JSON.stringify(name);
  if (name.includes(","))
    return `is ${said}, which is the name of one policy: give each policy as an element of its own`;
  const read = name.trim().toLowerCase();
  return read === name ? undefined : `is ${said}; the server reads it as the policy ${JSON.stringify(read)}`;
}

/** Advice on a mount that seems to be the path of a record in it. A mount may have such a name. */
export function onlyTheMount(...within: readonly string[]): Rule<"mount"> {
  return advice(
    rule(["mount"], ({ mount }) => {
      const path = String(mount ?? "");
      const end = within.find((each) => path.endsWith(`/${each}`) && path.length > each.length + 1);
      return end === undefined
        ? undefined
        : `is ${JSON.stringify(path)}: give only the path of the mount, ${JSON.stringify(path.slice(0, -end.length - 1))}, unless one is mounted at the whole path`;
    }),
  );
}

/** True for no duration, as the servers count it. */
export function isZero(value: unknown): boolean {
  return value === 0 || value === "0" || value === "0s";
}

function secondsOf(value: unknown): number {
  if (typeof value !== "string" && typeof value !== "number") return 0;
  const seconds = parseDuration(value);
  return typeof seconds === "number" ? seconds : 0;
}
