import type { Definition, Values } from "../../../provider/core/definition";
import { isUnset, same } from "../../../provider/core/field";
import { takeOverRow } from "../../../provider/core/tenant";
import { type FoundRecord, keyOf } from "../../sources/servers/found-record";
import type { HiddenValue } from "../../sources/servers/hidden-values";
import { classOf, isMount, moduleOf, propertyOfPlace } from "../../stack/kinds";
import { isPolicy } from "../../stack/known-policies";
import { visibleLine } from "../../text/visible-text";
import { camelCase, capital, identifier, shortHash, slug, uniqueNames, withoutDoubling } from "./names";
import { POLICIES, type PolicyVariables, policyReferences, policyVariables } from "./policy-references";
import { sorted } from "./sorted-sets";

/** A program without a language: files of resources. */
export interface Program {
  readonly files: readonly ProgramFile[];
  /** What must be set before the resources that need it are managed. */
  readonly secrets: readonly SecretValue[];
  /** In the names of all its files, which then meet no others: a hash of its records. For a program that another one takes in. */
  readonly mark?: string;
}

export interface ProgramFile {
  /** Without an ending: `auth-jobs`. */
  readonly name: string;
  /** Values that several resources have in common, by name: the policy set that is not in the program. */
  readonly constants: Values;
  readonly resources: readonly ProgramResource[];
}

export interface ProgramResource {
  readonly definition: Definition;
  /** Name in the program. */
  readonly name: string;
  /** What stands before the record's own name in it; undefined where the name is made otherwise. */
  readonly prefix?: string;
  readonly id: string;
  /** Set when another resource refers to it. */
  readonly variable?: string;
  /** Whether resources of other files refer to it. */
  readonly isShared?: true;
  readonly args: readonly Argument[];
  /** What a comment says about it. */
  readonly note?: string;
}

export interface Argument {
  readonly property: string;
  readonly value: Value;
}

/** A value as it is, one of the file's constants, a property of a resource, a list with such, or a secret of the configuration. */
export type Value =
  | { readonly literal: unknown }
  | { readonly constant: string }
  | Reference
  | { readonly items: readonly Value[] }
  | { readonly secret: SecretValue };

/** A property of the resource with this variable. */
export interface Reference {
  readonly of: string;
  readonly property: string;
  /** The file that has the resource, where it is another one. */
  readonly file?: string;
}

/** A value of the configuration that no server shows. */
export interface SecretValue {
  readonly key: string;
  readonly property: string;
  readonly resource: string;
  readonly shown?: Values;
}

interface ProgramNames {
  /** What the resources of the program are called that takes this one in, as `resourceKey` says it. */
  readonly taken?: ReadonlySet<string>;
  /** Names of an old program, by key of the record. */
  readonly given?: ReadonlyMap<string, string>;
}

/** The program that says what these records are. */
export function programOf(found: readonly FoundRecord[], { taken, given = new Map() }: ProgramNames = {}): Program {
  const records = found.map(sorted);
  const mark = taken && shortHash(records.map(keyOf).sort().join("\n"));
  const byToken = Map.groupBy(records, ({ definition }) => definition.token);
  const nameFor = (record: FoundRecord) => given.get(keyOf(record)) ?? nameOf(record);
  const isTaken = (record: FoundRecord) => taken?.has(resourceKey(record.definition, nameFor(record))) ?? false;
  const names = new Map(
    [...byToken.values()].flatMap((group) => [...uniqueNames<FoundRecord>(group, { nameOf: nameFor, keyOf, isTaken })]),
  );
  const givers = new Set(records.flatMap(({ place: { giver } }) => (giver ? [keyOf(giver)] : [])));
  const collections = [...Map.groupBy(records, (record) => collectionOf(record, givers)).entries()];
  const files = uniqueNames(collections, {
    nameOf: ([collection]) => marked(slug(collection), mark),
    keyOf: ([collection]) => collection,
    isSame: (name) => name.toLowerCase(),
  });
  const context: Context = {
    names,
    emitted: new Set(records.map(keyOf)),
    givers,
    keys: configurationKeys(records, names, mark !== undefined),
    policies: { variables: policyVariables(records, names), file: marked(POLICIES, mark) },
  };
  const made = [...files].map(([[, members], name]) => ({ name, ...contentOf(members, context) }));
  const isShared = (file: ProgramFile) => sharedIn(file).length > 0;
  // What others refer to is declared first.
  const inOrder = made.sort((a, b) => Number(isShared(b)) - Number(isShared(a)) || (a.name < b.name ? -1 : 1));
  return {
    files: inOrder,
    secrets: inOrder.flatMap(({ resources }) => resources.flatMap(secretsOf)),
    ...(mark && { mark }),
  };
}

