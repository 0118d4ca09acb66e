import type { Availability } from "./availability";
import { ProviderError } from "./errors";
import { type Field, type Fields, row, type ValueOf } from "./field";
import { string } from "./rows";
import type { Rule } from "./rules";
import { RESERVED_NAMES } from "./state-names";

/** Values by public name: inputs, or inputs with what the server computed. */
export type Values = Readonly<Record<string, unknown>>;

/** A record in the API's words: its members by their names on the wire, as a request sends them or an answer has them. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** A request that writes. Paths are templates over the resource's values. */
export interface Write {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  /** `everything` resets what the program does not set; `changes` is for APIs that keep what is omitted. */
  readonly sends: "everything" | "changes" | "nothing";
  /** How the members are laid out in the body, where they are not the body. */
  readonly layout?: (body: WireRecord, values: Values) => unknown;
  /** The members in the light of what the server has, where the API keeps what they leave out. */
  readonly against?: (body: WireRecord, live: Values) => WireRecord;
  /** The answer is the stored record, so nothing has to be read back. */
  readonly answersRecord?: boolean;
  /**
   * Properties that must not be sent, such as credentials that the server has rotated since: decided by what is live.
   * Nothing is recorded (`olds`) of a record that is taken over. A server that replaces the whole record, because it is
   * older than `since`, cannot be written to then.
   */
  readonly keeps?: {
    readonly since: Availability;
    properties(live: Values, olds: Values | undefined, news: Values): readonly string[];
  };
  /** The server may store the record and then fail: what it left behind is recorded, to be completed or deleted. */
  readonly leavesRecord?: boolean;
  /** The server issues something new on every call: never repeated by itself, and never sent without a change. */
  readonly mints?: boolean;
}

/** A request that reads. */
export interface Read {
  readonly path: string;
  /** Finds the record in a collection, which is then fetched once for all resources in it. */
  readonly pick?: (collection: unknown, values: Values) => WireRecord | undefined;
  /** The record that holds the collection, and the property that is its `id`: without it no record of it is declared gone. */
  readonly within?: { readonly path: string; readonly id: string };
  /** Parts of the address that the record repeats, by their names on the wire: they must be those that were asked for. */
  readonly echoes?: Readonly<Record<string, string>>;
}

/** How a record goes away: a request, or not at all because the API cannot delete it. */
export type Remove =
  | {
      readonly method: "DELETE" | "POST";
      readonly path: string;
      /** The server deletes later than it answers, by up to a minute. */
      readonly awaitGone?: boolean;
      /** A record that is being deleted is stuck, and has to be deleted once more. */
      isStuck?(record: WireRecord): boolean;
    }
  | "forget";

/** What makes a property secret: always, while it has one of these members, or while a boolean property is true. */
export type SecretRule = "always" | { readonly members: readonly string[] } | { readonly flag: string };

/** A pair of records of which the second needs what the first one issues. */
export interface Parts {
  readonly issuer: Definition;
  readonly taker: Definition;
  /** What the issuer hands over, an output there and an input here. It is never recorded. */
  readonly handsOver: string;
  /** Property of the pair to property of the part. */
  readonly issuerFields: Readonly<Record<string, string>>;
  readonly takerFields: Readonly<Record<string, string>>;
}

/** A record that is written, and not yet what it should be. */
export interface Pending {
  /** What it is, in the server's word. */
  readonly state: string;
  /** What it should become. */
  readonly wanted: string;
  /** What a user can do when it stays so, if anything. */
  readonly todo?: string;
}

/** A resource as data. The lifecycle in `engine/` and the hosts know nothing else about it. */
export interface Definition {
  /** Module and class: `jwt:Role`. */
  readonly token: string;
  /** The API family that the requests speak. */
  readonly dialect: "vault" | "consul" | "tfe";
  readonly fields: Fields;
  /** What only the server knows. */
  readonly outputs: Fields;
  /** Template of the id; released ids never change. */
  readonly id: string;
  /** The property shown in messages beside the class. */
  readonly label: string;
  /** Changing one of these means another record. */
  readonly identity: readonly string[];
  /** What the API cannot change in place. */
  readonly replaceOn: readonly string[];
  /** What it cannot change in place under a condition: the properties that force a replacement. */
  replaceWhen?(olds: Values, news: Values): readonly string[];
  readonly secrets: Readonly<Record<string, SecretRule | undefined>>;
  /** Outputs that are secret. */
  readonly secretOutputs: readonly string[];
  /** Outputs that no update changes, beside those in the id: a preview of one knows them. */
  readonly stable?: readonly string[];
  /** Properties that are not secret, and of which a fingerprint tells all the same whether the program changed them. */
  readonly remembered?: readonly string[];
  /** What the server never answers. */
  readonly writeOnly: readonly string[];
  /** Of what the server never answers, the property that moves with it when somebody else changes it. */
  witnesses?(values: Values): Readonly<Record<string, string | undefined>>;
  readonly rules: readonly Rule[];
  readonly create: Write;
  readonly update: Write;
  readonly read: Read;
  readonly delete: Remove | ((values: Values) => Remove);
  /** Inputs in an older form, rewritten to today's before anything else looks at them. */
  rewrite?(inputs: Values): Values;
  /** Checked inputs in the light of the last run's, such as a key that the server has rotated meanwhile. */
  settle?(inputs: Values, olds: Values): Values;
  /** Properties whose recorded state asks for a repair although the program did not change. */
  broken?(state: Values): readonly string[];
  /** What the server is still doing with a record that was written, for a write to wait for; undefined when it is done. */
  pending?(record: WireRecord, values: Values): Pending | undefined;
  /** What must be empty before a delete, as it would take other records along, unless a property says so. */
  readonly inhabited?: {
    /** The collections that these values' record holds; undefined where that is not known. */
    by(values: Values): readonly string[] | undefined;
    /** All that `by` can answer, as a policy names it. */
    readonly within: string;
    readonly unless: string;
  };
  /** The two records, on two servers, that make up this one; each has a lifecycle of its own. */
  readonly parts?: Parts;
  /**
   * Where a record is at its end: `leaving` is being deleted and reads as gone, `ended` is of no use any more. A new one
   * of its name can only be made after it. Undefined while it is alive.
   */
  stage?(record: WireRecord): "ended" | "leaving" | undefined;
  /** The server has already what a write would make, so that what works only once is not spent again. */
  isDone?(record: WireRecord, values: Values): boolean;
  /** Another request changes the record than makes it: one that exists is taken over when these properties agree. */
  readonly adopt?: { readonly by: readonly string[] };
}

