import { isWireList, type WireObject, type WireValue } from "../framework/wire-value";
import type { Grant } from "./access-list";
import type { HclValue } from "./hcl-values";
import type { Capability } from "./policy-text";

export interface Asking {
  readonly verb: string;
  readonly body: WireObject;
  /** 0 for an answer that is not to be wrapped. */
  readonly wrapSeconds: number;
  readonly needed: Capability;
  /** Whether the members of a list are compared one by one. */
  readonly comparesMembers: boolean;
}

/** Whether the rules of a path allow a request, by what it does, how it is to be wrapped and what it holds. */
export function isPermitted({ capabilities, conditions }: Grant, asking: Asking): boolean {
  if (!capabilities.has(asking.needed)) return false;
  const { minWrapSeconds: min, maxWrapSeconds: max, required, allowed, denied } = conditions;
  const { wrapSeconds, body, verb } = asking;
  const isWrapped = wrapSeconds > 0;
  if (max > 0 && (!isWrapped || wrapSeconds > max)) return false;
  if (min > 0 && (!isWrapped || wrapSeconds < min)) return false;
  if (min !== 0 && max !== 0 && max < min) return false;
  if (verb !== "read" && verb !== "update" && verb !== "patch") return true;
  if (!required.every((name) => Object.hasOwn(body, name.toLowerCase()))) return false;
  const parameters = Object.entries(body);
  if (parameters.length === 0) return true;
  return !isDenied(parameters, { denied, ...asking }) && isAllowed(parameters, { allowed, ...asking });
}

type Parameters = readonly (readonly [string, WireValue])[];
type Lists = ReadonlyMap<string, readonly HclValue[]>;

function isDenied(
  parameters: Parameters,
  { denied, comparesMembers }: { denied: Lists; comparesMembers: boolean },
): boolean {
  if (denied.has("*")) return true;
  return parameters.some(([name, value]) => {
    const list = denied.get(name.toLowerCase());
    if (list === undefined) return false;
    if (list.length === 0 || isIn(value, list)) return true;
    return comparesMembers && membersOf(value).some((member) => isIn(member, list));
  });
}

function isAllowed(
  parameters: Parameters,
  { allowed, comparesMembers }: { allowed: Lists; comparesMembers: boolean },
): boolean {
  if (allowed.size === 0 || (allowed.size === 1 && allowed.has("*"))) return true;
  return parameters.every(([name, value]) => {
    const list = allowed.get(name.toLowerCase());
    if (list === undefined) return allowed.has("*");
    if (list.length === 0 || isIn(value, list)) return true;
    const isList = isWireList(value) || typeof value === "string";
    return comparesMembers && isList && membersOf(value).every((member) => isIn(member, list));
  });
}

/** The members of a list, which a text with commas may be too. */
function membersOf(value: WireValue): readonly WireValue[] {
  if (isWireList(value)) return value;
  return typeof value === "string" && value !== "" ? value.split(",").map((member) => member.trim()) : [];
}

function isIn(value: WireValue, list: readonly HclValue[]): boolean {
  return list.some((element) => isSame(value, element));
}

// A number of a request is text to Vault, and never the number of a policy.
function isSame(value: WireValue, element: HclValue): boolean {
  if (typeof element === "string") return typeof value === "string" && isGlobOf(element, value);
  if (!Array.isArray(element)) return typeof element === "boolean" && value === element;
  return isWireList(value) && value.length === element.length && value.every((member, at) => member === element[at]);
}

function isGlobOf(glob: string, text: string): boolean {
  const [starts, ends] = [glob.endsWith("*"), glob.startsWith("*")];
  if (glob.length < 2 || !(starts || ends)) return text === glob;
  const literal = glob.slice(ends ? 1 : 0, starts ? -1 : undefined);
  if (starts && ends) return text.includes(literal);
  return starts ? text.startsWith(literal) : text.endsWith(literal);
}
