import type * as z from "zod";
import type { Availability } from "./availability";
import { canonicalText } from "./canonical";
import { hasUnknown } from "./unknowns";

/**
 * A row of a resource's table: all that is known about one property. Everything else (check, defaults, write, read,
 * diff, schema, documentation, SDK) is derived from rows.
 */
export interface Field<Value = unknown, Required extends boolean = boolean> {
  /** `path`: part of the address. `body`: a member of the request. `local`: stays with us. */
  readonly place: "path" | "body" | "local";
  /** The API's name of the member; a part of the address has one where the record repeats it. */
  readonly wire: string;
  /** What a program may write. */
  readonly schema: z.ZodType<Value>;
  readonly required: Required;
  /** Whether an empty value is one: a set without records is a set. */
  readonly mayBeEmpty?: boolean;
  /** Written into the inputs when the program does not say. */
  readonly fallback?: Value;
  /** The wire value that resets the field on the server. */
  readonly empty: unknown;
  /** Where the field exists, when not on every server. */
  readonly availability?: Availability;
  /** What to use instead. */
  readonly deprecated?: string;
  /** While the program does not set it, the server chooses: whatever it has then is no difference. */
  readonly isServersChoice?: true;
  /** Others add to it, too: while the program does not name it, whatever is there stays. An import names it. */
  readonly isLeftToOthers?: true;
  /** Others add to it, too, and a write takes away what the program does not name: a preview of a change looks for that. */
  readonly isShared?: true;
  /** The form that is recorded, such as a name in lower case. */
  normalise(value: Value): Value;
  encode(value: Value): unknown;
  /** The public form of what the server answered, in the record that has it; undefined when it stands for unset. */
  decode(wire: unknown, record?: Readonly<Record<string, unknown>>): Value | undefined;
  /** The form in which two values are compared; also of undefined, which stands for the server's default. */
  canonical(value: Value | undefined): unknown;
}

/** The rows of a resource by public name. */
export type Fields = Readonly<Record<string, Field>>;

export type ValueOf<F> = F extends Field<infer Value> ? Value : never;

type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F];

/** The values of rows: what is required is there. */
export type RowValues<F extends Fields> = {
  [K in keyof Pick<F, RequiredKeys<F>>]: ValueOf<F[K]>;
} & {
  [K in keyof Omit<F, RequiredKeys<F>>]?: ValueOf<F[K]>;
};

type RowParts<Value> = Pick<Field<Value>, "place" | "wire" | "schema"> &
  Partial<Omit<Field<Value>, "place" | "wire" | "schema" | "required">>;

/** A row from what is special about it. */
export function row<Value>(parts: RowParts<Value>): Field<Value, false> {
  return {
    required: false,
    empty: "",
    normalise: (value) => value,
    encode: (value) => value,
    // A row that does not say otherwise takes the wire's value as it is; the server's types are the row's types.
    decode: (wire) => (wire === null || wire === undefined ? undefined : (wire as Value)),
    canonical: (value) => value,
    ...parts,
  };
}

/** The same row, which a program must fill in or, of an output, which the server always answers. */
export function required<Value>(field: Field<Value>): Field<Value, true> {
  return { ...field, required: true };
}

/** The same row, known to some servers only. */
export function onlyOn<Value, Required extends boolean>(
  availability: Availability,
  field: Field<Value, Required>,
): Field<Value, Required> {
  return { ...field, availability };
}

/** The same row; where the program does not set it, the server chooses. */
export function serversChoice<Value>(field: Field<Value, false>): Field<Value, false> {
  return { ...field, isServersChoice: true };
}

/** The same row; while the program does not name it, it is as others have it. */
export function leftToOthers<Value>(field: Field<Value, false>): Field<Value, false> {
  return { ...field, isLeftToOthers: true };
}

/** The same row, which is the program's alone, though others may have added to it. */
export function shared<Value, Required extends boolean>(field: Field<Value, Required>): Field<Value, Required> {
  return { ...field, isShared: true };
}

/** The same row, deprecated. */
export function deprecated<Value>(instead: string, field: Field<Value, false>): Field<Value, false> {
  return { ...field, deprecated: instead };
}

/** True when the two values mean the same to the servers. A value that is not known yet equals no other. */
export function same<Value>(field: Field<Value>, a: Value | undefined, b: Value | undefined): boolean {
  if (hasUnknown(a) || hasUnknown(b)) return false;
  const [one, other] = [compared(field, a), compared(field, b)];
  return one === other || canonicalText(one) === canonicalText(other);
}

/** A state file or a plan may hold a value of a wrong type, which no check has seen. Such a value equals no other. */
function compared<Value>(field: Field<Value>, value: Value | undefined): unknown {
  try {
    return field.canonical(value);
  } catch {
    return value;
  }
}

/** True when the value is what the field has anyway: unset, or the server's default written out. */
export function isUnset<Value>(field: Field<Value>, value: Value | undefined): boolean {
  return value === undefined || same(field, value, undefined);
}
