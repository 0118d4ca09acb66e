import type { PropertyDrift } from "./report";

/** What was expected and what is there, as text; of a secret its fingerprint. */
export function valuesOf(drift: PropertyDrift): readonly [expected: string, actual: string] {
  if (drift.secret) return [secretText(drift.expectedFingerprint), secretText(drift.actualFingerprint)];
  return [shown(drift.expected), shown(drift.actual)];
}

function secretText(fingerprint: string | undefined): string {
  return fingerprint === undefined ? "[secret]" : `[secret, fingerprint ${fingerprint}]`;
}

function shown(value: unknown): string {
  return value === undefined ? "(unset)" : JSON.stringify(value);
}
