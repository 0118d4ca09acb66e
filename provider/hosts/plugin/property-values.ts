import type { Values } from "../../core/definition";
import { opened, type Received } from "../../core/seal";
import { SECRET_INPUTS } from "../../core/state-names";
import { Struct } from "./sdk-copies";

/** What a stack that was made with the dynamic classes has beside the properties. */
const OF_DYNAMIC_CLASSES = ["__provider", SECRET_INPUTS];

keepEveryName();

/** Plain values; what is null is not there. Unknown values stay the text that stands for them, which is ours as well. */
export function received(struct: Struct | undefined): Received {
  const members = struct === undefined ? [] : Object.entries(plainStruct(struct));
  const own = members.filter(([name, value]) => value !== null && !OF_DYNAMIC_CLASSES.includes(name));
  return opened(Object.fromEntries(own));
}

/** Properties for the engine, sealed already. */
export function structOf(sealed: Values): Struct {
  // Properties are what JSON can say.
  return Struct.fromJavaScript(sealed as Parameters<typeof Struct.fromJavaScript>[0]);
}

type Members = ReturnType<Struct["getFieldsMap"]>;
type Value = NonNullable<ReturnType<Members["get"]>>;

/** The library's own conversion sets the prototype of its result where a member is called `__proto__`. */
function plainStruct(struct: Struct): Record<string, unknown> {
  const members: [string, unknown][] = [];
  struct.getFieldsMap().forEach((value, name) => {
    members.push([name, plainValue(value)]);
  });
  return Object.fromEntries(members);
}

function plainValue(value: Value): unknown {
  const struct = value.getStructValue();
  if (struct !== undefined) return plainStruct(struct);
  const list = value.getListValue();
  if (list !== undefined) return list.getValuesList().map(plainValue);
  return value.hasStringValue() || value.hasNumberValue() || value.hasBoolValue() ? value.toJavaScript() : null;
}

/** The library keeps the members of a map in an object, and so loses `__proto__`: an object without prototype has it. */
function keepEveryName(): void {
  const { getFieldsMap } = Struct.prototype;
  Struct.prototype.getFieldsMap = function (this: Struct, ...how) {
    const map = getFieldsMap.apply(this, how);
    // Whoever writes a message asks for no map where there is none, against what the types say.
    for (const inside of Object.values(map ?? {})) {
      if (isPlain(inside)) Object.setPrototypeOf(inside, null);
    }
    return map;
  };
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
