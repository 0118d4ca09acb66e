import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { fill, placeholders } from "../../../provider/core/template";
import { hasUnknown } from "../../../provider/core/unknowns";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { type HiddenRecord, titleOfRecord } from "./hidden-records";

/**
 * One world has one server. Of records that have the same path there, by other connections or namespaces, nobody knows which
 * one a test means: unless they say the same, none of them is played.
 */
export function withoutDoubles(all: readonly EvaluatedRecord[]): {
  readonly records: readonly EvaluatedRecord[];
  readonly hidden: HiddenRecord[];
} {
  const records: EvaluatedRecord[] = [];
  const hidden: HiddenRecord[] = [];
  for (const same of Map.groupBy(all, pathOf).values()) {
    const [first, ...others] = same;
    if (first === undefined) continue;
    if (others.every(({ values }) => said(values) === said(first.values))) records.push(first);
    else hidden.push({ definition: first.definition, values: first.values, reason: reasonFor(first) });
  }
  return { records, hidden };
}

/** A path that is not known is like no other one. */
function pathOf(record: EvaluatedRecord): unknown {
  const { definition, values } = record;
  const isKnown = !hasUnknown(placeholders(definition.id).map((part) => values[part]));
  return isKnown ? `${definition.token} ${fill(definition.id, values)}` : record;
}

const said = ({ connection: _, namespace: __, ...values }: Values) => canonicalText(values);

const reasonFor = ({ definition, values }: EvaluatedRecord) =>
  `the stack has more than one ${titleOfRecord(definition, values)}, by other connections or namespaces: a test says which one it means by connection or namespace.`;
