import {
  isNumberText,
  isWireList,
  isWireObject,
  numberFromText,
  type WireObject,
  type WireValue,
} from "../framework/wire-value";
import { decodedObject } from "./compact-jws";

/** The claims of a payload; numbers as Go's `float64` prints them. @throws TokenFailure */
export function claimsFrom(payload: Buffer): WireObject {
  const claims = decodedObject(payload.toString("utf8"), "map[string]interface {}");
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, withFloats(value)]));
}

function withFloats(value: WireValue): WireValue {
  if (isNumberText(value)) return numberFromText(String(Number(value.rawJSON)));
  if (isWireList(value)) return value.map(withFloats);
  if (!isWireObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withFloats(each)]));
}

/**
 * The claim of this name, or at this JSON pointer when it begins with a slash. A number is cut down to an
 * integer; `undefined` when nothing is there, or null.
 */
export function claimAt(claims: WireObject, name: string): WireValue | undefined {
  const value = name.startsWith("/") ? atPointer(claims, name) : memberOf(claims, name);
  if (isNumberText(value)) return numberFromText(integerText(Number(value.rawJSON)));
  return value ?? undefined;
}

/** All digits of the integer, as Go prints an `int64`. */
function integerText(value: number): string {
  // What no `int64` holds becomes the smallest one.
  return String(Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -(2n ** 63n));
}

/** A claim by its literal name. */
export function memberOf(claims: WireObject, name: string): WireValue | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

// RFC 6901.
function atPointer(claims: WireObject, pointer: string): WireValue | undefined {
  const steps = pointer.slice(1).split("/");
  return steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<WireValue | undefined>((value, step) => {
      if (isWireList(value)) return /^\d+$/.test(step) ? value[Number(step)] : undefined;
      return isWireObject(value) ? memberOf(value, step) : undefined;
    }, claims);
}

/** A list as it is, a text, number or bool as a list of one; `undefined` for anything else. */
export function listOf(value: WireValue): readonly WireValue[] | undefined {
  if (isWireList(value)) return value;
  return typeof value === "string" || typeof value === "boolean" || isNumberText(value) ? [value] : undefined;
}
