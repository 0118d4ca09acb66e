import type { Definition, Values } from "../../../provider/core/definition";
import { diff } from "../../../provider/core/diff";
import { bodyOf, stateOf } from "../../../provider/core/record";

/** What a server has that no program wrote; the answer to a read is the program's body with what the trap says. */
export function differenceAfterRead(definition: Definition, inputs: Values, record: Values) {
  const answer = { ...bodyOf(definition, inputs), ...record };
  return diff(definition, stateOf(definition, answer, inputs), inputs);
}
