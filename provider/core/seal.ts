import { canonicalText } from "./canonical";
import type { Definition, Values } from "./definition";
import type { Failure } from "./errors";
import { type HiddenPart, hiddenParts, hiddenProperties } from "./fingerprint";
import { parseJson } from "./parse-json";
import { step } from "./property-path";
import { asSecret, isSealed } from "./secret-envelope";
import { placeholders } from "./template";
import { isRecord, UNKNOWN } from "./unknowns";
import { writtenForms } from "./written-forms";

/** Of each property, the parts that were secret, as canonical texts. */
export type SecretParts = ReadonlyMap<string, ReadonlySet<string>>;

/** Properties as a host got them: plain, and what of them is secret. */
export interface Received {
  readonly values: Values;
  readonly secrets: SecretParts;
}

/** What a call was given. */
export interface Given {
  readonly definition?: Pick<Definition, "id" | "secrets" | "secretOutputs" | "members"> | undefined;
  /** What the program says or, where it is not asked, what is recorded: a part that cannot be found again hides its property. */
  readonly says: Received;
  /** What was recorded before: secret wherever it still stands, unless the program shows it now. */
  readonly had?: Received;
}

/** Hides secrets in what a call answers, and in the error that it fails with. */
export interface Sealer {
  /** The properties, with what must not be shown in envelopes. `also` are properties that are secret as a whole. */
  seal(values: Values, also?: readonly string[]): Record<string, unknown>;
  /** The text without what is secret. */
  scrub(text: string): string;
  /** What is said of a property, without what is secret: also where it quotes a part of that. */
  shown(said: Failure): Failure;
}

/** A text that reveals a secret. */
interface Clue {
  readonly text: string;
  /** The property that held it. */
  readonly from: string;
  /** It may be looked for in other properties, where the program does not show it itself. */
  readonly travels: boolean;
  /** It says enough to be recognised beside a property that still has it. */
  readonly isTelling: boolean;
}

/** Shorter texts are in others by chance. */
const SHORTEST_PART = 4;
const SHORTEST_CLUE = 8;

/**
 * What was secret on the way in is secret on the way out: found by its text, because properties are renamed, sorted and
 * written as JSON on the way.
 */
export function sealerOf({ definition, says, had }: Given): Sealer {
  const hiddenIn = (values: Values) => (definition ? hiddenProperties(definition, values) : []);
  const inId = new Set(definition ? placeholders(definition.id) : []);
  // Most calls have no secret, and then there is nothing to look for.
  const isNeeded = says.secrets.size > 0 || (had?.secrets.size ?? 0) > 0;
  const shown = new Set(isNeeded ? textsOutside(says) : []);
  const clues = isNeeded ? cluesOfBoth() : [];

  function cluesOfBoth(): Clue[] {
    const before = had ? cluesOf(had, hiddenIn(had.values), shown).filter(({ travels }) => travels) : [];
    return [...cluesOf(says, hiddenIn(says.values), shown), ...before];
  }

  function sealed(name: string, value: unknown, values: Values, hidden: SecretParts): unknown {
    const parts = union(says.secrets.get(name), hidden.get(name));
    if (parts.size === 0 && clues.length === 0) return value;
    const gaveAway = (text: string) =>
      clues.some((clue) => {
        const isOwn = clue.from === name;
        if (!isOwn && !clue.travels) return false;
        // What has left its property is somewhere else now.
        if (isOwn || values[clue.from] === undefined) {
          return text === clue.text || (clue.text.length >= SHORTEST_PART && holds(text, clue.text));
        }
        return clue.isTelling && !inId.has(name) && holds(text, clue.text);
      });
    const found = new Set<string>();
    const marked = marks(value, (part) => {
      const text = parts.size > 0 ? canonicalText(part) : "";
      if (parts.has(text)) found.add(text);
      return parts.has(text) || (typeof part === "string" && gaveAway(part));
    });
    const isFound = (part: string) => found.has(part) || isInside(value, JSON.parse(part));
    return [...parts].every(isFound) ? marked : asSecret(value);
  }

  return {
    seal(values, also = []) {
      const hidden = new Set([...hiddenIn(values), ...also]);
      const inside = definition ? partsOf(hiddenParts(definition, values)) : new Map();
      const entries = Object.entries(values).filter(([, value]) => value !== undefined);
      return Object.fromEntries(
        entries.map(([name, value]) => [
          name,
          hidden.has(name) ? asSecret(value) : sealed(name, value, values, inside),
        ]),
      );
    },
    scrub: (text) => scrubbed(text, clues),
    shown({ property, reason }) {
      const isPart = (text: string) =>
        text.length >= SHORTEST_PART && !shown.has(text) && clues.some((clue) => holdsPart(clue.text, text));
      return {
        property: scrubbed(cut(property, says, definition), clues),
        reason: scrubbed(withoutQuoted(reason, isPart), clues),
      };
    },
  };
}

/** The values without their envelopes. */
export function opened(values: Values): Received {
  if (!hasSealed(values)) return { values, secrets: new Map() };
  const secrets = new Map<string, Set<string>>();
  const plain = Object.entries(values).map(([name, value]) => {
    const parts = new Set<string>();
    const inside = open(value, parts);
    if (parts.size > 0) secrets.set(name, parts);
    return [name, inside] as const;
  });
  return { values: Object.fromEntries(plain), secrets };
}

