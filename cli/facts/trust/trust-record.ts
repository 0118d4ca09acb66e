import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { tenantIn } from "../../../provider/core/tenant";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { code } from "./trust-change";

/** A record, and the resource that has it: the same name may stand for records of two servers. */
export interface TrustRecord extends EvaluatedRecord {
  readonly urn: string;
  /** Of a record before a change: the properties that are hidden on both sides and have not the same value. */
  readonly differing?: readonly string[];
  readonly outcome?: CreateOutcome | undefined;
  /** Of a record that is deleted: its server keeps it, because the API cannot delete it. */
  readonly isLeft?: boolean;
}

/** What a preview foresees of a record that is new to the stack: it is there and taken over, or its update is refused. */
export type CreateOutcome = "asDeclared" | "takenOver" | "refused";

/** Why somebody gets something by a record that the stack did not have. */
export function newText(kind: string, outcome: CreateOutcome | undefined): string {
  if (outcome === "asDeclared") return `the ${kind} was there already, as declared`;
  return outcome === "takenOver"
    ? `the ${kind} was there already, and what it gave before was not compared`
    : `the ${kind} is new`;
}

/** The server, and the namespace. */
export function placeOf(values: Values): string {
  return canonicalText([values["connection"] ?? "", tenantIn("vault", values) ?? ""]);
}

export function keyOf(values: Values, names: readonly string[]): string {
  return canonicalText([placeOf(values), ...names.map((name) => values[name])]);
}

export function roleName(values: Values): string {
  return `role ${code(values["name"])} of ${code(`auth/${String(values["mount"])}`)}${namespaceText(values)}`;
}

export function groupName(values: Values): string {
  return `group ${code(values["name"])}${namespaceText(values)}`;
}

function namespaceText(values: Values): string {
  const namespace = tenantIn("vault", values);
  return namespace === undefined ? "" : ` in the namespace ${code(namespace)}`;
}
