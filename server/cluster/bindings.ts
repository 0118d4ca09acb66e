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

/** The name of what a rule binds, with its `${value.…}` filled in; or what is wrong, in Consul's words. */
export function bindName(
  { BindType, BindName }: Pick<BindingRule, "BindType" | "BindName">,
  values: ProjectedValues,
): { readonly name: string } | { readonly problem: string } {
  for (const { 1: variable = "", index } of BindName.matchAll(/\$\{\s*([^}]*?)\s*\}/g)) {
    if (Object.hasOwn(values, variable)) continue;
    return { problem: `error interpreting template: 1:${index + 3}: unknown variable accessed: ${variable}` };
  }
  const name = BindName.replace(/\$\{\s*([^}]*?)\s*\}/g, (_gap, variable: string) => values[variable] ?? "");
  return namePatterns[BindType]?.test(name) === false ? { problem: `invalid bind name: ${goQuoted(name)}` } : { name };
}