/** The name of a file of a program with this mark. */
export function marked(name: string, mark: string | undefined): string {
  return mark === undefined ? name : `${name}-${mark}`;
}

/** Tells the resources of a program apart, also in a language whose names are in camel case. */
export function resourceKey({ token }: Pick<Definition, "token">, name: string): string {
  return `${token} ${camelCase(name)}`;
}

/** What is known of all records. */
interface Context {
  readonly names: ReadonlyMap<FoundRecord, string>;
  /** Records that are in the program, and those that are the place of others, by key. */
  readonly emitted: ReadonlySet<string>;
  readonly givers: ReadonlySet<string>;
  /** Key of the configuration by record and property. */
  readonly keys: ReadonlyMap<string, string>;
  readonly policies: PolicyVariables;
}

/** A program that takes this one in may have a key that its stack does not show: then each of them gets a hash. */
function configurationKeys(
  records: readonly FoundRecord[],
  names: Context["names"],
  isTakenIn: boolean,
): Context["keys"] {
  const values = records.flatMap((record) => record.hidden.map(({ property }) => ({ record, property })));
  const placeOf = ({ record, property }: (typeof values)[number]) => placeOfValue(record, property);
  const nameOf = ({ record, property }: (typeof values)[number]) =>
    camelCase(withoutDoubling(names.get(record) ?? "", property));
  const keys = uniqueNames(values, { nameOf, keyOf: placeOf, isTaken: () => isTakenIn });
  return new Map([...keys].map(([value, key]) => [placeOf(value), key]));
}

function placeOfValue(record: FoundRecord, property: string): string {
  return `${keyOf(record)} ${property}`;
}

/** The values of the configuration that a resource waits for. */
export function secretsOf({ args }: ProgramResource): SecretValue[] {
  return args.flatMap(({ value }) => ("secret" in value ? [value.secret] : []));
}

/** The text of a resource below its note. */
export function withNote({ note }: ProgramResource, mark: string, text: string): string {
  return note === undefined ? text : `${mark}${note}\n${text}`;
}

/** The resources of the file to which other files refer. */
export function sharedIn({ resources }: ProgramFile): readonly ProgramResource[] {
  return resources.filter(({ isShared }) => isShared);
}

/** The other files to which this one refers. */
export function filesUsedBy({ resources }: ProgramFile): readonly string[] {
  const filesIn = (value: Value): string[] => {
    if ("items" in value) return value.items.flatMap(filesIn);
    return "of" in value && value.file !== undefined ? [value.file] : [];
  };
  return [...new Set(resources.flatMap(({ args }) => args.flatMap(({ value }) => filesIn(value))))];
}

/** What records of one file have in common: the mount, the policy set, or the module. */
function collectionOf(record: FoundRecord, givers: Context["givers"]): string {
  const { definition, id, place } = record;
  if (isPolicy(definition)) return POLICIES;
  const module = moduleOf(definition);
  if (isMount(definition) || givers.has(keyOf(record))) return homeIn(module, id);
  if (place.giver) return homeIn(moduleOf(place.giver.definition), place.giver.id);
  return [module, ...Object.values(place.values)].join("/");
}

