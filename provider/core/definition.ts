import type { Attached } from "./attached";
import type { Availability } from "./availability";
import { ProviderError } from "./errors";
import type { Field, Fields, RowValues, ValueOf } from "./field";
import type { Inhabited } from "./inhabited";
import type { Mounted } from "./mounted";
import type { Move } from "./move";
import type { Rule } from "./rules";
import type { Stage } from "./stage";
import { RESERVED_NAMES } from "./state-names";
import { type Common, type CommonName, commonRows, type Family, placeProperties, takeOverRow } from "./tenant";
import type { Trace } from "./trace";

/** Values by public name: inputs, or inputs with what the server computed. */
export type Values = Readonly<Record<string, unknown>>;

/** A record in the API's words: its members by their names on the wire, in a request or in an answer. */
export type WireRecord = Readonly<Record<string, unknown>>;

/** A request that writes. Paths are templates over the resource's values. */
export interface Write {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  /**
   * `everything` resets what the program does not set; `changes` is for APIs that keep what is omitted; `nothing` is for
   * an action, whose answer is its result.
   */
  readonly sends: "everything" | "changes" | "nothing";
  /**
   * The body, where it is not the members as they are; `record` is as the server answers it, also what has no row. Example: a
   * mount is enabled with `{ type, config: { … } }` and tuned with what was in `config`.
   */
  readonly layout?: (members: WireRecord, live: Values, record?: WireRecord) => WireRecord;
  /**
   * The server may store the record and then fail: what it left behind is recorded, to be completed or deleted.
   * Example: a static role is stored before its first key is made.
   */
  readonly leavesRecord?: boolean;
  /**
   * The server issues something new on every call: never repeated by itself, and never sent without a change.
   * Example: every `POST v1/peering/token` answers another token.
   */
  readonly mints?: boolean;
  /** Two such writes at once can hang the server: Vault enables a mount and tunes another, and each holds the lock of the other. */
  readonly inTurn?: boolean;
}

/** A request that reads. */
export interface Read {
  readonly path: string;
  /**
   * Finds the record in a collection, which is then fetched once for all resources in it.
   * Example: `pick: (list, { key }) => list.find((entry) => entry.key === key)`.
   */
  readonly pick?: (collection: unknown, values: Values) => WireRecord | undefined;
}

/** How a record goes away: by a request or, where the API has none, it is forgotten, or blanked where `onDelete` says so. */
export type Remove =
  | {
      readonly method: "DELETE";
      readonly path: string;
      /** The record that the API does not delete, by a property: it is forgotten. Example: the policy `default`. */
      readonly except?: Values;
      /** What the server changes beside it, for a warning. Example: the groups that have this one as a member. */
      readonly beside?: (record: WireRecord) => string | undefined;
    }
  | "forget"
  | "forget or blank";

/** What makes a property secret: always, while it has one of these members, or while a boolean property is true. */
export type SecretRule = "always" | { readonly members: readonly string[] } | { readonly flag: string };

/** A pair of records of which the second needs what the first one issues. */
export interface Parts {
  readonly issuer: Definition;
  readonly taker: Definition;
  /** What the issuer hands over, an output there and an input here. It is never recorded. */
  readonly handsOver: string;
  /** The output of both that is true once the other side has ended the connection. */
  readonly ended: string;
  /** Property of the pair to property of the part. */
  readonly issuerFields: Readonly<Record<string, string>>;
  readonly takerFields: Readonly<Record<string, string>>;
}

