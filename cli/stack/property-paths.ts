import { stepsOf } from "../../provider/core/property-path";
import { isRecord } from "../../provider/core/unknowns";

/** The property that a path begins with. */
export function rootOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** True when the path is this one, or leads to a part of it. In `roles.*.tokenTtl`, `*` stands for any name. */
export function isWithin(path: string, whole: string): boolean {
  const [inner, outer] = [stepsOf(path), stepsOf(whole)];
  return outer.length <= inner.length && outer.every((step, index) => step === "*" || step === inner[index]);
}

/** The value at `place` without what lies at these paths inside it, such as `boundClaims.ref` or `jwksPairs[0].jwksUrl`. */
export function withoutPaths(value: unknown, paths: readonly string[], place: string): unknown {
  const depth = stepsOf(place).length;
  return paths.reduce<unknown>((rest, path) => without(rest, stepsOf(path).slice(depth)), value);
}

function without(value: unknown, [step, ...deeper]: readonly string[]): unknown {
  if (step === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => (String(index) === step ? kept(without(item, deeper)) : [item]));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) =>
    name === step ? kept(without(member, deeper)).map((rest) => [name, rest] as const) : [[name, member] as const],
  );
  return Object.fromEntries(entries);
}

function kept(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}
