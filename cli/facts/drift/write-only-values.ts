import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { secretProperties } from "../../../provider/core/fingerprint";
import { witnessesOf } from "../../../provider/core/rotation";
import { FINGERPRINTS } from "../../../provider/core/state-names";
import { isRecord } from "../../../provider/core/unknowns";
import type { Comparable } from "../../stack/recorded-stack";
import type { WriteOnlyValue } from "./report";

/** What is known of each value of a resource that the server never shows. */
export function writeOnlyValues(resource: Comparable, definition: Definition, live: Values): WriteOnlyValue[] {
  const { inputs, outputs, encrypted } = resource;
  const isSet = (name: string) => encrypted.has(name) || !isEmpty(inputs[name]) || !isEmpty(outputs[name]);
  const hidden = [...definition.writeOnly, ...secretProperties(definition, inputs), ...definition.secretOutputs];
  const never = [...new Set(hidden)].filter(isSet).map((name) => hiddenValue(resource, definition, live, name));
  // The server shows these; the state has them encrypted.
  const own = [...encrypted].filter((name) => name in definition.fields && !hidden.includes(name));
  return [...never, ...own.map((property) => ({ property, ...ENCRYPTED }))];
}

const ENCRYPTED = {
  verdict: "unverifiable",
  reason: "it is encrypted in the state; --decrypt compares it",
} as const;

function hiddenValue(resource: Comparable, definition: Definition, live: Values, property: string): WriteOnlyValue {
  const { inputs, outputs } = resource;
  const taken = isRecord(inputs[FINGERPRINTS]) ? inputs[FINGERPRINTS][property] : undefined;
  const about = { property, ...(typeof taken === "string" ? { fingerprint: taken } : {}) };
  const witness = witnessesOf(definition, outputs)[property];
  // A witness without a recorded value and a live one verifies nothing.
  if (witness === undefined || isEmpty(outputs[witness]) || isEmpty(live[witness])) {
    return {
      ...about,
      verdict: "unverifiable",
      reason: "the server shows neither it nor a property that changes with it",
    };
  }
  if (canonicalText(outputs[witness]) !== canonicalText(live[witness]))
    return { ...about, verdict: "changed", witness, reason: `${witness}, which changes with it, is different` };
  // A key id has one secret; whether the server has that one beside it, it does not show. A peering keeps its id when another token is issued for it.
  return property === definition.rotation?.secret
    ? {
        ...about,
        verdict: "verified",
        witness,
        reason: `${witness}, which changes with it, is the same; a wrong value beside it would not show`,
      }
    : {
        ...about,
        verdict: "unverifiable",
        witness,
        reason: `${witness} is the same, which a new value can leave as it is`,
      };
}
