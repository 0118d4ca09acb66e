import type { HeaderValues } from "./header-field";
import type { WireObject, WireValue } from "./wire-value";

/** The framework's field types and what each decodes to. `null` in a map type is Go's nil map. */
export interface FieldValues {
  readonly string: string;
  readonly lowerCaseString: string;
  readonly bool: boolean;
  readonly int: number;
  readonly durationSecond: number;
  readonly signedDurationSecond: number;
  readonly commaStringSlice: readonly string[];
  readonly slice: readonly WireValue[];
  readonly map: WireObject | null;
  readonly kvPairs: Readonly<Record<string, string>> | null;
  readonly header: HeaderValues;
}

export type FieldType = keyof FieldValues;

export interface Field<T extends FieldType = FieldType> {
  readonly type: T;
  readonly default?: unknown;
}

/** The fields of a path, each by its type, or with a default. */
export interface Fields {
  readonly [name: string]: FieldType | Field;
}

export const zeroValues: FieldValues = {
  string: "",
  lowerCaseString: "",
  bool: false,
  int: 0,
  durationSecond: 0,
  signedDurationSecond: 0,
  commaStringSlice: [],
  slice: [],
  map: {},
  kvPairs: {},
  header: new Map(),
};
