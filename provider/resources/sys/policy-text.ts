import type { Availability } from "../../core/availability";
import { canonicalText, isEmpty, setOf } from "../../core/canonical";
import { didYouMean, nearest } from "../../core/check";
import { formatNanoseconds, parseNanoseconds } from "../../core/duration";
import { readHcl } from "../../core/hcl";
import { type HclItem, type HclNumber, type HclValue, isHclBody, isHclNumber } from "../../core/hcl-body";

/** One rule of an ACL policy, as the server understands it. */
export interface PathRule {
  /** Without the slash that it may begin with. */
  readonly path: string;
  /** Sorted. A rule that denies has no other capability, and no conditions. */
  readonly capabilities: readonly string[];
  /** What else it says, by the server's keys, in a form that can be compared. */
  readonly conditions: Readonly<Record<string, unknown>>;
  /** The capabilities and keys that it names: not every server knows all of them. */
  readonly words: readonly string[];
}

/** Capabilities that only some servers know. Asked of Vault 1.19.0 and 1.21.1; OpenBao's are from its source, of 2026. */
export const CAPABILITIES: Readonly<Record<string, Availability>> = {
  create: {},
  read: {},
  update: {},
  patch: {},
  delete: {},
  list: {},
  sudo: {},
  deny: {},
  subscribe: { vault: "1.16.0" },
  recover: { vault: "1.20.0" },
  scan: { openbao: "2.2.0" },
};

/** What the old `policy = "…"` of a rule stands for. */
const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  "": [],
  deny: ["deny"],
  read: ["read", "list"],
  write: ["create", "read", "update", "delete", "list"],
  sudo: ["create", "read", "update", "delete", "list", "sudo"],
};

/**
 * The keys of a rule, each with the form in which its value is compared. Those of `CAPABILITIES` are read by themselves. Beside
 * `deny` the server reads less of some.
 */
const KEYS: Readonly<Record<string, { readonly of?: Availability; readonly read?: Read; readonly readDenied?: Read }>> =
  {
    comment: {},
    policy: {},
    capabilities: {},
    allowed_parameters: { read: parameters },
    denied_parameters: { read: parameters },
    required_parameters: { read: textSet },
    min_wrapping_ttl: { read: wrappingTime, readDenied: once },
    max_wrapping_ttl: { read: wrappingTime, readDenied: once },
    mfa_methods: { read: textSet },
    control_group: { read: plain },
    subscribe_event_types: { of: { vault: "1.16.0" }, read: textSet },
    pagination_limit: { of: { openbao: "2.2.0" }, read: plain },
    expiration: { of: { openbao: "2.3.0" }, read: plain },
    list_scan_response_keys_filter_path: { of: { openbao: "2.4.0" }, read: plain },
  };

/** All that a key is given; most can be given once. */
type Read = (values: readonly HclValue[], key: string) => unknown;

/** What the server would refuse. */
class PolicyFailure extends Error {}

/** Reads a policy, in HCL or JSON; the answer is what is wrong when the server would refuse it. */
export function readPolicy(text: string): readonly PathRule[] | string {
  const body = readHcl(text);
  if (typeof body === "string") return body;
  try {
    return body.items.flatMap(ruleIn);
  } catch (failure) {
    if (failure instanceof PolicyFailure) return failure.message;
    throw failure;
  }
}

/** What the words of a policy need of a server, by word. */
export function needsOfPolicy(rules: readonly PathRule[]): ReadonlyMap<string, Availability> {
  const words = new Set(rules.flatMap((rule) => rule.words));
  return new Map(
    [...words].flatMap((word): [string, Availability][] => {
      const needs = own(CAPABILITIES, word) ?? own(KEYS, word)?.of ?? {};
      return Object.keys(needs).length === 0 ? [] : [[word, needs]];
    }),
  );
}

/**
 * What a policy means, by path: comments, layout, order and the way in which rules are split do not count. Of several rules
 * for one path the server takes all capabilities together, and a rule that denies wins.
 */
export function meaningOf(rules: readonly PathRule[]): Readonly<Record<string, unknown>> {
  const byPath = Map.groupBy(rules, ({ path }) => path);
  return Object.fromEntries([...byPath].map(([path, its]) => [path, together(its)]));
}