/** Many records of one kind as one resource: those of one mount, or of one policy set. */
export interface Members {
  /** The table of a single record. What this resource and a single one have in common, such as the mount, is the same for all. */
  readonly of: Definition;
  /** The property that holds the records by name. */
  readonly property: string;
  /** The single resource's property that is the name here. */
  readonly name: string;
  /** Outputs of a single record, and the output that has them here, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Credentials that the server can rotate: from then on those that the program gives are dead. */
export interface Rotation<Key extends string = string> {
  /** The half that the server shows, such as the ID of an access key. */
  readonly keyId: Key;
  /** The half that the server never shows. */
  readonly secret: Key;
  /** The boolean property by which the program says whether it expects rotations. */
  readonly expected: Key;
  /** Properties that have the server rotate them by itself. */
  readonly schedules: readonly Key[];
  /** Servers before this one replace the whole record, so that credentials cannot be left out of a write. */
  readonly since: Availability;
}

/** How a record that is there already becomes the program's. */
export interface Adopt {
  /** Where another request changes a record than makes it: it is taken over when these properties agree. */
  readonly by?: readonly string[];
  /** The server has already what a write would make, so that what works only once is not spent again. */
  isDone?(record: WireRecord, values: Values): boolean;
  /** The resource that has the same record, by its token and id: what it has, or has written, is this one's too. */
  readonly beside?: { readonly token: string; readonly id: string };
  /** Why what is there is another kind of thing, which no property shows. Example: a peering in the other direction. */
  refuses?(record: WireRecord): string | undefined;
}

/**
 * What some resources need beside their rows and lists. All hooks are these thirteen, `layout`, `leavesRecord`, `mints` and
 * `inTurn` of a write, and `pick` of a read. Most resources have none.
 */
export interface Hooks {
  /**
   * Inputs in an older form, rewritten to today's before anything else looks at them.
   * Example: `rewrite: ({ arn, ...rest }) => ({ ...rest, policyArns: [arn] })`.
   */
  rewrite?(inputs: Values): Values;
  /** Properties that force a replacement, under a condition. Example: `(olds, news) => (news.sensitive ? [] : ["sensitive"])`. */
  replaceWhen?(olds: Values, news: Values): readonly string[];
  /**
   * Properties whose recorded state asks for a repair although the program did not change.
   * Example: `broken: ({ terminated }) => (terminated ? ["terminated"] : [])`.
   */
  broken?(state: Values): readonly string[];
  /**
   * Where the record is in its life; undefined while it is simply there. The server deletes such records later than it
   * answers. Example: `stage: ({ DeletedAt }) => (DeletedAt ? { is: "leaving", isStuck: false } : undefined)`.
   */
  stage?(record: WireRecord, values: Values): Stage | undefined;
  /** How a record that is there already becomes the program's. Example: `adopt: { by: ["path", "type"] }` of a mount. */
  readonly adopt?: Adopt;
  /** What must be empty before a delete. Example: `inhabited: { by: () => ["auth/{path}/role"], …, unless: "force" }`. */
  readonly inhabited?: Inhabited;
  /** What has to be mounted where the record is. Example: `mounted: { property: "mount", within: "", types: ["aws"] }`. */
  readonly mounted?: Mounted;
  /** A place that is not identity, as the server can move the record. Example: the `path` of a mount. */
  readonly moves?: Move;
  /** How to find what another hand has renamed or moved. Example: the id of a group. */
  readonly trace?: Trace;
  /** Credentials that the server can rotate. Example: `rotation: { keyId: "accessKey", secret: "secretKey", … }`. */
  readonly rotation?: Rotation;
  /** A part of the record that has requests of its own. Example: the alias of a group. */
  readonly attached?: Attached;
  /** The two records, on two servers, that make up this one. Example: `cluster.PeeredClusters`, by `definePair`. */
  readonly parts?: Parts;
  /** The many records that make up this one. Example: `jwt.RoleSet`, by `defineSet`. */
  readonly members?: Members;
}

/** A resource as data. The lifecycle in `engine/` and the hosts know nothing else about it. */
export interface Definition extends Hooks {
  /** Module and class: `jwt:Role`. */
  readonly token: string;
  /** The API family that the requests speak. */
  readonly dialect: Family;
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
  readonly secrets: Readonly<Record<string, SecretRule | undefined>>;
  /** Outputs that are secret. */
  readonly secretOutputs: readonly string[];
  /** Outputs that no update changes, beside those in the id: a preview of one knows them. The first is the server's id of the record. */
  readonly stable: readonly string[];
  /** What the server never answers. */
  readonly writeOnly: readonly string[];
  /** Of what the server never answers, a property whose change shows that the value has changed. It can stay the same all the same. */
  readonly witnesses: Readonly<Record<string, string | undefined>>;
  readonly rules: readonly Rule[];
  /** Where a policy tells making the record (`create`) from changing it (`update`); elsewhere a POST is always an update. */
  readonly createsApart?: Availability;
  readonly create: Write;
  readonly update: Write;
  readonly read: Read;
  readonly delete: Remove;
}

/** A definition whose rows the compiler knows by name. */
export interface Resource<F extends Fields = Fields, O extends Fields = Fields> extends Definition {
  readonly fields: F;
  readonly outputs: O;
}

/** What the records of a set have in common with a single one without saying so. */
type CommonOf<F extends Fields> = Pick<F, Extract<keyof F, CommonName>>;

/** What a table says: key lists are checked against its rows, and what it does not mention is empty. */
type Table<F extends Fields, O extends Fields> = Omit<Definition, "fields" | "outputs" | keyof KeyLists<F, O>> &
  KeyLists<F, O> & { readonly fields: F; readonly outputs?: O };

interface KeyLists<F extends Fields, O extends Fields> {
  readonly label: (keyof F | CommonName) & string;
  readonly identity: readonly (keyof F & string)[];
  readonly replaceOn?: readonly (keyof F & string)[];
  replaceWhen?(olds: Values, news: Values): readonly ((keyof F | keyof O) & string)[];
  broken?(state: Values): readonly ((keyof F | keyof O) & string)[];
  readonly secrets?: { readonly [K in keyof F & string]?: SecretRule };
  readonly secretOutputs?: readonly (keyof O & string)[];
  readonly stable?: readonly (keyof O & string)[];
  readonly writeOnly?: readonly (keyof F & string)[];
  readonly witnesses?: { readonly [K in (keyof F | keyof O) & string]?: (keyof F | keyof O) & string };
  readonly moves?: Move<keyof F & string>;
  readonly rotation?: Rotation<keyof F & string>;
  readonly attached?: Attached<keyof F & string>;
  readonly rules?: readonly Rule<keyof F & string>[];
}

/** A resource's table, complete. */
export function defineResource<F extends Fields, D extends Family, O extends Fields = Record<never, Field>>(
  table: Table<F, O> & { readonly dialect: D },
): Resource<F & Common<D>, O> {
  return connected(complete(table), table.dialect);
}

/** A set's table: its requests are those of a single record. */
export function defineSet<F extends Fields, Of extends Resource, O extends Fields = Record<never, Field>>(
  table: Omit<Table<F, O>, "dialect" | "create" | "update" | "read" | "delete" | "identity" | "members"> & {
    readonly members: Members & { readonly of: Of };
  },
): Resource<F & CommonOf<Of["fields"]>, O> {
  const { dialect, create, update, read, delete: remove } = table.members.of;
  const set = complete<F, O>({ ...table, dialect, identity: [table.label], create, update, read, delete: remove });
  // The rows are those of the single resource's API, which the compiler knows only of a family by name.
  return connected(set, dialect) as unknown as Resource<F & CommonOf<Of["fields"]>, O>;
}

function connected<F extends Fields, D extends Family, O extends Fields>(
  resource: Resource<F, O>,
  dialect: D,
): Resource<F & Common<D>, O> {
  return {
    ...resource,
    fields: { ...resource.fields, ...commonRows(dialect) },
    identity: [...new Set([...resource.identity, ...placeProperties(dialect)])],
  };
}

/** A pair's table. Its requests are the issuer's; it names its connections itself. */
export function definePair<F extends Fields, O extends Fields>(
  table: Omit<Table<F, O>, "create" | "update" | "read" | "delete" | "parts"> & { readonly parts: Parts },
): Resource<F & typeof takeOverRow, O> {
  const { create, update, read, delete: remove } = table.parts.issuer;
  const pair = complete<F, O>({ ...table, create, update, read, delete: remove });
  return { ...pair, fields: { ...pair.fields, ...takeOverRow } };
}

function complete<F extends Fields, O extends Fields>(table: Table<F, O>): Resource<F, O> {
  const { token, fields, outputs } = table;
  const reserved = Object.keys({ ...fields, ...outputs }).find((name) => RESERVED_NAMES.includes(name));
  if (reserved !== undefined)
    throw new ProviderError("BugError", `${token} has a property ${reserved}, which is a name of the state's own`);
  return {
    replaceOn: [],
    secretOutputs: [],
    stable: [],
    writeOnly: [],
    rules: [],
    ...table,
    secrets: { ...table.secrets },
    witnesses: { ...table.witnesses },
    // `Record<never, Field>` is the type of an empty table; TypeScript cannot see that a default of O is one.
    outputs: (outputs ?? {}) as O,
  };
}

/** Create and update as one POST to the record's own path; read and delete there too. */
export function upsert(path: string): Pick<Definition, "create" | "update" | "read" | "delete"> {
  const write: Write = { method: "POST", path, sends: "everything" };
  return { create: write, update: write, read: { path }, delete: { method: "DELETE", path } };
}

/** What a program writes. */
export type Args<D extends { readonly fields: Fields }> = RowValues<D["fields"]>;

/** What the server adds. */
export type Outputs<D extends Resource> = { [K in keyof D["outputs"]]?: ValueOf<D["outputs"][K]> };
