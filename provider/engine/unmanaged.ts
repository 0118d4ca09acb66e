import type { Definition, Members, Values, WireRecord } from "../core/definition";
import { isProviderError } from "../core/errors";
import { isLike } from "../core/is-like";
import { type Records, recordsIn } from "../core/members";
import { decoded, stateOf } from "../core/record";
import { MAX_DELETES } from "../core/set-rows";
import { fill, requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { listingOf } from "../dialects/listing";
import { leftOut } from "./look";
import type { Operation } from "./operation";

/** What one list of a mount or policy set shows. */
export interface Listed {
  readonly names: readonly string[];
  /** What the list shows of a record; undefined where it only shows that there is one. */
  show(values: Values): { readonly record: WireRecord | undefined } | undefined;
}

/** All records of the mount or policy set, by one list. */
export async function listRecords(set: Operation, { of, name }: Members, values: Values): Promise<Listed> {
  const path = requestPath(listingOf(of) ?? "", values);
  const { connection, signal, definition } = set;
  const { pick } = of.read;
  const reply = pick
    ? await connection.collection(path, fill(definition.id, values), { signal })
    : await connection.ask({ method: "GET", path, signal });
  const list = reply.kind === "found" ? reply.record : [];
  if (reply.kind === "found" && reply.filtered) throw leftOut(`GET ${path}`);
  const field = of.fields[name];
  if (pick && field) {
    const names = (Array.isArray(list) ? list.filter(isRecord) : []).map((each) => String(decoded(name, field, each)));
    return { names, show: (record) => ({ record: pick(list, record) }) };
  }
  const { names }: Dialect = dialects[of.dialect];
  const found = new Set((names?.of(list) ?? []).filter((each) => !each.endsWith("/")));
  return { names: [...found], show: (record) => (found.has(String(record[name])) ? undefined : { record: undefined }) };
}

/** Whether nothing else is wrong than that the token may not list, or that the server cannot. */
export function isWithoutList({ definition }: Operation, error: unknown): boolean {
  if (!isProviderError(error)) return false;
  const { names }: Dialect = dialects[definition.dialect];
  // The server's own words, not those of a proxy before it.
  return error.status === 403 || (error.details ?? []).some((detail) => names?.unsupported.test(detail));
}

/** Of these names, those of records that an exclusive set removes: the program neither names nor ignores them. */
export function unmanagedAmong(definition: Definition, listed: readonly string[], values: Values): string[] {
  const { members } = definition;
  const records = members && values[members.property];
  const declared = isRecord(records) ? records : {};
  return listed.filter((name) => !Object.hasOwn(declared, name) && !isIgnored(definition, values, name));
}

/** Records that an exclusive set removes, each with what the list shows of it. */
export function unmanagedRecords(definition: Definition, members: Members, values: Values, listed: Listed): Records {
  const unmanaged = named(definition, members, values, unmanagedAmong(definition, listed.names, values));
  const shown = [...unmanaged].map(([name, record]) => {
    const live = listed.show(record)?.record;
    return [name, live ? stateOf(members.of, live, record) : record] as const;
  });
  return new Map(shown);
}

/** Records of these names, of which nothing else is known. */
export function named(definition: Definition, members: Members, values: Values, names: readonly string[]): Records {
  const records = Object.fromEntries(names.map((name) => [name, {}]));
  return recordsIn(definition, members, { ...values, defaults: undefined, [members.property]: records });
}

/** Why an update would be refused; undefined where it would not. */
export function refusalOf(values: Values, names: readonly string[]): string | undefined {
  const most = typeof values["maxDeletes"] === "number" ? values["maxDeletes"] : MAX_DELETES;
  if (names.length <= most) return undefined;
  const what = `${names.length} ${names.length === 1 ? "record" : "records"} would be removed (${someOf(names)}), and maxDeletes is ${most}`;
  return `${what}. Name them in the program or in \`ignore\`, or raise \`maxDeletes\`.`;
}

/** The first names, for a message. */
export function someOf(names: readonly string[], most = 3): string {
  return names.slice(0, most).join(", ") + (names.length > most ? ", …" : "");
}

/** Whether the program has the set leave the record alone. Names are compared in the one form in which the server has them. */
export function isIgnored({ members }: Definition, { ignore }: Values, name: string): boolean {
  const field = members?.of.fields[members.name];
  const inOneForm = (text: string) => String(field?.canonical(text.trim()) ?? text.trim());
  return Array.isArray(ignore) && ignore.some((pattern) => isLike(inOneForm(String(pattern)), inOneForm(name)));
}
