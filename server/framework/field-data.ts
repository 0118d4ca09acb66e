import { coerceField } from "./coerce-field";
import { CoercionFailure } from "./coercion-failure";
import type { CoercionProblem } from "./coercion-problem";
import { type Field, type Fields, type FieldType, type FieldValues, zeroValues } from "./field-type";
import type { WireObject, WireValue } from "./wire-value";

type TypeOf<R> = R extends FieldType ? R : R extends Field<infer T> ? T : never;
type ValueOf<F extends Fields, K extends keyof F> = FieldValues[TypeOf<F[K]>];

/** The supplied fields of a request, decoded by the path's table. */
export interface FieldData<F extends Fields> {
  /** The value if one was supplied. */
  given<K extends keyof F & string>(name: K): ValueOf<F, K> | undefined;
  /** The value if one was supplied, else the field's default, else the type's zero value. */
  get<K extends keyof F & string>(name: K): ValueOf<F, K>;
  readonly raw: WireObject;
}

/** A supplied field whose value does not fit. */
export class FieldFailure extends Error {
  readonly field: string;
  readonly supplied: WireValue;
  readonly problem: CoercionProblem;

  constructor(field: string, { supplied, problem }: { supplied: WireValue; problem: CoercionProblem }) {
    super(`the value of "${field}" does not fit`);
    this.field = field;
    this.supplied = supplied;
    this.problem = problem;
  }
}

/**
 * Decodes `raw` by the table.
 * @throws FieldFailure for the first field that does not fit.
 */
export function createFieldData<F extends Fields>(fields: F, raw: WireObject): FieldData<F> {
  const values = new Map<string, unknown>();
  for (const [name, row] of Object.entries(fields)) {
    const supplied = raw[name];
    if (supplied === undefined) continue;
    const value = coerceNamed(name, { type: typeOf(row), supplied });
    if (value !== undefined) values.set(name, value);
  }
  const fallback = (name: string): unknown => {
    const row = fields[name];
    if (row === undefined) return undefined;
    return typeof row === "object" && row.default !== undefined ? row.default : zeroValues[typeOf(row)];
  };
  return {
    raw,
    // Both casts: `values` and the defaults were made by the field's own type, which is what ValueOf looks up.
    given: <K extends keyof F & string>(name: K) => values.get(name) as ValueOf<F, K> | undefined,
    get: <K extends keyof F & string>(name: K) =>
      (values.has(name) ? values.get(name) : fallback(name)) as ValueOf<F, K>,
  };
}

function typeOf(row: FieldType | Field): FieldType {
  return typeof row === "object" ? row.type : row;
}

function coerceNamed(name: string, { type, supplied }: { type: FieldType; supplied: WireValue }): unknown {
  try {
    return coerceField(type, supplied);
  } catch (failure) {
    if (!(failure instanceof CoercionFailure)) throw failure;
    throw new FieldFailure(name, { supplied, problem: failure.problem });
  }
}
