import { isRecord } from "../../provider/core/unknowns";

/** A property's value without what lies at these paths, such as `boundClaims.ref` or `jwksPairs[0].jwksUrl`. */
export function withoutPaths(value: unknown, paths: readonly string[]): unknown {
  // The first step is the property itself.
  return paths.reduce<unknown>((rest, path) => without(rest, stepsOf(path).slice(1)), value);
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

/** `a.b[0]["c d"]` as its four names. */
function stepsOf(path: string): string[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, plain]) => plain ?? index ?? String(JSON.parse(`"${quoted ?? ""}"`)),
  );
}
