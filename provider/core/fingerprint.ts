import { createHmac, randomBytes } from "node:crypto";
import { canonicalText, isEmpty } from "./canonical";
import type { Definition, SecretRule, Values } from "./definition";
import { hasUnknown, isRecord } from "./unknowns";

/** Names of the two properties that make a secret's change visible without showing the secret. */
export const FINGERPRINTS = "fingerprints";
export const FINGERPRINT_KEY = "fingerprintKey";

/** The properties of these values that must not be shown. */
export function secretProperties(definition: Definition, values: Values): string[] {
  return Object.entries(definition.secrets)
    .filter(([key, rule]) => rule && isSecret(rule, values[key], values))
    .map(([key]) => key);
}

/**
 * A short keyed hash for every secret. The key is random and kept, as a secret, beside the values: without it a
 * fingerprint says nothing, also of a value that could be guessed.
 */
export function withFingerprints(definition: Definition, inputs: Values, olds: Values): Values {
  const known = secretProperties(definition, inputs).filter((key) => !isEmpty(inputs[key]) && !hasUnknown(inputs[key]));
  const { [FINGERPRINTS]: _fingerprints, [FINGERPRINT_KEY]: _key, ...plain } = inputs;
  if (known.length === 0) return plain;
  const recorded = olds[FINGERPRINT_KEY] ?? inputs[FINGERPRINT_KEY];
  const key = typeof recorded === "string" ? recorded : randomBytes(16).toString("base64url");
  const fingerprint = (name: string) =>
    createHmac("sha256", key).update(canonicalText(inputs[name])).digest("hex").slice(0, 8);
  return {
    ...inputs,
    [FINGERPRINTS]: Object.fromEntries(known.map((name) => [name, fingerprint(name)])),
    [FINGERPRINT_KEY]: key,
  };
}

function isSecret(rule: SecretRule, value: unknown, values: Values): boolean {
  if (rule === "always") return true;
  // What is not known yet is taken for secret.
  if ("flag" in rule) return values[rule.flag] !== undefined && values[rule.flag] !== false;
  if (typeof value === "string") return true;
  return isRecord(value) && rule.members.some((member) => !isEmpty(value[member]));
}
