import { isSealed } from "../../provider/core/secret-envelope";
import { isRecord } from "../../provider/core/unknowns";

/** A property of a state, taken out of its envelopes. */
export interface Opened {
  /** Undefined while it is encrypted. */
  readonly value: unknown;
  readonly isSecret: boolean;
  readonly isEncrypted: boolean;
}

/** Removes the secret envelopes of an exported value, at any depth. One encrypted part makes the whole value encrypted. */
export function opened(value: unknown): Opened {
  if (isSealed(value)) return openedEnvelope(value);
  if (Array.isArray(value)) return combined(value.map(opened), (members) => members);
  if (!isRecord(value)) return { value, isSecret: false, isEncrypted: false };
  const names = Object.keys(value);
  return combined(
    names.map((name) => opened(value[name])),
    (members) => Object.fromEntries(names.map((name, index) => [name, members[index]])),
  );
}

/** The envelope has the value as JSON text with `pulumi stack export --show-secrets`, and encrypted without it. */
function openedEnvelope(envelope: object): Opened {
  const text = "plaintext" in envelope ? envelope.plaintext : undefined;
  if (typeof text !== "string") return { value: undefined, isSecret: true, isEncrypted: true };
  return { ...opened(JSON.parse(text)), isSecret: true };
}

function combined(parts: readonly Opened[], join: (values: unknown[]) => unknown): Opened {
  const isEncrypted = parts.some((part) => part.isEncrypted);
  return {
    value: isEncrypted ? undefined : join(parts.map(({ value }) => value)),
    isSecret: parts.some((part) => part.isSecret),
    isEncrypted,
  };
}
