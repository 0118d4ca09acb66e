import { opened, type Received } from "../../core/seal";
import { IGNORED_CHANGES, SECRET_INPUTS } from "../../core/state-names";
import { plainOf } from "./plain-structs";
import type { Struct } from "./sdk-copies";

/** What a stack that was made with the dynamic classes has beside the properties. */
const OF_DYNAMIC_CLASSES = ["__provider", SECRET_INPUTS, IGNORED_CHANGES];

/** Plain values; what is null is not there. Unknown values stay the text that stands for them, which is ours as well. */
export function received(struct: Struct | undefined): Received {
  const members = Object.entries(plainOf(struct));
  const own = members.filter(([name, value]) => value !== null && !OF_DYNAMIC_CLASSES.includes(name));
  return opened(Object.fromEntries(own));
}
