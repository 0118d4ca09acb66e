import { hasUnknown, isRecord } from "./unknowns";

/** Values by public name. */
type Named = Readonly<Record<string, unknown>>;

/** The mount that a record is in, or bound to, and what has to be mounted there. */
export interface Mounted {
  /** The property that names it; `alias.mount` is inside another. */
  readonly property: string;
  /** What the path of a request has before it. */
  readonly within: "" | "auth/";
  /** The types that fit. The first one is the word for them. */
  readonly types: readonly string[];
  /** The wire name of what each record shows, of a kind of which no property is required. */
  readonly shows?: string;
}

/** The path of the mount, as requests have it; undefined where there is none, or where it is not known yet. */
export function mountPath({ property, within }: Mounted, values: Named): string | undefined {
  const name = property.split(".").reduce<unknown>((from, key) => (isRecord(from) ? from[key] : undefined), values);
  return typeof name !== "string" || hasUnknown(name) ? undefined : within + name;
}

/** A plugin can be registered under a name of its own, such as `openbao-plugin-secrets-aws`: the word is in it. */
export function isOfType({ types }: Mounted, type: string): boolean {
  return type.split(/[^a-z0-9]+/i).some((word) => types.includes(word));
}
