import { lacking, type ServerInfo } from "../core/availability";
import { isEmpty, picked } from "../core/canonical";
import type { TakeOver } from "../core/connection-entry";
import type { Definition, Values, WireRecord, Write } from "../core/definition";
import { diff, editedProperties } from "../core/diff";
import { ProviderError } from "../core/errors";
import { same } from "../core/field";
import { secretProperties } from "../core/fingerprint";
import { bodyOf, changesOf, outputsOf, stateOf } from "../core/record";
import { givenInId } from "../core/record-id";
import { type Removal, removalOf } from "../core/removal";
import { deadCredentials, keptCredentials } from "../core/rotation";
import { SERVER } from "../core/state-names";
import { EXISTS_ALREADY } from "../core/take-over-words";
import { placeProperties } from "../core/tenant";
import { assertMayBeTakenOver, RENAMED } from "./take-over";

/** What an operation does to bring the server to what the program says. */
export type Decision =
  /** The server has it already. */
  | {
      readonly does: "nothing";
      readonly values: Values;
      readonly record: WireRecord;
      /** A record that somebody else made becomes ours as it is. */
      readonly takesOver?: boolean;
    }
  | {
      readonly does: "write";
      readonly values: Values;
      readonly request: Write;
      readonly members: WireRecord;
      /** The record that the write changes, as it was. */
      readonly before?: WireRecord | undefined;
      /** A record that somebody else made becomes ours. */
      readonly takesOver: boolean;
      /** What is there must be removed first, as it cannot be changed to what the program says. */
      readonly clears?: Clearing | undefined;
      /** What the write of the attached part needs to know of another record. */
      readonly found?: WireRecord | undefined;
    };

export type Writing = Extract<Decision, { does: "write" }>;

/** A removal, and the values of what it removes. */
interface Clearing {
  readonly removal: Removal;
  readonly values: Values;
}

/** What an operation knows when it decides: the record as the server has it, if any, and the server. */
interface Situation {
  readonly record: WireRecord | undefined;
  readonly server: ServerInfo | undefined;
  readonly isFresh?: boolean | undefined;
  /** Whether the record may be taken over; undefined where it is this stack's own. */
  readonly takeOver?: TakeOver | undefined;
}

/** A record that is new to the program: made, taken over, or refused. */
export function decideCreate(
  definition: Definition,
  inputs: Values,
  { record, server, isFresh, takeOver }: Situation,
): Decision {
  const { create, adopt } = definition;
  // What is being deleted is in nobody's way, and may not show any more what it was.
  const isLeaving = record && definition.stage?.(record, inputs)?.is === "leaving";
  const isOther = record && !isLeaving && adopt?.refuses?.(record);
  if (isOther) {
    const todo = `Choose another ${definition.label}, or remove what is there`;
    throw new ProviderError("InputError", `${EXISTS_ALREADY}, and ${isOther}. ${todo}. ${RENAMED}`);
  }
  const over = record !== undefined && isOver(definition, record, inputs);
  if (record === undefined || over) {
    const members = laidOut(create, bodyOf(definition, inputs, { server }));
    const clears = over ? clearing(definition, inputs) : undefined;
    return { does: "write", request: create, values: inputs, members, takesOver: false, clears };
  }
  if (!isFresh && adopt?.isDone?.(record, inputs)) return { does: "nothing", values: inputs, record };
  const live = stateOf(definition, record, inputs);
  const fixed = assertCanBeTakenOver(definition, live, inputs);
  if (takeOver) assertMayBeTakenOver(definition, { record, live, inputs, takeOver, isFresh });
  const found = { ...outputsOf(definition, live), ...inputs };
  if (isAsDeclared(definition, record, inputs)) return { does: "nothing", values: found, record, takesOver: true };
  const clears = fixed.length > 0 ? clearing(definition, found) : undefined;
  // A record that is made anew has other outputs.
  const values = clears ? inputs : found;
  const request = clears ? create : definition.update;
  const body = laidOut(request, bodyOf(definition, values, { server, live }), clears ? {} : { live, record });
  const members = clears ? body : withoutRotated(definition, body, { news: values }, { record, server });
  // An action goes on with what the stack's own configuration has.
  const takesOver = !clears && (request.sends !== "nothing" || takeOver !== undefined);
  return { does: "write", request, values, members, before: clears ? undefined : record, takesOver, clears };
}

/** Refuses a record that is another kind of thing than the program wants. Answers what of it cannot be changed in place. */
export function assertCanBeTakenOver(definition: Definition, live: Values, inputs: Values): readonly string[] {
  const { adopt } = definition;
  const fixed = adopt?.by === undefined ? [] : diff(definition, live, inputs).replaces;
  // What lives in it would be lost with it.
  const unlike = [...(adopt?.by ?? []), ...(definition.inhabited ? fixed : [])];
  const other = unlike.find((name) => !isSame(definition, name, live, inputs));
  if (other === undefined) return fixed;
  const theirs = live[other] ?? definition.fields[other]?.canonical(undefined);
  const has = isEmpty(theirs) ? `without ${other}` : `with another ${other} (${JSON.stringify(theirs)})`;
  const there = `${EXISTS_ALREADY}, ${has}`;
  const lost = definition.inhabited ? ", which deletes all that is in it" : "";
  throw new ProviderError(
    "InputError",
    `${there}. Choose another ${definition.label}, or remove what is there${lost}. ${RENAMED}`,
  );
}

