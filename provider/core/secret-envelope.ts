import { isRecord } from "./unknowns";

/** Marks of Pulumi's wire format that say "this is a secret" (pulumi/pulumi, sdk/nodejs/runtime/rpc). */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** The value in an envelope that the engine encrypts. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}

/** True for a value in such an envelope. */
export function isSealed(value: unknown): value is { readonly value: unknown } {
  return isRecord(value) && value[SIGNATURE] === SECRET;
}
