import type { Definition, Values } from "../../provider/core/definition.ts";
import { hiddenParts, secretProperties } from "../../provider/core/fingerprint.ts";
import { addressProperties } from "../../provider/core/move.ts";
import type { CommonName } from "../../provider/core/tenant.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { FaultName } from "./contract-fault.ts";
import type { HostName, ResourceName } from "./contract-host.ts";
import type { ServiceName } from "./contract-raw.ts";
import type { ServerKindName } from "./contract-servers.ts";
import type { World } from "./contract-world.ts";

/** What the suite knows about one resource: data, from which every promise is tested through every host. */
export interface ResourceCase<Name extends ResourceName = ResourceName> {
  /** Prepares the servers for one record that nobody else uses. */
  prepare(world: World): Promise<Ground>;
  /** Every property of the table, and what changing it means. `placeTreatments` has those that every resource has. */
  readonly fields: { readonly [F in Exclude<FieldOf<Name>, CommonName>]: Treatment } & {
    readonly [F in Extract<FieldOf<Name>, CommonName>]?: Treatment;
  };
  /** Two ways to write the same: no difference either way. */
  readonly spellings?: readonly Spelling[];
  /** What the arguments need before the record can be made a second time, such as a token that works only once. */
  readonly again?: Patch;
  /** Arguments with which a write does not wait for what a real server takes long to do in the background. */
  readonly unwaited?: Values;
  /** Members of a stored record that differ between two servers that were told the same; `alias.id` is inside another. */
  readonly volatile?: readonly string[];
  /** The server keeps how a list or a map became empty: in a stored record, nothing is nothing. */
  readonly keepsEmptiness?: true;
  /** Properties, or members of one, that belong to one record, so that another one cannot be given them too. */
  readonly own?: readonly string[];
  /** Properties that cannot be found out from the server, so that an import lacks them. */
  readonly unseen?: readonly string[];
  /** A request without which an operation succeeds, where it is refused. */
  readonly spared?: Spared;
  /** What the API cannot do for this resource. */
  readonly skips?: readonly Skip[];
  /** Requests of one operation, the version request apart. */
  readonly requests: RequestBudget;
}

/** What a test has to work with for one record. */
export interface Ground {
  /** The fewest arguments, whose record is told from others by fresh names. */
  readonly minimal: Values;
  /** Arguments that set every property which can be set together with the others. */
  readonly full: Values;
  readonly id: string | ((state: Values) => string);
  /** Where the server keeps the record, or the records: the API's path, without prefix. */
  record(state: Values): string | readonly Place[];
  /** Deletes the record behind the provider's back. */
  remove(state: Values): Promise<void>;
  /** Changes the record behind the provider's back; answers the inputs that a refresh then shows. */
  edit(state: Values): Promise<Values>;
}

export type Place = readonly [service: ServiceName, path: string];

/** What a change of a property means, and how to make it: a patch over the full arguments; undefined removes. */
export type Treatment =
  | Change
  /** The connected server does not have the field: naming it is refused. */
  | { readonly means: "refused"; readonly patch: Patch }
  /** Not tested as a change, for a reason. */
  | { readonly means: "nothing"; readonly reason: string };

export interface Change {
  readonly means: "update" | "replace";
  readonly patch: Patch;
  /** What the full arguments must have, or not have, for this change to be possible. */
  readonly from?: Patch;
  /** How to remove the property, where others go with it; `required` when it cannot be removed. */
  readonly without?: Patch | "required";
  /** Nothing of it can be compared between two records on the server. */
  readonly local?: boolean;
}

export type Patch = Values | ((world: World, ground: Ground) => Values | Promise<Values>);

export interface Spelling {
  readonly title: string;
  readonly one: Values;
  readonly other: Values;
}

export interface Skip {
  readonly case: CaseName;
  readonly host?: HostName;
  readonly server?: ServerKindName;
  readonly reason: string;
  /** How the test of the promise fails. */
  readonly fails: RegExp;
}

