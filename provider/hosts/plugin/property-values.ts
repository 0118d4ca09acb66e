import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { canonicalText } from "../../core/canonical";
import type { Values } from "../../core/definition";
import { asSecret, isSealed } from "../../core/secret-envelope";
import { isRecord } from "../../core/unknowns";

/** Of each property, the parts that were secret, as texts: the engine gives us secrets, and gets them back as such. */
export type SecretParts = ReadonlyMap<string, ReadonlySet<string>>;

/** Properties as the engine sent them. */
export interface Received {
  readonly values: Values;
  readonly secrets: SecretParts;
}

/** What a stack that was made with the dynamic classes has beside the properties. */
const DYNAMIC_PROVIDER = "__provider";

/** Plain values; what is null is not there. Unknown values stay the text that stands for them, which is ours as well. */
export function received(struct: Struct | undefined): Received {
  const secrets = new Map<string, Set<string>>();
  const values = Object.entries(struct?.toJavaScript() ?? {})
    .filter(([name, value]) => value !== null && name !== DYNAMIC_PROVIDER)
    .map(([name, value]) => {
      const parts = new Set<string>();
      const plain = opened(value, parts);
      if (parts.size > 0) secrets.set(name, parts);
      return [name, plain] as const;
    });
  return { values: Object.fromEntries(values), secrets };
}

/** Parts of all of them: what is secret in the program or in the state is secret in the answer. */
export function allSecrets(...all: readonly Received[]): SecretParts {
  const entries = all.flatMap(({ secrets }) => [...secrets]);
  const names = new Set(entries.map(([name]) => name));
  const partsOf = (name: string) => entries.filter(([of]) => of === name).flatMap(([, parts]) => [...parts]);
  return new Map([...names].map((name) => [name, new Set(partsOf(name))]));
}

/** The properties for the engine: `hidden` ones are secret as a whole, others where a part of them was. */
export function sent(values: Values, hidden: readonly string[], secrets: SecretParts = new Map()): Struct {
  const properties = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, hidden.includes(name) ? asSecret(value) : sealed(value, secrets.get(name))]);
  return Struct.fromJavaScript(Object.fromEntries(properties));
}

function opened(value: unknown, parts: Set<string>): unknown {
  if (isSealed(value)) {
    const plain = opened(value.value, parts);
    parts.add(canonicalText(plain));
    return plain;
  }
  if (Array.isArray(value)) return value.map((item) => opened(item, parts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, opened(member, parts)]));
}

/**
 * Found again by value, because a set has no order. A part that is not found, as when the server has another value by
 * now, makes the whole property secret.
 */
function sealed(value: unknown, parts: ReadonlySet<string> | undefined): unknown {
  if (parts === undefined || parts.size === 0) return value;
  const found = new Set<string>();
  const marked = withMarks(value, parts, found);
  return found.size === parts.size ? marked : asSecret(value);
}

function withMarks(value: unknown, parts: ReadonlySet<string>, found: Set<string>): unknown {
  const text = canonicalText(value);
  const inside = () => {
    if (Array.isArray(value)) return value.map((item) => withMarks(item, parts, found));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withMarks(member, parts, found)]));
  };
  const marked = inside();
  if (!parts.has(text)) return marked;
  found.add(text);
  return asSecret(value);
}
