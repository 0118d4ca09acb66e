import { goQuoted } from "../framework/go-quoted";
import { multierrorText } from "../framework/refusal";
import type { PolicyProfile } from "../profiles/secrets-profile";
import { assertControlGroup } from "./control-group";
import { type HclItem, type HclNode, readHcl } from "./hcl-reader";
import { HclFailure } from "./hcl-scanner";
import { type HclValue, listsFrom, secondsFrom, textFrom, textsFrom, typeName, valuesOf } from "./hcl-values";
import { hasPlaceholders } from "./policy-template";

/** All that any product knows; a profile says which it has. */
export const capabilities = [
  "create",
  "read",
  "update",
  "delete",
  "list",
  "sudo",
  "patch",
  "deny",
  "subscribe",
  "recover",
] as const;
export type Capability = (typeof capabilities)[number];

/** What a request must hold besides, for a rule to allow it. */
export interface Conditions {
  /** By parameter in lower case; an empty list stands for every value, and none at all for every parameter. */
  readonly allowed: ReadonlyMap<string, readonly HclValue[]>;
  readonly denied: ReadonlyMap<string, readonly HclValue[]>;
  readonly required: readonly string[];
  /** 0 for none. */
  readonly minWrapSeconds: number;
  readonly maxWrapSeconds: number;
}

/** One `path "…" { … }` of a policy, its path as it is written. */
export interface PathRule {
  readonly path: string;
  readonly capabilities: readonly Capability[];
  readonly conditions: Conditions;
}

/** A policy text that Vault refuses; the message follows `failed to parse policy: `. */
export class PolicyFailure extends Error {}

// What the old `policy = "…"` form stands for.
const shorthands: ReadonlyMap<string, readonly Capability[]> = new Map([
  ["deny", ["deny"]],
  ["read", ["read", "list"]],
  ["write", ["create", "read", "update", "delete", "list"]],
  ["sudo", ["create", "read", "update", "delete", "list", "sudo"]],
]);

/** Reads a policy in HCL or JSON. @throws PolicyFailure */
export function readPolicy(text: string, profile: PolicyProfile): readonly PathRule[] {
  try {
    const { items } = readHcl(text, { takesRepeatedKeys: profile.takesRepeatedKeys });
    refuseKeys(items, { known: ["name", "path"], prefix: "" });
    for (const name of valuesOf(items, "name")) textFrom(name, "root.name");
    return items
      .filter(({ keys }) => keys[0] === "path")
      .map(({ keys, value }) => pathRule(keys[1] ?? "path", { value, profile }));
  } catch (failure) {
    if (failure instanceof HclFailure) throw new PolicyFailure(failure.message);
    throw failure;
  }
}

interface PathText {
  readonly value: HclNode;
  readonly profile: PolicyProfile;
}