/** The server shows the whole record, as the program says it. One that hides something is written. */
function isAsDeclared(definition: Definition, record: WireRecord, inputs: Values): boolean {
  const { mints, sends } = definition.update;
  if (mints || sends === "nothing") return false;
  const shown = stateOf(definition, record, {});
  if (definition.writeOnly.length > 0 || secretProperties(definition, shown).length > 0) return false;
  const elsewhere = Object.entries(definition.fields).filter(([, { place }]) => place !== "body");
  const known = {
    ...shown,
    ...picked(
      inputs,
      elsewhere.map(([name]) => name),
    ),
  };
  return diff(definition, known, inputs).changed.length === 0;
}

/** A record that the program has: changed, made again where it is gone, or left as it is. */
export function decideUpdate(
  definition: Definition,
  { olds, news }: { readonly olds: Values; readonly news: Values },
  { record, server }: Situation,
): Decision {
  const values = { ...outputsOf(definition, olds), ...picked(olds, [SERVER]), ...news };
  if (record === undefined || definition.stage?.(record, values)?.is === "leaving") {
    assertCanBeMadeAgain(definition);
    return decideCreate(definition, values, { record, server });
  }
  // Where the record is, is not part of it.
  const place = placeProperties(definition.dialect);
  const edited = editedProperties(definition, olds, news).filter((name) => !place.includes(name));
  const isNew = edited.every((name) => olds[name] === undefined);
  if (isNew && definition.adopt?.isDone?.(record, values)) return { does: "nothing", values, record };
  const changed = diff(definition, olds, news).changed.filter((name) => !place.includes(name));
  const request = definition.update;
  // A request that issues something new is sent for a change, and where its answer was lost; never only because of another run.
  const isIssued = definition.secretOutputs.every((name) => values[name] !== undefined);
  if (request.mints && changed.length === 0 && isIssued) return { does: "nothing", values, record };
  const live = stateOf(definition, record, olds);
  const members = membersToWrite(definition, { olds, live, values }, changed, { record, server });
  return { does: "write", request, values, members, before: record, takesOver: false };
}

/** True for a record that is of no use any more: one of its name can only be made anew. */
export function isOver({ stage }: Definition, record: WireRecord, values: Values): boolean {
  const is = stage?.(record, values)?.is;
  return is === "ended" || is === "leaving";
}

function clearing(definition: Definition, values: Values): Clearing | undefined {
  const removal = removalOf(definition, values);
  return removal && { removal, values };
}

function membersToWrite(
  definition: Definition,
  { olds, live, values }: { readonly olds: Values; readonly live: Values; readonly values: Values },
  changed: readonly string[],
  { record, server }: Situation,
): WireRecord {
  const { update } = definition;
  if (update.sends === "nothing") return {};
  if (update.sends === "changes") return changesOf(definition, values, changed);
  const body = laidOut(update, bodyOf(definition, values, { server, live: { ...olds, ...live } }), { live, record });
  return withoutRotated(definition, body, { olds, news: values }, { record, server });
}

function laidOut(
  { layout }: Write,
  members: WireRecord,
  { live = {}, record = {} }: { readonly live?: Values; readonly record?: WireRecord | undefined } = {},
): WireRecord {
  return layout?.(members, live, record) ?? members;
}

/** Credentials that the server has rotated since are not sent, as the program's are dead; nor those that it has from us. */
function withoutRotated(
  definition: Definition,
  members: WireRecord,
  { olds, news }: { readonly olds?: Values; readonly news: Values },
  { record, server }: Situation,
): WireRecord {
  const { rotation } = definition;
  if (!rotation || record === undefined) return members;
  const live = stateOf(definition, record, {});
  const dead = deadCredentials(rotation, live, { olds, news });
  // A server that does not say what it is may be one that replaces the whole record.
  const keepsOthers = server !== undefined && !lacking(rotation.since, server);
  if (dead.length > 0 && !keepsOthers) {
    const reason = "the server has rotated its credentials, and a write to this version would remove them";
    throw new ProviderError("InputError", `${reason}: give new credentials in ${dead.join(" and ")}.`);
  }
  const unsent = dead.length === 0 && keepsOthers ? keptCredentials(rotation, live, { olds, news }) : dead;
  const wires = unsent.map((name) => definition.fields[name]?.wire);
  return Object.fromEntries(Object.entries(members).filter(([wire]) => !wires.includes(wire)));
}

/** Throws where the server gives the id: a new record has another one. */
function assertCanBeMadeAgain(definition: Definition): void {
  if (givenInId(definition).length === 0) return;
  const todo = "Run `pulumi up --refresh`, which makes a new one.";
  throw new ProviderError("ApiError", `it is not there any more. ${todo}`, { status: 404 });
}

/** Whether a property is the same on both sides. */
export function isSame(definition: Definition, name: string, live: Values, inputs: Values): boolean {
  const field = definition.fields[name];
  return field === undefined || same(field, live[name], inputs[name]);
}
