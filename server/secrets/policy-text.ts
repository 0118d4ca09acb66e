import { JsonFailure } from "../framework/json-failure";
import { readJson } from "../framework/json-reader";
import { multierrorText } from "../framework/refusal";
import { isWireList, isWireObject, type WireValue, wireValue } from "../framework/wire-value";
import { type HclBody, HclFailure, type HclItem, type HclValue, isHclBody, readHcl } from "./hcl-reader";

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

/** One `path "…" { … }` of a policy; the path has no leading slash. */
export interface PathRule {
  readonly path: string;
  readonly capabilities: readonly Capability[];
}

/** A policy text that Vault refuses; the message follows `failed to parse policy: `. */
export class PolicyFailure extends Error {}

// What the old `policy = "…"` form stands for.
const shorthands: Readonly<Record<string, readonly Capability[]>> = {
  deny: ["deny"],
  read: ["read", "list"],
  write: ["create", "read", "update", "delete", "list"],
  sudo: ["create", "read", "update", "delete", "list", "sudo"],
};

// Known to Vault but not enforced here. A rule with one of them grants nothing, as it would grant more than it says.
const unenforcedKeys: ReadonlySet<string> = new Set([
  "allowed_parameters",
  "denied_parameters",
  "required_parameters",
  "min_wrapping_ttl",
  "max_wrapping_ttl",
  "mfa_methods",
  "control_group",
  "subscribe_event_types",
]);

/**
 * Reads a policy in HCL or JSON.
 * @throws PolicyFailure
 */
export function readPolicy(text: string): readonly PathRule[] {
  const body = text.trimStart().startsWith("{") ? bodyFromJson(text) : bodyFromHcl(text);
  const unknown = body.items.filter((item) => item.keys[0] !== "path" && item.keys[0] !== "name");
  if (unknown.length > 0) {
    throw new PolicyFailure(multierrorText(unknown.map((item) => `invalid key "${item.keys[0]}" on line 0`)));
  }
  return body.items.filter((item) => item.keys[0] === "path").flatMap(pathRules);
}

function pathRules(item: HclItem): readonly PathRule[] {
  const [, path] = item.keys;
  if (path !== undefined) return [pathRule(path, item.value)];
  // JSON, and HCL as `path = { "a" = { … } }`, nest the paths one level deeper.
  if (!isHclBody(item.value)) throw new PolicyFailure('path "path": cannot check HCL keys of type *ast.LiteralType');
  return item.value.items.map((inner) => pathRule(inner.keys[0] ?? "", inner.value));
}

function pathRule(path: string, value: HclValue): PathRule {
  const fail = (reason: string) => new PolicyFailure(`path "${path}": ${reason}`);
  const granted = new Set<Capability>();
  let isEnforced = true;
  for (const { keys, value: setting, line, valueAt } of isHclBody(value) ? value.items : []) {
    const [key = ""] = keys;
    if (key === "comment") continue;
    if (unenforcedKeys.has(key)) isEnforced = false;
    else if (key === "policy") {
      const shorthand = typeof setting === "string" ? shorthands[setting] : undefined;
      if (shorthand === undefined) throw fail(`invalid policy "${String(setting)}"`);
      for (const capability of shorthand) granted.add(capability);
    } else if (key === "capabilities") {
      if (!Array.isArray(setting)) throw fail(`At ${valueAt}: unknown slice type: *ast.LiteralType`);
      for (const capability of setting) granted.add(knownCapability(capability, fail));
    } else {
      throw new PolicyFailure(multierrorText([`path "${path}": invalid key "${key}" on line ${line}`]));
    }
  }
  const deny = granted.has("deny");
  return { path: path.replace(/^\//, ""), capabilities: deny ? ["deny"] : isEnforced ? [...granted] : [] };
}

function knownCapability(value: HclValue, fail: (reason: string) => PolicyFailure): Capability {
  const known = capabilities.find((capability) => capability === value);
  if (known === undefined) throw fail(`invalid capability "${String(value)}"`);
  return known;
}

function bodyFromHcl(text: string): HclBody {
  try {
    return readHcl(text);
  } catch (failure) {
    if (failure instanceof HclFailure) throw new PolicyFailure(failure.message);
    throw failure;
  }
}

function bodyFromJson(text: string): HclBody {
  try {
    const value = hclValue(wireValue(readJson(text)));
    return isHclBody(value) ? value : { items: [] };
  } catch (failure) {
    if (failure instanceof JsonFailure) throw new PolicyFailure(failure.message);
    throw failure;
  }
}

function hclValue(value: WireValue): HclValue {
  if (isWireList(value)) return value.map(hclValue);
  if (isWireObject(value)) {
    return {
      items: Object.entries(value).map(([key, member]) => ({
        keys: [key],
        value: hclValue(member),
        line: 1,
        valueAt: "1:1",
      })),
    };
  }
  if (typeof value === "string" || typeof value === "boolean") return value;
  return value === null ? "" : Number(value.rawJSON);
}