export interface Spared {
  readonly fault: FaultName;
  readonly request: RegExp;
  readonly reason: string;
}

export interface RequestBudget {
  /** What only a look ahead asks, before a creation or a change that does without it. */
  readonly ahead?: readonly string[];
  readonly create: readonly RequestLine[];
  readonly update: readonly RequestLine[];
  readonly read: readonly RequestLine[];
  readonly delete: readonly RequestLine[];
}

/** One request, or one that a wait repeats: where the server is done at once, it is sent once. */
export type RequestLine = string | { readonly repeated: string };

/** The parts of the suite that a resource may be unable to take part in. */
export type CaseName =
  | "delete removes the record"
  | "import"
  | "a look-up of what is not there fails and says so"
  | "a change by another hand is found and repaired"
  | "a failed read-back is a partial failure";

type FieldOf<Name extends ResourceName> = keyof (typeof definitions)[Name]["fields"] & string;

/** A case, typed by the resource's own table: a field without a row does not compile. */
export function defineCase<Name extends ResourceName>(_name: Name, parts: ResourceCase<Name>): ResourceCase<Name> {
  return parts;
}

/** A change in place. `to` is the new value, or a patch when more must change along. */
export function changed(patch: Patch, more: Omit<Change, "means" | "patch"> = {}): Change {
  return { means: "update", patch, ...more };
}

export function replaced(patch: Patch, more: Omit<Change, "means" | "patch"> = {}): Change {
  return { means: "replace", patch, ...more };
}

export function refused(patch: Patch): Treatment {
  return { means: "refused", patch };
}

/** A request that a wait repeats as long as the server is at work in the background: it deletes, or peers. */
export function repeated(line: string): RequestLine {
  return { repeated: line };
}

/** The path of a record whose state has the values that the template names, `{mount}` or `{parameterIds.region}`. */
export function pathOf(template: string): (values: Values) => string {
  const valueAt = (values: Values, name: string) =>
    name.split(".").reduce<unknown>((value, step) => Object(value)[step], values);
  return (values) => template.replace(/\{([\w.]+)\}/g, (_, name: string) => String(valueAt(values, name)));
}

export function definitionOf(name: ResourceName): Definition {
  return definitions[name];
}

/** The properties that say which record it is, and where. */
export function addressOf(name: ResourceName): readonly string[] {
  return addressProperties(definitionOf(name));
}

/** What a program says of such a record that it may not own: a secret that no server shows cannot be compared, and one that is issued anew ends. */
export function writtenOver(name: ResourceName, args: Values): Values {
  const definition = definitionOf(name);
  const given = secretProperties(definition, args).filter((property) => args[property] !== undefined);
  const { update, secretOutputs } = definition.parts?.issuer ?? definition;
  const isIssued = update.mints === true && secretOutputs.length > 0;
  const isHidden = isIssued || given.length > 0 || hiddenParts(definition, args).length > 0;
  return isHidden ? { ...args, takeOver: "always" } : args;
}

export function serviceOf(name: ResourceName): ServiceName {
  return ({ vault: "secrets", consul: "cluster", tfe: "policy" } as const)[definitionOf(name).dialect];
}

/**
 * Arguments whose deletion takes all requests that one can take: the fewest, with which the provider asks all that it can
 * before it deletes; those of a set with several records.
 */
export function argsToDelete(name: ResourceName, { minimal, full }: Ground): Values {
  return definitionOf(name).members ? full : minimal;
}

/** The arguments with a patch; what is undefined is removed. */
export function patched(args: Values, patch: Values): Values {
  return Object.fromEntries(Object.entries({ ...args, ...patch }).filter(([, value]) => value !== undefined));
}

export async function patchFrom(patch: Patch, world: World, ground: Ground): Promise<Values> {
  return typeof patch === "function" ? patch(world, ground) : patch;
}
