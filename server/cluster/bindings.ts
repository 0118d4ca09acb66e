import { goQuoted } from "../framework/go-quoted";
import type { BindingRule } from "./auth-method-store";
import type { ProjectedValues } from "./verify-login";

export const bindTypes: readonly string[] = ["service", "node", "role", "policy", "templated-policy"];

const namePatterns: Readonly<Record<string, RegExp>> = {
  service: /^[a-z0-9]([a-z0-9\-_]*[a-z0-9])?$/,
  node: /^[a-z0-9]([a-z0-9\-_]*[a-z0-9])?$/,
  role: /^[A-Za-z0-9\-_]{1,256}$/,
  policy: /^[A-Za-z0-9\-_]+\/?[A-Za-z0-9\-_]*$/,
};

/** `${…}`; white space around what is inside does not count. */
const GAPS = /\$\{([^}]*)\}/g;

/** The name of what a rule binds, with its `${value.…}` filled in; or what is wrong, in Consul's words. */
export function bindName(
  { BindType, BindName }: Pick<BindingRule, "BindType" | "BindName">,
  values: ProjectedValues,
): { readonly name: string } | { readonly problem: string } {
  for (const { 1: inside = "", index } of BindName.matchAll(GAPS)) {
    const variable = inside.trim();
    if (Object.hasOwn(values, variable)) continue;
    return { problem: `error interpreting template: 1:${index + 3}: unknown variable accessed: ${variable}` };
  }
  const name = BindName.replace(GAPS, (_gap, inside: string) => values[inside.trim()] ?? "");
  return namePatterns[BindType]?.test(name) === false ? { problem: `invalid bind name: ${goQuoted(name)}` } : { name };
}
