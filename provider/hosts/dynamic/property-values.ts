import { canonicalText } from "../../core/canonical";
import type { Definition, Values } from "../../core/definition";
import { hiddenParts, hiddenProperties } from "../../core/fingerprint";
import type { IgnoredPath } from "../../core/ignored";
import { stepsOf } from "../../core/property-path";
import type { Received } from "../../core/seal";
import { isSealed } from "../../core/secret-envelope";
import { IGNORED_CHANGES, SECRET_INPUTS } from "../../core/state-names";
import { isRecord } from "../../core/unknowns";

/** Properties as Pulumi's dynamic provider host hands them over: secrets among them are plain. */
export type Props = Readonly<Record<string, unknown>>;

/** Pulumi keeps the text of the provider beside the properties. */
export const PROVIDER = "__provider";

type Path = readonly (string | number)[];

/** The properties without what is not ours, and what of them the program or the definition keeps secret. */
export function received(definition: Definition, props: Props): Received {
  const { [PROVIDER]: _provider, [SECRET_INPUTS]: paths, [IGNORED_CHANGES]: _ignored, ...rest } = props;
  const values = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const secrets = new Map<string, Set<string>>();
  const always = hiddenProperties(definition, values).filter((name) => typeof values[name] === "string");
  const inSets = hiddenParts(definition, values).map(({ path }) => path);
  for (const [name, ...inside] of [...pathsIn(paths), ...always.map((name): Path => [name]), ...inSets]) {
    const part = inside.reduce<unknown>(memberOf, values[String(name)]);
    // A state may have lost what the program said.
    if (part === undefined) continue;
    secrets.set(String(name), (secrets.get(String(name)) ?? new Set()).add(canonicalText(part)));
  }
  return { values, secrets };
}

/** What the program's option `ignoreChanges` names: Pulumi has put what was recorded there, not what the server has now. */
export function ignoredIn({ [IGNORED_CHANGES]: paths }: Props): IgnoredPath[] {
  return Array.isArray(paths) ? paths.map((path) => stepsOf(String(path))) : [];
}

/** The sealed form of the values, and beside it where the program's secrets are: the next call gets them plain. */
export function withPaths(
  definition: Definition,
  values: Values,
  sealed: Record<string, unknown>,
): Record<string, unknown> {
  // What the definition hides is known without being told.
  const known = hiddenProperties(definition, values);
  const inSets = new Set(hiddenParts(definition, values).map(({ path }) => canonicalText(path)));
  const paths = Object.entries(sealed)
    .flatMap(([name, value]) => (known.includes(name) ? [] : pathsTo(value, [name])))
    .filter((path) => !inSets.has(canonicalText(path)));
  return paths.length === 0 ? sealed : { ...sealed, [SECRET_INPUTS]: paths };
}

function pathsTo(value: unknown, path: Path): Path[] {
  if (isSealed(value)) return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsTo(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => pathsTo(member, [...path, key]));
}

function pathsIn(paths: unknown): Path[] {
  return Array.isArray(paths) ? paths.filter(Array.isArray) : [];
}

function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}
