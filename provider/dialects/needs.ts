import type { Availability } from "../core/availability";
import type { Service } from "../core/connection-entry";
import type { Definition, Values, Write } from "../core/definition";
import type { Fields } from "../core/field";
import { type Removal, removalOf } from "../core/removal";
import { fill } from "../core/template";
import type { Dialect } from "./dialect";
import { dialects } from "./index";

export type Verb = "read" | "create" | "update" | "delete";

/** One request that an operation on a resource makes, and what the token must be allowed for it. */
export interface Need {
  readonly service: Service;
  /** The connection by name; undefined for the service's own. */
  readonly connection: string | undefined;
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
}

/**
 * What the token of a resource must be allowed for its whole life, by the requests of its table: for these values, or for
 * any when none are given. What anybody may ask, such as which server it is, is left out.
 */
export function needsOf(definition: Definition, values?: Values): readonly Need[] {
  const { parts } = definition;
  if (!parts) return ownNeeds(definition, values);
  return [
    ...needsOf(parts.issuer, values && partOf(parts.issuerFields, values)),
    ...needsOf(parts.taker, values && partOf(parts.takerFields, values)),
  ];
}

function ownNeeds(definition: Definition, values: Values | undefined): readonly Need[] {
  const dialect: Dialect = dialects[definition.dialect];
  const { create, update, read, createsApart } = definition;
  const name = values?.["connection"];
  const connection = typeof name === "string" && name !== "" ? name : undefined;
  const need = (verb: Verb, method: Need["method"], template: string, more: Pick<Need, "why" | "on"> = {}): Need => {
    const path = values ? fill(template, values) : template;
    const isNew = verb === "create" && createsApart !== undefined;
    const capabilities = dialect.capabilities({ method, path }, { isNew });
    return { service: dialect.service, connection, for: verb, method, path, capabilities, ...more };
  };
  const home = dialect.home?.(read.path);
  const doubt = dialect.doubtAt?.(read.path);
  return [
    need("create", create.method, create.path, createsApart ? { on: createsApart } : {}),
    need("update", update.method, update.path),
    need("read", "GET", read.path),
    ...removalsOf(definition, values).map(({ method, path }) => need("delete", method, path)),
    ...listsBefore(definition, values).map((path) => need("delete", "GET", path + (dialect.names?.query ?? ""), LISTS)),
    ...(home ? [need("read", "GET", home.path)] : []),
    ...(doubt && doubt.path !== home?.path ? [need("read", "GET", doubt.path, { why: doubt.why })] : []),
  ];
}

const LISTS = { why: "Before a delete: does the mount still contain anything?" };

/** Every way in which the record may go away. */
function removalsOf(definition: Definition, values: Values | undefined): readonly Removal[] {
  const ways = (values ? [values] : choices(definition.fields)).map((each) => removalOf(definition, each));
  return ways.filter((way) => way !== undefined);
}

/** The collections that are listed before a delete. */
function listsBefore({ inhabited }: Definition, values: Values | undefined): readonly string[] {
  if (!inhabited || values?.[inhabited.unless] === true) return [];
  return values ? (inhabited.by(values) ?? []) : [inhabited.within];
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
