import { stepsOf } from "../../provider/core/property-path";

/** The property that a path begins with. */
export function rootOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** True when the path is this one, or leads to a part of it. In `roles.*.tokenTtl`, `*` stands for any name. */
export function isWithin(path: string, whole: string): boolean {
  const [inner, outer] = [stepsOf(path), stepsOf(whole)];
  return outer.length <= inner.length && outer.every((step, index) => step === "*" || step === inner[index]);
}
