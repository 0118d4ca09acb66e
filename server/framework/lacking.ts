import type { Backend, Path } from "./backend";

/** What a product lacks of a complete back end. Places are patterns with their captures as `:name`. */
export interface Lacking {
  readonly paths?: readonly string[];
  /** By place: neither taken nor shown. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** By place: not taken, though shown. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

export function withoutLacking(backend: Backend, { paths = [], members = {}, fields = {} }: Lacking): Backend {
  const there = backend.paths.filter((path) => !paths.includes(placeOf(path)));
  return {
    ...backend,
    paths: there.map((path) => {
      const hides = members[placeOf(path)] ?? [];
      return { ...path, hides, ignores: [...hides, ...(fields[placeOf(path)] ?? [])] };
    }),
  };
}

/** `roles/:name` of the pattern that captures a name there. */
export function placeOf({ pattern }: Path): string {
  return pattern.replace(/\(\?<(\w+)>.*$/, ":$1");
}
