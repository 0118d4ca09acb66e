import { parseDuration } from "../../core/duration";
import type { Failure } from "../../core/errors";
import { isRecord } from "../../core/unknowns";
import type { TimeLimit } from "../../engine/time-limit";
import { type Attribute, attribute } from "./attribute";
import type { RawRecord } from "./value";

export const TIMEOUTS_ATTRIBUTE = "timeouts";

const OPERATIONS = ["create", "read", "update", "delete"] as const;
type TimedOperation = (typeof OPERATIONS)[number];

/** What every resource has. It is in the state, because a deletion has no program to read it from. */
export function timeoutsAttribute(): Attribute {
  const members = OPERATIONS.map((operation) => ({
    property: operation,
    attribute: operation,
    shape: { kind: "text" } as const,
    description: `How long a ${operation} may take, such as \`10m\`.`,
    isRequired: false,
    isSecret: false,
  }));
  const description =
    "How long operations may take. A shorter time ends them earlier, and with a longer one they wait longer for what the server does later.";
  return attribute(TIMEOUTS_ATTRIBUTE, { kind: "record", members }, { isOptional: true, description });
}

/** What is wrong with the timeouts of a program. What is not known yet is not judged. */
export function wrongTimeouts(raw: RawRecord): Failure[] {
  return OPERATIONS.flatMap((operation) => {
    const text = textOf(raw, operation);
    const seconds = text === undefined ? undefined : parseDuration(text);
    const reason = seconds === 0 ? "must be at least a second" : seconds;
    return typeof reason === "string" ? [{ property: `${TIMEOUTS_ATTRIBUTE}.${operation}`, reason }] : [];
  });
}

/** The limit of an operation, by the record's timeouts. */
export function timeLimitOf(raw: RawRecord, operation: TimedOperation): TimeLimit {
  const seconds = parseDuration(textOf(raw, operation) ?? 0);
  return { seconds: typeof seconds === "number" ? seconds : 0, setting: `${TIMEOUTS_ATTRIBUTE}.${operation}` };
}

function textOf({ [TIMEOUTS_ATTRIBUTE]: timeouts }: RawRecord, operation: TimedOperation): string | undefined {
  const text = isRecord(timeouts) ? timeouts[operation] : undefined;
  return typeof text === "string" ? text : undefined;
}
