import type { Availability } from "../core/availability";
import { isEmpty } from "../core/canonical";
import type { Service } from "../core/connection-entry";
import type { Definition, Members, Values, Write } from "../core/definition";
import type { Fields } from "../core/field";
import { DEFAULTS, recordsIn } from "../core/members";
import { type Removal, removalOf } from "../core/removal";
import { fill, placeholders } from "../core/template";
import { tenantIn } from "../core/tenant";
import type { Dialect } from "./dialect";
import { dialects } from "./index";
import { listingOf } from "./listing";

export type Verb = "read" | "create" | "update" | "delete";

/** One request that an operation on a resource makes, and what the token must be allowed for it. */
export interface Need {
  readonly service: Service;
  /** The connection by name; undefined for the service's own. */
  readonly connection: string | undefined;
  /** The tenant that the record names, where it is not the connection's own. The path has it, too. */
  readonly tenant?: string;
  /** The operation. Every operation also reads. */
  readonly for: Verb;
  readonly method: "GET" | Write["method"] | "DELETE";
  /** The API's path with its query, not encoded; a template where no values were given. */
  readonly path: string;
  readonly capabilities: readonly string[];
  /** Why, where it is not plain. */
  readonly why?: string;
  /** Where the server asks for this; everywhere when unset. */
  readonly on?: Availability;
  /** Without it the operation works, too: with more requests, or blind to something. */
  readonly isOptional?: true;
}

/**
 * What the token of a resource must be allowed for its whole life, by the requests of its table: for these values, or for
 * any when none are given. What anybody may ask, such as which server it is, is left out.
 */
export function needsOf(definition: Definition, values?: Values): readonly Need[] {
  const { parts, members } = definition;
  if (members) return setNeeds(definition, members, values);
  if (!parts) return ownNeeds(definition, values);
  return [
    ...needsOf(parts.issuer, values && partOf(parts.issuerFields, values)),
    ...needsOf(parts.taker, values && partOf(parts.takerFields, values)),
  ];
}

/** A set needs what each of its records needs, and the list of all. An exclusive one also removes records of other names. */
function setNeeds(definition: Definition, members: Members, values: Values | undefined): readonly Need[] {
  const isExclusive = values?.["exclusive"] === true;
  const any = isExclusive ? { [DEFAULTS]: undefined, [members.property]: { [ANY_NAME]: {} } } : {};
  const records = values ? [...recordsIn(definition, members, { ...values, ...any }).values()] : [undefined];
  return [...listNeeds(members, values), ...records.flatMap((record) => ownNeeds(members.of, record))];
}

/** In a policy it stands for one segment of a path. */
export const ANY_NAME = "+";

function listNeeds({ of }: Members, values: Values | undefined): readonly Need[] {
  const template = listingOf(of);
  // Where a record is picked from a collection, its read is the list.
  if (template === undefined || of.read.pick) return [];
  const list = needAt(of, values);
  if (values === undefined || values["exclusive"] === true) return [list("read", "GET", template)];
  const why = "Without it every record is looked for, one by one.";
  return [{ ...list("create", "GET", template, { why }), isOptional: true }];
}

function ownNeeds(definition: Definition, values: Values | undefined): readonly Need[] {
  const dialect: Dialect = dialects[definition.dialect];
  const { create, update, read, createsApart } = definition;
  const need = needAt(definition, values);
  const home = dialect.home?.(read.path);
  const doubt = dialect.doubtAt?.(read.path);
  return [
    need("create", create.method, create.path, createsApart ? { on: createsApart } : {}),
    need("update", update.method, update.path),
    ...attachedNeeds(definition, values),
    need("read", "GET", read.path),
    ...tracedNeeds(definition, values),
    ...removalsOf(definition, values).map(({ method, path }) => need("delete", method, path)),
    ...inhabitedNeeds(definition, values),
    ...(home ? [need("read", "GET", home.path)] : []),
    ...(doubt && doubt.path !== home?.path ? [need("read", "GET", doubt.path, { why: doubt.why })] : []),
  ];
}