function together(rules: readonly PathRule[]): unknown {
  if (rules.some(({ capabilities }) => capabilities.includes("deny"))) return { capabilities: ["deny"] };
  const byConditions = Map.groupBy(rules, ({ conditions }) => canonicalText(conditions));
  const all = [...byConditions.values()].map((its) => ({
    capabilities: setOf(its.flatMap(({ capabilities }) => capabilities)),
    ...its[0]?.conditions,
  }));
  return all.length === 1 ? all[0] : setOf(all.map(canonicalText));
}

function ruleIn({ keys: [key = "", path = "path"], value }: HclItem): readonly PathRule[] {
  // The server reads a name, and does not use it. A path without a name is called `path` there.
  if (key === "name" && textOf(value) === undefined) throw new PolicyFailure("has a name that is no text");
  if (key === "name") return [];
  if (key !== "path") throw new PolicyFailure(`has the unknown key ${JSON.stringify(key)} beside its paths`);
  if (!isHclBody(value)) throw new PolicyFailure('has a path that is not `path "…" { … }`');
  try {
    return [ruleOf(path, value.items)];
  } catch (failure) {
    if (!(failure instanceof PolicyFailure)) throw failure;
    throw new PolicyFailure(`path ${JSON.stringify(path)} ${failure.message}`);
  }
}

function ruleOf(written: string, items: readonly HclItem[]): PathRule {
  const problem = pathProblem(written);
  if (problem) throw new PolicyFailure(problem);
  const path = written.replace(/^\//, "");
  const values = Map.groupBy(items, ({ keys: [key = ""] }) => key);
  for (const { keys } of items) {
    const [key = "", label] = keys;
    if (own(KEYS, key) === undefined) throw new PolicyFailure(unknownWord("key", key, KEYS));
    if (label !== undefined && key !== "comment")
      throw new PolicyFailure(`has ${key} with the label ${JSON.stringify(label)}`);
  }
  const valuesOf: ValuesOf = (key) => (values.get(key) ?? []).map((item) => item.value);
  const [shorthand = ""] = once(valuesOf("policy"), "policy");
  const policy = textOf(shorthand);
  if (policy === undefined) throw new PolicyFailure("has a policy that is no text");
  const old = own(SHORTHANDS, policy);
  if (old === undefined) throw new PolicyFailure(`has the unknown policy ${JSON.stringify(policy)}`);
  const named = [...texts(valuesOf("capabilities"), "capabilities"), ...old];
  // The server reads no further than to `deny`.
  const until = named.indexOf("deny");
  const unknown = (until < 0 ? named : named.slice(0, until)).find((word) => own(CAPABILITIES, word) === undefined);
  if (unknown !== undefined && !old.includes("deny"))
    throw new PolicyFailure(unknownWord("capability", unknown, CAPABILITIES));
  const words = [...named, ...values.keys()];
  const isDenied = named.includes("deny");
  const conditions = conditionsIn(valuesOf, { keys: [...values.keys()], isDenied });
  if (isDenied) return { path, capabilities: ["deny"], conditions: {}, words };
  assertWrappingTimes(conditions);
  return { path, capabilities: setOf(named), conditions, words };
}

function unknownWord(what: string, word: string, known: object): string {
  const near = didYouMean(nearest(word, Object.keys(known)));
  return `has the unknown ${what} ${JSON.stringify(word)}${near || `: known are ${Object.keys(known).join(", ")}`}`;
}

/** What is wrong with a path; undefined when nothing is. */
export function pathProblem(path: string): string | undefined {
  if (path.includes("+*")) return "has +*, which the server refuses: + stands for a whole segment";
  const [outside = "", ...inside] = path.split("{{");
  const isBalanced = !outside.includes("}}") && inside.every((part) => part.split("}}").length === 2);
  return isBalanced ? undefined : "has {{ without }}, or }} without {{";
}

type ValuesOf = (key: string) => readonly HclValue[];

interface ReadKeys {
  readonly keys: readonly string[];
  readonly isDenied: boolean;
}

function conditionsIn(valuesOf: ValuesOf, { keys, isDenied }: ReadKeys): PathRule["conditions"] {
  const found = keys.flatMap((key): [string, unknown][] => {
    const { read, readDenied = read } = own(KEYS, key) ?? {};
    const value = (isDenied ? readDenied : read)?.(valuesOf(key), key);
    // What is empty is no condition.
    return isEmpty(value) ? [] : [[key, value]];
  });
  return Object.fromEntries(found);
}

function assertWrappingTimes(conditions: PathRule["conditions"]): void {
  const [least, most] = ["min_wrapping_ttl", "max_wrapping_ttl"].map((key) =>
    parseNanoseconds(String(conditions[key] ?? "")),
  );
  if (least && most && most < least) throw new PolicyFailure("has a max_wrapping_ttl below its min_wrapping_ttl");
}

function once(values: readonly HclValue[], key: string): readonly HclValue[] {
  if (values.length > 1) throw new PolicyFailure(`has ${key} twice`);
  return values;
}

/** The server takes a whole number for the text that it is written as. */
function textOf(value: HclValue): string | undefined {
  if (typeof value === "string") return value;
  const isWhole = typeof value === "object" && isHclNumber(value) && /^-?(0x[\da-f]+|\d+)$/i.test(value.written);
  return isWhole ? value.written : undefined;
}

function textSet(values: readonly HclValue[], key: string): readonly string[] {
  return setOf(texts(values, key));
}

function texts(values: readonly HclValue[], key: string): readonly string[] {
  return values.flatMap((value) => {
    const found = isList(value) ? value.map(textOf) : [undefined];
    return found.map((text) => {
      if (text === undefined) throw new PolicyFailure(`has ${key} that is no list of texts`);
      return text;
    });
  });
}

/** Values by parameter, of which order and repetition do not matter. The server keeps the names in lower case. */
function parameters(values: readonly HclValue[], key: string): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const spellings = new Map<string, string>();
  for (const value of values) {
    if (!isHclBody(value)) throw new PolicyFailure(`has ${key} that is no map of lists`);
    const named = new Set<string>();
    for (const { keys, value: accepted } of value.items) {
      const [spelling = ""] = keys;
      const name = lowered(spelling);
      if (keys.length > 1 || !isList(accepted)) throw new PolicyFailure(`has ${key} that is no map of lists`);
      if (named.has(name)) throw new PolicyFailure(`has ${key} with ${JSON.stringify(name)} twice`);
      // The lists of one spelling add up; of two spellings, the server keeps one at random whenever it loads the policy.
      if ((spellings.get(name) ?? spelling) !== spelling)
        throw new PolicyFailure(`has ${key} with ${JSON.stringify(name)} twice, in upper and lower case`);
      named.add(name);
      spellings.set(name, spelling);
      found.set(name, [...(found.get(name) ?? []), ...accepted.map(written)]);
    }
  }
  return Object.fromEntries([...found].map(([name, accepted]) => [name, setOf(accepted)]));
}

