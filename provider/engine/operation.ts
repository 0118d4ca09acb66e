import type { Checked } from "../core/check";
import type { Definition, Members, Values, WireRecord } from "../core/definition";
import { during, type Failure, ProviderError, textOf } from "../core/errors";
import type { IgnoredPath } from "../core/ignored";
import { wordFor } from "../core/template";
import { type Family, tenantIn, tenantProperty } from "../core/tenant";
import { needsOf } from "../dialects/needs";
import { GRANTS, grantLine, merged } from "../dialects/vault-policy";
import type { Connection } from "./connection";
import type { Log } from "./log";
import type { Run } from "./run";

/** How long an operation may take, and for whom it is done. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** What the user allows it, in milliseconds; `signal` ends it then. Without one, what is waited for has limits of its own. */
  readonly timeoutMs?: number | undefined;
  /** The name that the program gives the resource, where the host knows it. */
  readonly name?: string | undefined;
  /** Of a creation, whether the state has the resource already: it is made anew. Undefined where the host cannot tell. */
  readonly isAnew?: boolean | undefined;
  /** Of an exclusive set, the records that the plan has shown to be removed; no others go. Without it, a preview decides. */
  readonly removable?: readonly string[] | undefined;
  /** Whoever runs the host sees nothing less than a warning. */
  readonly showsOnlyWarnings?: boolean | undefined;
  /** Of a difference, that nothing has read the record just before, as Terraform's plan does: the preview of a change looks then. */
  readonly isUnread?: boolean | undefined;
  /** Of an update, what the program leaves to others: it stays as the server has it. */
  readonly ignored?: readonly IgnoredPath[] | undefined;
}

/** What one operation works on. */
export interface Operation extends Limits {
  readonly definition: Definition;
  readonly connection: Connection;
  readonly run: Run;
  /** What works only once was issued for this very write, so it is not saved for another one. */
  readonly isFresh?: boolean;
  /** Of a creation, that a state has the record: it is no other's. */
  readonly isOwn?: boolean;
  /** What a list has just shown of the record, which is not looked for then. */
  readonly looked?: { readonly record: WireRecord | undefined };
  /** Whoever deletes many records looks once, at the end, whether they are gone. */
  readonly isGoneLater?: boolean;
  readonly log: Log;
}

/** A set of records: the same verbs, over the lifecycle of each record. One that fails does not stop the others. */
export interface SetOperation {
  readonly set: Operation;
  readonly members: Members;
}

/** Records, each with the connection that it is asked for on. */
export type Sides = readonly (readonly [Operation, Values])[];

/** A record and the id under which it is known. */
export interface Recorded {
  readonly id: string;
  readonly state: Values;
}

/** The lifecycle of one resource. */
export interface Verbs {
  create(inputs: Values): Promise<Recorded>;
  /** What the server has now; undefined when it really is gone. The id alone is enough. */
  read(id: string, state: Values): Promise<Recorded | undefined>;
  /** Brings it to what the program says, from whatever it was. */
  update(id: string, olds: Values, news: Values): Promise<Recorded>;
  remove(id: string, state: Values): Promise<void>;
}

/** How long to wait for something: `usualMs`, or longer where the user allows it. */
export function patience({ timeoutMs = 0 }: Limits, usualMs: number): number {
  return Math.max(usualMs, timeoutMs);
}

/** Does the work; a failure says what was being done, and to what. */
export async function doing<T>(
  verb: string,
  { definition }: { readonly definition: Titled },
  values: Values,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withNeeds(definition, values, during(`${verb} ${titleOf(definition, values)}`, error));
  }
}

/** A refusal names what one request needs; whoever writes the policy wants all that the resource needs. */
function withNeeds(definition: Titled | Definition, values: Values, error: ProviderError): ProviderError {
  const isAboutGrants = error.code === "ApiError" && error.message.includes(GRANTS);
  if (!isAboutGrants || !("read" in definition)) return error;
  const grants = needsOf(definition, values).map(({ path, capabilities }) => ({ path, capabilities, comments: [] }));
  const all = merged(grants).map(grantLine).join(" ");
  const { status = 403, details = [] } = error;
  return new ProviderError("ApiError", `${error.message}. For its whole life the resource needs: ${all}`, {
    status,
    details,
  });
}

/** What a message calls a resource or a function by. */
export interface Titled {
  readonly token: string;
  readonly label?: string | undefined;
  readonly dialect: Family;
  /** Template of the id: it may have a word for a label that is empty. */
  readonly id?: string;
}

/**
 * `jwt.Role "ci"`, or `jwt.Role "ci" in namespace "team"` where the record names one; `cluster.getPeerings`, which is about
 * no record in particular, or `jwt.login` without a role.
 */
export function titleOf({ token, label, id = "", dialect }: Titled, values: Values): string {
  const name = token.replace(":", ".");
  const value = label === undefined ? undefined : (values[label] ?? wordFor(id, label));
  const tenant = label === tenantProperty(dialect) ? undefined : tenantIn(dialect, values);
  const within = tenant === undefined ? "" : ` in ${tenantProperty(dialect)} ${JSON.stringify(tenant)}`;
  return (value === undefined ? name : `${name} ${JSON.stringify(String(value))}`) + within;
}

/** The refusal of what would be done to something that another hand has made since the state was written. */
export function refreshFirst(what: string): ProviderError {
  return new ProviderError("InputError", `${what}. Refresh the state to see it, then run again.`);
}

/** Inputs with what is worth saying of them, and how that may be shown. */
interface Advised extends Pick<Checked, "inputs" | "warnings"> {
  readonly shown?: ((said: Failure) => Failure) | undefined;
}

/** Shows what is worth saying about inputs that are fine otherwise. */
export function warnOf(definition: Titled, { inputs, warnings, shown }: Advised, log: Log): void {
  for (const each of warnings)
    log("warning", `${titleOf(definition, inputs)}: ${textOf([shown ? shown(each) : each])}`);
}

/** Once a run, however many records it is about. The title is that of the kind, where no values are given. */
export function sayOnce({ run, log, definition }: Operation, level: "info" | "warning", what: string, of: Values = {}) {
  if (!run.warned.has(what)) log(level, `${titleOf(definition, of)}: ${what}`);
  run.warned.add(what);
}

/** Once a run, of each kind or record that the text names. */
export function sayOnceOf({ run, log }: Operation, level: "info" | "warning", text: string) {
  if (!run.warned.has(text)) log(level, text);
  run.warned.add(text);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
