import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Definition, Values } from "../../../provider/core/definition";
import { secretProperties } from "../../../provider/core/fingerprint";
import { witnessesOf } from "../../../provider/core/rotation";
import { FINGERPRINTS } from "../../../provider/core/state-names";
import { isRecord } from "../../../provider/core/unknowns";
import type { RecordedValues } from "../../stack/state";
import type { WriteOnlyValue } from "./report";

/** What is known of each value of a resource that the server never shows. */
export function writeOnlyValues(values: RecordedValues, definition: Definition, live: Values): WriteOnlyValue[] {
  const { desired, recorded, encrypted } = values;
  const isSet = (name: string) => encrypted.has(name) || !isEmpty(desired[name]) || !isEmpty(recorded[name]);
  const hidden = [...definition.writeOnly, ...secretProperties(definition, desired), ...definition.secretOutputs];
  const never = [...new Set(hidden)].filter(isSet).map((name) => hiddenValue(values, definition, live, name));
  // The server shows these; the state has them encrypted.
  const own = [...encrypted].filter((name) => name in definition.fields && !hidden.includes(name));
  return [...never, ...own.map((property) => ({ property, ...ENCRYPTED }))];
}

const ENCRYPTED = {
  verdict: "unverifiable",
  reason: "it is encrypted in the state; --decrypt compares it",
} as const;

function hiddenValue(values: RecordedValues, definition: Definition, live: Values, property: string): WriteOnlyValue {
  const { desired, recorded } = values;
  const taken = isRecord(desired[FINGERPRINTS]) ? desired[FINGERPRINTS][property] : undefined;
  const about = { property, ...(typeof taken === "string" ? { fingerprint: taken } : {}) };
  const witness = witnessesOf(definition, recorded)[property];
  // A witness without a recorded value and a live one verifies nothing.
  if (witness === undefined || isEmpty(recorded[witness]) || isEmpty(live[witness])) {
    return {
      ...about,
      verdict: "unverifiable",
      reason: "the server shows neither it nor a property that changes with it",
    };
  }
  if (canonicalText(recorded[witness]) !== canonicalText(live[witness]))
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