function pathRule(path: string, { value, profile }: PathText): PathRule {
  if (hasPlaceholders(path) === undefined) {
    throw new PolicyFailure("failed to validate policy templating: unbalanced templating characters");
  }
  const named = `path ${goQuoted(path)}: `;
  if (value.kind !== "object") throw new PolicyFailure(`${named}cannot check HCL keys of type ${typeName(value)}`);
  const { items } = value;
  const unsupported = items.find(({ keys }) => profile.unsupportedKeys.includes(keys[0] ?? ""));
  if (unsupported !== undefined) {
    throw new PolicyFailure(`${named}"${unsupported.keys[0]}" is not supported by the embedded server`);
  }
  refuseKeys(items, { known: profile.pathKeys, prefix: named });
  const decoded = decodedRule(items, named);
  const stripped = path.replace(/^\//, "");
  if (stripped.includes("+*")) {
    throw new PolicyFailure(`path ${goQuoted(stripped)}: invalid use of wildcards ('+*' is forbidden)`);
  }
  const granted = grantedBy(decoded, { named, profile });
  if (granted.includes("deny")) return { path: stripped, capabilities: ["deny"], conditions: noConditions };
  const minWrapSeconds = secondsFrom(decoded.minWrap, "error parsing min_wrapping_ttl") ?? 0;
  const maxWrapSeconds = secondsFrom(decoded.maxWrap, "error parsing max_wrapping_ttl") ?? 0;
  assertControlGroup(valuesOf(items, "control_group"), granted);
  if (minWrapSeconds !== 0 && maxWrapSeconds !== 0 && maxWrapSeconds < minWrapSeconds) {
    throw new PolicyFailure("max_wrapping_ttl cannot be less than min_wrapping_ttl");
  }
  const { allowed, denied, required } = decoded;
  const conditions = {
    allowed: lowerCased(allowed),
    denied: lowerCased(denied),
    required,
    minWrapSeconds,
    maxWrapSeconds,
  };
  return { path: stripped, capabilities: granted, conditions };
}

const noConditions: Conditions = {
  allowed: new Map(),
  denied: new Map(),
  required: [],
  minWrapSeconds: 0,
  maxWrapSeconds: 0,
};

interface DecodedRule {
  readonly shorthand: string;
  readonly capabilities: readonly string[];
  readonly minWrap: readonly HclNode[];
  readonly maxWrap: readonly HclNode[];
  readonly allowed: Conditions["allowed"];
  readonly denied: Conditions["denied"];
  readonly required: readonly string[];
}

/** The values by type, before anything is asked of them. */
function decodedRule(items: readonly HclItem[], named: string): DecodedRule {
  const values = (key: string) => valuesOf(items, key);
  try {
    const shorthand =
      values("policy")
        .map((node) => textFrom(node, "root.Policy"))
        .at(-1) ?? "";
    const decoded = {
      shorthand,
      capabilities: textsFrom(values("capabilities"), "root.Capabilities"),
      minWrap: values("min_wrapping_ttl"),
      maxWrap: values("max_wrapping_ttl"),
      allowed: listsFrom(values("allowed_parameters"), "root.allowed_parameters"),
      denied: listsFrom(values("denied_parameters"), "root.denied_parameters"),
      required: textsFrom(values("required_parameters"), "root.required_parameters"),
    };
    textsFrom(values("mfa_methods"), "root.mfa_methods");
    textsFrom(values("subscribe_event_types"), "root.subscribe_event_types");
    return decoded;
  } catch (failure) {
    throw failure instanceof HclFailure ? new PolicyFailure(`${named}${failure.message}`) : failure;
  }
}

interface Granting {
  readonly named: string;
  readonly profile: PolicyProfile;
}

/** Up to the first `deny`. */
function grantedBy(rule: DecodedRule, { named, profile }: Granting): readonly Capability[] {
  const ofShorthand = rule.shorthand === "" ? [] : shorthands.get(rule.shorthand);
  if (ofShorthand === undefined) throw new PolicyFailure(`${named}invalid policy ${goQuoted(rule.shorthand)}`);
  const granted = new Set<Capability>();
  for (const name of [...rule.capabilities, ...ofShorthand]) {
    const known = capabilities.find((capability) => capability === name);
    if (known === undefined || !profile.capabilities.includes(known)) {
      throw new PolicyFailure(`${named}invalid capability ${goQuoted(name)}`);
    }
    granted.add(known);
    if (known === "deny") break;
  }
  return [...granted];
}

function refuseKeys(items: readonly HclItem[], { known, prefix }: { known: readonly string[]; prefix: string }): void {
  const unknown = items.filter(({ keys }) => !known.includes(keys[0] ?? ""));
  if (unknown.length === 0) return;
  const told = unknown.map(({ keys, line }) => `${prefix}invalid key ${goQuoted(keys[0] ?? "")} on line ${line}`);
  throw new PolicyFailure(multierrorText(told));
}

function lowerCased(lists: Conditions["allowed"]): Conditions["allowed"] {
  return new Map(Array.from(lists, ([name, values]) => [name.toLowerCase(), values]));
}
