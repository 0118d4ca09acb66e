import { attributeName } from "./names";
import { holdsAny, type Shape } from "./shape";
import { typeOf, type ValueType } from "./value";

/** An attribute of a resource, of a function or of the provider. */
export interface Attribute {
  readonly name: string;
  /** The property that it stands for. */
  readonly property: string;
  /** Of a map by the names of a set's records, the setting of each that it gives. */
  readonly setting?: string;
  readonly shape: Shape;
  readonly type: ValueType;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isOptional: boolean;
  readonly isComputed: boolean;
  /** It is never kept: what shows of it is its fingerprint. */
  readonly isWriteOnly: boolean;
  /** It is not shown. */
  readonly isSensitive: boolean;
  readonly deprecated: boolean;
}

/** An attribute with what is said of it; everything else is false. */
export function attribute(property: string, shape: Shape, parts: Partial<Attribute>): Attribute {
  return {
    name: attributeName(property),
    property,
    shape,
    type: holdsAny(shape) ? "dynamic" : typeOf(shape),
    description: "",
    isRequired: false,
    isOptional: false,
    isComputed: false,
    isWriteOnly: false,
    isSensitive: false,
    deprecated: false,
    ...parts,
  };
}