/** `auth/jobs` of the mount `sys/auth/jobs`. */
function homeIn(module: string, id: string): string {
  if (module !== "sys") return `${module}/${id}`;
  return id.replace(/^sys\/auth\//, "auth/").replace(/^sys\/mounts\//, "secrets/");
}

/** `jobs-ci` of role `ci` in mount `jobs`; the record's own name where it is in no mount. */
function nameOf(record: FoundRecord): string {
  const { definition, values, id } = record;
  const own = slug(String(values[definition.label] ?? id));
  const prefix = prefixOf(record);
  return prefix === "" ? own : `${prefix}${own}`;
}

function prefixOf({ definition, place }: FoundRecord): string {
  const { mount } = place.values;
  return mount === undefined || definition.label === "mount" ? "" : `${slug(String(mount))}-`;
}

function contentOf(records: readonly FoundRecord[], context: Context): Pick<ProgramFile, "constants" | "resources"> {
  const { names, givers, emitted, keys, policies } = context;
  const outside = records.filter(({ place }) => !place.giver || !emitted.has(keyOf(place.giver)));
  // Records of one file that are in no resource of it are all at the same place.
  const constants = outside.length > 1 ? (outside[0]?.place.values ?? {}) : {};
  const isGiver = (record: FoundRecord) => givers.has(keyOf(record));
  const variables = new Map(
    records.filter(isGiver).map((record) => {
      const suffix = capital(record.definition.token.split(":")[1] ?? "");
      return [keyOf(record), identifier(names.get(record) ?? "", suffix)] as const;
    }),
  );
  const giversFirst = [...records].sort((a, b) => Number(isGiver(b)) - Number(isGiver(a)));
  const resources = giversFirst.map((record): ProgramResource => {
    const { definition, id, values, place } = record;
    const name = names.get(record) ?? "";
    const shared = isPolicy(definition) ? policies.variables.get(String(values["name"])) : undefined;
    const variable = shared ?? variables.get(keyOf(record));
    const giver = place.giver && emitted.has(keyOf(place.giver)) ? place.giver : undefined;
    const of = giver && variables.get(keyOf(giver));
    const reference = (property: string): Value | undefined => {
      if (!(property in place.values)) return policyReferences(record, property, policies);
      if (giver && of !== undefined) return { of, property: propertyOfPlace(giver.definition, property) };
      return property in constants ? { constant: property } : undefined;
    };
    const own = String(values[definition.label]);
    const isPlain = own !== "" && name.endsWith(own);
    return {
      definition,
      name,
      id,
      ...(isPlain ? { prefix: name.slice(0, name.length - own.length) } : {}),
      ...(variable === undefined ? {} : { variable }),
      ...(shared === undefined ? {} : { isShared: true as const }),
      args: argumentsOf(record, { name, reference, keys }),
      ...(record.odd === undefined ? {} : { note: `${ODD}: ${visibleLine(record.odd)}` }),
    };
  });
  return { constants, resources };
}

const ODD = "The server has what a program could not add";

interface Naming {
  readonly name: string;
  reference(property: string): Value | undefined;
  readonly keys: Context["keys"];
}

function argumentsOf(record: FoundRecord, { name, reference, keys }: Naming): Argument[] {
  const { definition, values, hidden } = record;
  const secretOf = ({ property, shown }: HiddenValue): SecretValue => ({
    key: keys.get(placeOfValue(record, property)) ?? "",
    property,
    resource: `${classOf(definition)} ${name}`,
    ...(shown ? { shown } : {}),
  });
  return Object.entries(definition.fields).flatMap(([property, field]): Argument[] => {
    const missing = hidden.find((each) => each.property === property);
    if (missing) return [{ property, value: { secret: secretOf(missing) } }];
    // Nobody can see whether such a record is as the program says, and it is not imported.
    if (property in takeOverRow) return hidden.length > 0 ? [{ property, value: { literal: "always" } }] : [];
    const value = values[property];
    const referred = reference(property);
    if (referred) return [{ property, value: referred }];
    const isDefault = value === undefined || (!field.required && isUnset(field, value));
    return isDefault ? [] : [{ property, value: { literal: asWritten(definition, property, value) } }];
  });
}

/** A JSON document as an object, where the property takes one and nothing of the text is lost. */
function asWritten({ fields }: Definition, property: string, value: unknown): unknown {
  const field = fields[property];
  if (!field || typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    const isWhole = JSON.stringify(parsed) === value && field.schema.safeParse(parsed).success;
    return isWhole && same(field, value, parsed) ? parsed : value;
  } catch {
    return value;
  }
}
