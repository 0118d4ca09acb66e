import { createHmac, randomBytes } from "node:crypto";
import { canonicalText, isEmpty } from "./canonical";
import type { Definition, SecretRule, Values } from "./definition";
import { DEFAULTS } from "./members";
import { FINGERPRINT_KEY, FINGERPRINTS } from "./state-names";
import { hasUnknown, isRecord } from "./unknowns";

/** The properties of these values that must not be shown. */
export function secretProperties(definition: Pick<Definition, "secrets">, values: Values): string[] {
  return Object.entries(definition.secrets)
    .filter(([key, rule]) => rule && isSecret(rule, values[key], values))
    .map(([key]) => key);
}

/** All properties of a record with these values that must not be shown, inputs and outputs. */
export function hiddenProperties(definition: Pick<Definition, "secrets" | "secretOutputs">, values: Values): string[] {
  return [...secretProperties(definition, values), ...definition.secretOutputs, FINGERPRINT_KEY];
}

/** A part of a property, and where it stands in it. */
export interface HiddenPart {
  readonly path: readonly [property: string, ...inside: string[]];
  readonly value: unknown;
}

/** The parts of a set's records and defaults that must not be shown. */
export function hiddenParts(definition: Hiding, values: Values): HiddenPart[] {
  const { members } = definition;
  if (!members || Object.keys(members.of.secrets).length === 0) return [];
  const own = (settings: unknown, names: readonly string[], ...path: HiddenPart["path"]) =>
    names.flatMap((name): HiddenPart[] => {
      const value = isRecord(settings) && Object.hasOwn(settings, name) ? settings[name] : undefined;
      return value === undefined || value === null ? [] : [{ path: [...path, name], value }];
    });
  const records = values[members.property];
  const defaults = values[DEFAULTS];
  const inRecords = Object.entries(isRecord(records) ? records : {}).flatMap(([name, settings]) => {
    const hidden = secretProperties(members.of, {
      ...(isRecord(defaults) ? defaults : {}),
      ...(isRecord(settings) ? settings : {}),
    });
    return own(settings, hidden, members.property, name);
  });
  // Defaults may be secret in one record and not in another.
  return [...inRecords, ...own(defaults, Object.keys(members.of.secrets), DEFAULTS)];
}

type Hiding = Pick<Definition, "members">;

/**
 * A short keyed hash for every secret, and for the key that a server can rotate, as the program gave it. The key is
 * random and kept, as a secret, beside the values: without it a fingerprint says nothing, also of a value that could be
 * guessed.
 */
export function withFingerprints(
  definition: Pick<Definition, "secrets"> & Partial<Pick<Definition, "rotation">>,
  inputs: Values,
  olds: Values,
): Values {
  const names = [...secretProperties(definition, inputs), ...(definition.rotation ? [definition.rotation.keyId] : [])];
  const known = names.filter((name) => !isEmpty(inputs[name]) && !hasUnknown(inputs[name]));
  const { [FINGERPRINTS]: _fingerprints, [FINGERPRINT_KEY]: _key, ...plain } = inputs;
  if (known.length === 0) return plain;
  const key = fingerprintKey(olds[FINGERPRINT_KEY] ?? inputs[FINGERPRINT_KEY]);
  return {
    ...inputs,
    [FINGERPRINTS]: Object.fromEntries(known.map((name) => [name, fingerprint(key, inputs[name])])),
    [FINGERPRINT_KEY]: key,
  };
}

/** The key that is recorded already, or a new one. */
export function fingerprintKey(recorded: unknown): string {
  return typeof recorded === "string" ? recorded : randomBytes(16).toString("base64url");
}

/** True when the value is the one that the fingerprint of these values was taken of. */
export function hasFingerprint(values: Values, name: string, value: unknown): boolean {
  const [key, taken] = [values[FINGERPRINT_KEY], values[FINGERPRINTS]];
  return typeof key === "string" && isRecord(taken) && taken[name] === fingerprint(key, value);
}

/** A short keyed hash. */
export function fingerprint(key: string, value: unknown): string {
  return createHmac("sha256", key).update(canonicalText(value)).digest("hex").slice(0, 8);
}

function isSecret(rule: SecretRule, value: unknown, values: Values): boolean {
  if (rule === "always") return true;
  // What is not known yet is taken for secret.
  if ("flag" in rule) return values[rule.flag] !== undefined && values[rule.flag] !== false;
  if (typeof value === "string") return true;
  return isRecord(value) && rule.members.some((member) => !isEmpty(value[member]));
}
