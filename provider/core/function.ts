import type { Definition, Values, WireRecord } from "./definition";
import { type Field, type Fields, row } from "./field";
import { decoded } from "./record";
import { string } from "./rows";
import type { Rule } from "./rules";
import { type Family, type TenantRows, tenantRows } from "./tenant";

/** The request that a call makes. The path is a template over the arguments. */
export interface FunctionRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The answer is a collection, of which every page is fetched. */
  readonly isCollection?: boolean;
}

/** Cloud credentials, and the token service that knows them. */
export interface CloudCaller {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** A function as data: something that a program asks of a server and that is no resource. */
export interface FunctionDefinition {
  /** Module and function: `jwt:getRole`. */
  readonly token: string;
  /** The API family that the request speaks. */
  readonly dialect: Definition["dialect"];
  /** The arguments. */
  readonly fields: Fields;
  /** What it answers: rows of the server's answer, or of the arguments. */
  readonly results: Fields;
  /** The argument shown in messages beside the function. */
  readonly label?: string | undefined;
  /** What a message says is being done. @default calling */
  readonly verb?: string;
  /** Arguments that must not be shown. */
  readonly secrets: Readonly<Record<string, "always" | undefined>>;
  /** Results that must not be shown. */
  readonly secretResults: readonly string[];
  readonly rules: readonly Rule[];
  /** The server makes something new on every call: never during a preview, and never repeated by itself. */
  readonly issues: boolean;
  /** Arguments in another form, rewritten before anything else looks at them. */
  rewrite?(args: Values): Values;
  request(values: Values): FunctionRequest;
  /** The members of an answer that the rows do not find by themselves; undefined where it lacks what the arguments name. */
  unpack?(answer: unknown, args: Values): WireRecord | undefined;
  /** What "not there" means where it is an answer: a list without members. */
  readonly none?: WireRecord;
  /** Why an answer that the server calls a success is none. */
  refusal?(record: WireRecord): string | undefined;
  /** Cloud credentials among the results, which the cloud may not know yet: waited for when an argument asks for it. */
  readonly validity?: {
    readonly when: string;
    /** The credentials, and the token service that is asked for them. */
    callerOf(values: Values): CloudCaller;
  };
  /** How to give back what was issued. */
  readonly release?: Afterwards & {
    /** The argument that asks for it at the end of the run. Without one, only a host that can always give back does. */
    readonly when?: string;
  };
  /** How to keep what was issued for longer. */
  readonly renewal?: Afterwards;
}

/** A POST about what was issued. */
export interface Afterwards {
  readonly path: string;
  /** Undefined where there is nothing to ask for. */
  members(results: Values): WireRecord | undefined;
  /** The result that is the token to ask with, where that is what was issued. */
  readonly as?: string;
}

/** A function whose rows the compiler knows by name. */
export interface ServerFunction<F extends Fields = Fields, R extends Fields = Fields> extends FunctionDefinition {
  readonly fields: F;
  readonly results: R;
}

const connection = {
  /** Name of the connection that is asked. @default the service's own connection */
  connection: row<string>({ ...string(""), place: "local" }),
};

type Table<F extends Fields, R extends Fields> = Omit<FunctionDefinition, "fields" | "results" | KeyLists> & {
  readonly fields: F;
  readonly results: R;
  readonly label?: keyof F & string;
  readonly secrets?: { readonly [K in keyof F & string]?: "always" };
  readonly secretResults?: readonly (keyof R & string)[];
  readonly rules?: readonly Rule<keyof F & string>[];
  readonly issues?: boolean;
};

type KeyLists = "label" | "secrets" | "secretResults" | "rules" | "issues";

/** A function's table, complete. */
export function defineFunction<F extends Fields, R extends Fields, D extends Family>(
  table: Table<F, R> & { readonly dialect: D },
): ServerFunction<F & typeof connection & TenantRows<D>, R> {
  return {
    secretResults: [],
    rules: [],
    issues: false,
    ...table,
    secrets: { ...table.secrets },
    fields: { ...table.fields, ...connection, ...tenantRows[table.dialect] },
  };
}

/** Rows of a resource, for a function that is asked or answers the same. */
export function rowsOf<F extends Fields, const Name extends keyof F & string>(
  fields: F,
  ...names: readonly Name[]
): Pick<F, Name> {
  // What is picked by these names has them; `fromEntries` forgets that.
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as unknown as Pick<F, Name>;
}

/** A list of records, each of which has these rows. `Found` is their declared type. */
export function recordsOf<Found>(wire: string, fields: Fields): Field<Found[], false> {
  return row<Found[]>({
    place: "body",
    wire,
    // Nobody writes it.
    schema: undefined as never,
    // The rows are what `Found` is declared from.
    decode: (list) =>
      Array.isArray(list) ? list.map((record: WireRecord) => resultsOf(fields, record) as Found) : undefined,
  });
}

/** What the rows make of an answer; what is part of the address comes from the arguments. */
export function resultsOf(fields: Fields, record: WireRecord, args: Values = {}): Values {
  const found = Object.entries(fields).map(([name, field]) => {
    const isAnswered = field.place === "body" && field.wire in record;
    return [name, isAnswered ? decoded(name, field, record) : args[name]] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The results that every answer has, and this one does not. An empty list is a result. */
export function missingResults(fields: Fields, results: Values): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required && (results[name] ?? "") === "");
}