/** All of them as one. Where several have a property, the value of the last one counts. */
export function joined(...all: readonly Received[]): Received {
  const names = new Set(all.flatMap(({ secrets }) => [...secrets.keys()]));
  const partsOf = (name: string) => new Set(all.flatMap(({ secrets }) => [...(secrets.get(name) ?? NONE)]));
  return {
    values: Object.assign({}, ...all.map(({ values }) => values)),
    secrets: new Map([...names].map((name) => [name, partsOf(name)])),
  };
}

/** True when the value, or anything inside it, is in an envelope. */
export function hasSealed(value: unknown): boolean {
  if (isSealed(value)) return true;
  if (Array.isArray(value)) return value.some(hasSealed);
  return isRecord(value) && Object.values(value).some(hasSealed);
}

const NONE: ReadonlySet<string> = new Set();

/** Hidden parts as canonical texts, by property. */
export function partsOf(parts: readonly HiddenPart[]): SecretParts {
  const texts = Map.groupBy(parts, ({ path }) => path[0]);
  return new Map([...texts].map(([name, found]) => [name, new Set(found.map(({ value }) => canonicalText(value)))]));
}

function union(a: ReadonlySet<string> = NONE, b: ReadonlySet<string> = NONE): ReadonlySet<string> {
  return b.size === 0 ? a : new Set([...a, ...b]);
}

function open(value: unknown, parts: Set<string>): unknown {
  if (isSealed(value)) {
    const plain = open(value.value, parts);
    parts.add(canonicalText(plain));
    return plain;
  }
  if (Array.isArray(value)) return value.map((item) => open(item, parts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, open(member, parts)]));
}

function marks(value: unknown, isSecret: (part: unknown) => boolean): unknown {
  const inside = () => {
    if (Array.isArray(value)) return value.map((item) => marks(item, isSecret));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, marks(member, isSecret)]));
  };
  const marked = inside();
  return isSecret(value) ? asSecret(value) : marked;
}

/** What gives secret parts away: the texts in them. Of an object that the definition hides, its options are no secrets. */
function cluesOf({ secrets }: Received, hidden: readonly string[], shown: ReadonlySet<string>): Clue[] {
  return [...secrets].flatMap(([from, parts]) =>
    [...parts].flatMap((part) => {
      const value: unknown = JSON.parse(part);
      const isSecretItself = typeof value === "string" || !hidden.includes(from);
      const texts = textsIn(value).filter((text) => text !== "");
      return texts.map((text) => ({
        text,
        from,
        travels: !shown.has(text),
        isTelling: isSecretItself && text.length >= SHORTEST_CLUE && text !== UNKNOWN,
      }));
    }),
  );
}

/** True when every text of a part is in a text of the value, as when an object has become JSON. */
function isInside(value: unknown, part: unknown): boolean {
  const texts = textsIn(part);
  const all = textsIn(value);
  return (
    texts.length > 0 &&
    texts.every((text) => text.length >= SHORTEST_PART && text !== UNKNOWN && all.some((one) => holds(one, text)))
  );
}

/** In a text of JSON, a text is written as JSON writes it. */
function holds(text: string, part: string): boolean {
  if (part === UNKNOWN) return text === part;
  return part !== "" && (text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1)));
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The texts that stand outside of secret parts. */
function textsOutside({ values, secrets }: Received): string[] {
  const outside = (value: unknown, parts: ReadonlySet<string>): string[] => {
    if (parts.size > 0 && parts.has(canonicalText(value))) return [];
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null
      ? Object.values(value).flatMap((member) => outside(member, parts))
      : [];
  };
  return Object.entries(values).flatMap(([name, value]) => outside(value, secrets.get(name) ?? NONE));
}

/** A rule quotes what it means, such as one path of a policy, and may write it as the server does. */
function holdsPart(text: string, part: string): boolean {
  return part !== "" && text !== UNKNOWN && text.toLowerCase().includes(part.toLowerCase());
}

/** The text without what it has in quotes, as JSON writes it, where that must not be shown. */
function withoutQuoted(text: string, isSecret: (quoted: string) => boolean): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => {
    const plain = parseJson(quoted) ?? quoted.slice(1, -1);
    return isSecret(String(plain)) ? '"[secret]"' : quoted;
  });
}

function scrubbed(text: string, clues: readonly Clue[]): string {
  const found = clues.filter((clue) => clue.text.length >= SHORTEST_PART && clue.text !== UNKNOWN);
  // Longest first: one may be a part of another.
  const texts = [...new Set(found.map((clue) => clue.text))].sort((a, b) => b.length - a.length);
  return texts.flatMap(writtenForms).reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

/** A path names the keys of maps, which are secret in a secret map; the options of a property that has fixed ones are not. */
function cut(path: string, { values, secrets }: Received, definition: Given["definition"]): string {
  const name = path.split(/[.[]/)[0] ?? "";
  const rule = definition?.secrets[name];
  if (rule !== undefined && rule !== "always" && "members" in rule) return path;
  const parts = secrets.get(name);
  if (parts === undefined) return path;
  const within = (at: string) => path === at || path.startsWith(`${at}.`) || path.startsWith(`${at}[`);
  const descend = (value: unknown, at: string): string => {
    if (parts.has(canonicalText(value)) || typeof value !== "object" || value === null) return at;
    const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    const next = keys.find((key) => within(at + step(key)));
    return next === undefined ? path : descend(Reflect.get(value, next), at + step(next));
  };
  return descend(values[name], name);
}