/** What is attached is written and removed; a record that is not known yet is any. */
function attachedNeeds({ attached, ...definition }: Definition, values: Values | undefined): readonly Need[] {
  if (!attached || (values && isEmpty(values[attached.property]))) return [];
  const { needs, write, remove } = attached;
  const any = Object.fromEntries(placeholders(remove.path).map((name) => [name, ANY_NAME]));
  const need = needAt(definition, values && { ...any, ...values });
  return [
    need("create", "GET", needs.path, { why: needs.why }),
    need("create", "POST", write.path),
    need("update", "DELETE", remove.path),
  ];
}

/** What finds a record that is not where it was. Its id is the server's, so that a policy names any. */
function tracedNeeds({ trace, ...definition }: Definition, values: Values | undefined): readonly Need[] {
  if (!trace || trace.path === definition.read.path) return [];
  const any = Object.fromEntries(placeholders(trace.path).map((name) => [name, ANY_NAME]));
  const why = "Has another hand renamed it?";
  return [
    { ...needAt(definition, values && { ...any, ...values })("read", "GET", trace.path, { why }), isOptional: true },
  ];
}

/** Makes needs of requests on the resource's connection. */
function needAt({ dialect: name, createsApart }: Definition, values: Values | undefined) {
  const dialect: Dialect = dialects[name];
  const named = values?.["connection"];
  const connection = typeof named === "string" && named !== "" ? named : undefined;
  const tenant = values && tenantIn(name, values);
  return (verb: Verb, method: Need["method"], template: string, more: Pick<Need, "why" | "on"> = {}): Need => {
    const own = values ? fill(template, values) : template;
    const path = tenant === undefined || !dialect.tenancy ? own : dialect.tenancy.pathIn(tenant, own);
    const isNew = verb === "create" && method !== "GET" && createsApart !== undefined;
    const capabilities = dialect.capabilities({ method, path: own }, { isNew });
    const within = tenant === undefined ? {} : { tenant };
    return { service: dialect.service, connection, ...within, for: verb, method, path, capabilities, ...more };
  };
}

const LISTS = { why: "Before a delete: does the mount still contain anything?" };

const ON_OPENBAO = { why: "Before a delete, on OpenBao: does the mount contain roles in CEL?" };

/** Every way in which the record may go away. */
function removalsOf(definition: Definition, values: Values | undefined): readonly Removal[] {
  const ways = (values ? [values] : choices(definition.fields)).map((each) => removalOf(definition, each));
  return ways.filter((way) => way !== undefined);
}

/** What is asked before a delete. */
function inhabitedNeeds({ inhabited, ...definition }: Definition, values: Values | undefined): readonly Need[] {
  if (!inhabited || values?.[inhabited.unless] === true) return [];
  const { by, onOpenBao, within, alone, bound } = inhabited;
  const { names }: Dialect = dialects[definition.dialect];
  const need = needAt(definition, values);
  const list = (path: string, more: { why: string } = LISTS) =>
    need("delete", "GET", path + (names?.query ?? ""), more);
  const why = "Before a delete: are groups bound to the mount?";
  return [
    ...(values ? (by(values) ?? []) : [within]).map((path) => list(path)),
    ...(values ? (onOpenBao?.(values) ?? []) : []).map((path) => ({
      ...list(path, ON_OPENBAO),
      isOptional: true as const,
    })),
    ...(!values || alone.by(values) ? [need("delete", "GET", alone.path, LISTS)] : []),
    ...(bound ? [{ ...list(bound.path, { why }), isOptional: true as const }] : []),
  ];
}

/** What decides between requests is a choice of words. */
export function choices(fields: Fields): readonly Values[] {
  const words = Object.entries(fields).flatMap(([name, { schema }]) => {
    const options: unknown = schema && "options" in schema ? schema.options : undefined;
    return Array.isArray(options) ? options.map((word: unknown) => ({ [name]: word })) : [];
  });
  return [{}, ...words];
}

/** The values of one record of a pair. */
export function partOf(names: Readonly<Record<string, string>>, values: Values): Values {
  return Object.fromEntries(Object.entries(names).map(([name, own]) => [own, values[name]]));
}