/** In lower case as Go does it: each character by itself, and one for one; a byte that is none becomes U+FFFD. */
function lowered(name: string): string {
  return Array.from(name.toWellFormed(), (character) => Array.from(character.toLowerCase())[0]).join("");
}

/** To the nanosecond; undefined for 0, which is no condition. */
function wrappingTime(values: readonly HclValue[], key: string): string | undefined {
  const [value = ""] = once(values, key);
  // The server cuts the fraction of a number, which is one of seconds, and not that of a text.
  const text = typeof value === "object" && isHclNumber(value) ? String(Math.trunc(value.value)) : value;
  const parsed = typeof text === "string" ? parseNanoseconds(text) : "";
  if (typeof parsed === "string") throw new PolicyFailure(`has ${key} that is no duration`);
  return parsed === 0n ? undefined : formatNanoseconds(parsed);
}

function plain(values: readonly HclValue[], key: string): string | undefined {
  return once(values, key).map(written)[0];
}

/** A value in one form, which no other has: numbers as they are written, the items of a body in any order. */
function written(value: HclValue): string {
  if (typeof value !== "object") return JSON.stringify(value);
  if (isHclNumber(value)) {
    if (isTooLarge(value))
      throw new PolicyFailure(`has the number ${value.written}, which is too large for the server`);
    return value.written;
  }
  if (isList(value)) return `[${value.map(written).join(",")}]`;
  const items = value.items.map((item) => `${JSON.stringify(item.keys)}:${written(item.value)}`);
  return `{${items.sort().join(",")}}`;
}

/** Where a number counts as one, the server has 64 bits for a whole one, and reads others as JavaScript does. */
function isTooLarge(value: HclNumber): boolean {
  const whole = textOf(value);
  if (whole === undefined) return !Number.isFinite(value.value);
  const size = BigInt(whole.replace("-", "").replace(/^0(?=\d)/, "0o"));
  const number = whole.startsWith("-") ? -size : size;
  return BigInt.asIntN(64, number) !== number;
}

function isList(value: HclValue): value is readonly HclValue[] {
  return Array.isArray(value);
}

/** A member of a table; every object inherits something by names such as `constructor`. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