/** A definition whose rows the compiler knows by name. */
export interface Resource<F extends Fields = Fields, O extends Fields = Fields> extends Definition {
  readonly fields: F;
  readonly outputs: O;
}

const connection = {
  /** Name of the connection that serves the resource. @default the service's own connection */
  connection: row<string>({ ...string(""), place: "local" }),
};

/** Every resource also takes `connection`, and another connection is another server. */
export type Common = typeof connection;

/** What a table says: key lists are checked against its rows, and what it does not mention is empty. */
type Table<F extends Fields, O extends Fields> = Omit<Definition, "fields" | "outputs" | KeyLists> & {
  readonly fields: F;
  readonly outputs?: O;
  readonly label: keyof F & string;
  readonly identity: readonly (keyof F & string)[];
  readonly replaceOn?: readonly (keyof F & string)[];
  replaceWhen?(olds: Values, news: Values): readonly ((keyof F | keyof O) & string)[];
  broken?(state: Values): readonly ((keyof F | keyof O) & string)[];
  readonly secrets?: { readonly [K in keyof F & string]?: SecretRule };
  readonly secretOutputs?: readonly (keyof O & string)[];
  readonly stable?: readonly (keyof O & string)[];
  readonly remembered?: readonly (keyof F & string)[];
  readonly writeOnly?: readonly (keyof F & string)[];
  witnesses?(values: Values): { readonly [K in (keyof F | keyof O) & string]?: (keyof F | keyof O) & string };
  readonly rules?: readonly Rule<keyof F & string>[];
};

type KeyLists =
  | "label"
  | "identity"
  | "replaceOn"
  | "replaceWhen"
  | "broken"
  | "secrets"
  | "secretOutputs"
  | "stable"
  | "remembered"
  | "writeOnly"
  | "witnesses"
  | "rules";

/** A resource's table, complete. */
export function defineResource<F extends Fields, O extends Fields = Record<never, Field>>(
  table: Table<F, O>,
): Resource<F & Common, O> {
  const resource = complete(table);
  return {
    ...resource,
    fields: { ...table.fields, ...connection },
    identity: [...resource.identity, "connection"],
  };
}

/** A pair's table. Its requests are the issuer's; it names its connections itself. */
export function definePair<F extends Fields, O extends Fields>(
  table: Omit<Table<F, O>, "create" | "update" | "read" | "delete" | "parts"> & { readonly parts: Parts },
): Resource<F, O> {
  const { create, update, read, delete: remove } = table.parts.issuer;
  return complete<F, O>({ ...table, create, update, read, delete: remove });
}

function complete<F extends Fields, O extends Fields>(table: Table<F, O>): Resource<F, O> {
  const reserved = Object.keys({ ...table.fields, ...table.outputs }).find((name) => RESERVED_NAMES.includes(name));
  if (reserved !== undefined)
    throw new ProviderError(
      "BugError",
      `${table.token} has a property ${reserved}, which is a name of the state's own`,
    );
  return {
    replaceOn: [],
    secretOutputs: [],
    writeOnly: [],
    rules: [],
    ...table,
    secrets: { ...table.secrets },
    // `Record<never, Field>` is the type of an empty table; TypeScript cannot see that a default of O is one.
    outputs: (table.outputs ?? {}) as O,
  };
}

/** Create and update as one POST to the record's own path; read and delete there too. */
export function upsert(path: string): Pick<Definition, "create" | "update" | "read" | "delete"> {
  const write: Write = { method: "POST", path, sends: "everything" };
  return { create: write, update: write, read: { path }, delete: { method: "DELETE", path } };
}

type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly required: true } ? K : never }[keyof F];

/** The values of rows: what is required is there. */
export type RowValues<F extends Fields> = {
  [K in keyof Pick<F, RequiredKeys<F>>]: ValueOf<F[K]>;
} & {
  [K in keyof Omit<F, RequiredKeys<F>>]?: ValueOf<F[K]>;
};

/** What a program writes. */
export type Args<D extends { readonly fields: Fields }> = RowValues<D["fields"]>;

/** What the server adds. */
export type Outputs<D extends Resource> = { [K in keyof D["outputs"]]?: ValueOf<D["outputs"][K]> };
