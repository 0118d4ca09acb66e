import { expect } from "vitest";
import { isRecord } from "../../provider/core/unknowns.ts";

/** Forms in which a secret may turn up in a text. */
export function formsOf(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)];
  return [...plain, Buffer.from(secret).toString("base64"), Buffer.from(secret).toString("hex")];
}

/** Fails when a text holds the secret, without printing it. */
export function expectHidden(texts: readonly string[], secret: string): void {
  const leaks = texts.filter((text) => formsOf(secret).some((form) => text.includes(form)));
  const shown = leaks.map((text) => formsOf(secret).reduce((rest, form) => rest.replaceAll(form, "(secret)"), text));
  expect(shown).toEqual([]);
}

const signature = "4dabf18193072939515e22adb298388d";

/** An answer to Pulumi as it is recorded: what is in an envelope is encrypted. */
export function asRecorded(answer: string): string {
  const sealed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sealed);
    if (!isRecord(value)) return value;
    if (value[signature] === "1b47061264138c4ac30d75fd1eb44270") return "[secret]";
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sealed(member)]));
  };
  return answer === "" ? "" : JSON.stringify(sealed(JSON.parse(answer)));
}

/** Everything of an error that may end up before somebody's eyes. */
export function textsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { message, stack = "", cause } = error;
  const details = "details" in error ? JSON.stringify(error.details) : "";
  const reasons = "reasons" in error ? JSON.stringify(error.reasons) : "";
  return [message, stack, details ?? "", reasons ?? "", ...(cause === undefined ? [] : textsOf(cause))];
}
