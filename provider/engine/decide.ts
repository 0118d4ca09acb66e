import { lacking, type ServerInfo } from "../core/availability";
import { picked } from "../core/canonical";
import type { Definition, Remove, Values, WireRecord, Write } from "../core/definition";
import { diff, editedProperties } from "../core/diff";
import { ProviderError } from "../core/errors";
import { same } from "../core/field";
import { bodyOf, changesOf, outputsOf, stateOf } from "../core/record";
import { SERVER } from "../core/state-names";

/** What an operation does to bring the server to what the program says. */
export type Decision =
  /** The server has it already. */
  | { readonly does: "nothing"; readonly values: Values; readonly record: WireRecord }
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
    };

/** A removal, and the values of what it removes. */
interface Clearing {
  readonly removal: Removal;
  readonly values: Values;
}

export type Removal = Exclude<Remove, "forget">;

/** What an operation knows when it decides: the record as the server has it, if any, and the server. */
interface Situation {
  readonly record: WireRecord | undefined;
  readonly server: ServerInfo | undefined;
  readonly isFresh?: boolean | undefined;
}

/** A record that is new to the program: made, taken over, or refused. */
export function decideCreate(definition: Definition, inputs: Values, { record, server, isFresh }: Situation): Decision {
  const isOver = record !== undefined && definition.stage?.(record) !== undefined;
  if (record === undefined || isOver) {
    const members = bodyOf(definition, inputs, { server });
    const clears = isOver ? clearing(definition, inputs) : undefined;
    return { does: "write", request: definition.create, values: inputs, members, takesOver: false, clears };
  }
  if (!isFresh && definition.isDone?.(record, inputs)) return { does: "nothing", values: inputs, record };
  const live = stateOf(definition, record, inputs);
  const other = definition.adopt?.by.find((name) => !isSame(definition, name, live, inputs));
  if (other !== undefined) {
    const there = `it exists already, with another ${other} (${JSON.stringify(live[other])})`;
    throw new ProviderError("InputError", `${there}. Choose another name, or remove what is there.`);
  }
  const found = { ...outputsOf(definition, live), ...inputs };
  const isFixed = definition.adopt !== undefined && diff(definition, live, inputs).replaces.length > 0;
  const clears = isFixed ? clearing(definition, found) : undefined;
  // A record that is made anew has other outputs.
  const values = clears ? inputs : found;
  const request = clears ? definition.create : definition.update;
  const body = bodyOf(definition, values, { server, live });
  const all = clears ? body : (request.against?.(body, live) ?? body);
  const members = clears ? all : withoutRotated(definition, all, values, { record, server });
  return { does: "write", request, values, members, before: clears ? undefined : record, takesOver: !clears, clears };
}

/** A record that the program has: changed, made again where it is gone, or left as it is. */
export function decideUpdate(
  definition: Definition,
  { olds, news }: { readonly olds: Values; readonly news: Values },
  { record, server }: Situation,
): Decision {
  const values = { ...outputsOf(definition, olds), ...picked(olds, [SERVER]), ...news };
  const isOver = record !== undefined && definition.stage?.(record) === "leaving";
  if (record === undefined || isOver) {
    assertCanBeMadeAgain(definition);
    return decideCreate(definition, values, { record, server });
  }
  // The connection's name is nothing of the record.
  const edited = editedProperties(definition, olds, news).filter((name) => name !== "connection");
  const isNew = edited.every((name) => olds[name] === undefined);
  if (isNew && definition.isDone?.(record, values)) return { does: "nothing", values, record };
  const changed = diff(definition, olds, news).changed.filter((name) => name !== "connection");
  const request = definition.update;
  // Issuing something new is an effect of its own: it needs a change, not just another run.
  if (request.mints && changed.length === 0) return { does: "nothing", values, record };
  const live = stateOf(definition, record, olds);
  const members = membersToWrite(definition, { olds, live, values }, changed, { record, server });
  return { does: "write", request, values, members, before: record, takesOver: false };
}

/** How these values' record goes away; undefined when the API cannot delete it. */
export function removalOf(definition: Definition, values: Values): Removal | undefined {
  const removal = typeof definition.delete === "function" ? definition.delete(values) : definition.delete;
  return removal === "forget" ? undefined : removal;
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
  const { sends, against } = definition.update;
  if (sends === "nothing") return {};
  if (sends === "changes") return changesOf(definition, values, changed);
  const body = bodyOf(definition, values, { server, live: { ...olds, ...live } });
  return withoutRotated(definition, against?.(body, live) ?? body, values, { record, server }, olds);
}

/** Credentials that the server has rotated since are not sent: the program's are dead. */
function withoutRotated(
  definition: Definition,
  members: WireRecord,
  values: Values,
  { record, server }: Situation,
  olds?: Values,
): WireRecord {
  const { keeps } = definition.update;
  if (!keeps || record === undefined) return members;
  const kept = keeps.properties(stateOf(definition, record, {}), olds, values);
  // A server that does not say what it is may be one that replaces the whole record.
  if (kept.length > 0 && (server === undefined || lacking(keeps.since, server))) {
    const reason = "the server has rotated its credentials, and a write to this version would remove them";
    throw new ProviderError("InputError", `${reason}: give new credentials in ${kept.join(" and ")}.`);
  }
  const wires = kept.map((name) => definition.fields[name]?.wire);
  return Object.fromEntries(Object.entries(members).filter(([wire]) => !wires.includes(wire)));
}

/** An id that the server gives cannot be had again. */
function assertCanBeMadeAgain(definition: Definition): void {
  if (!Object.keys(definition.outputs).some((name) => definition.id.includes(`{${name}}`))) return;
  const todo = "Run `pulumi up --refresh`, which makes a new one.";
  throw new ProviderError("ApiError", `it is not there any more. ${todo}`, { status: 404 });
}

function isSame(definition: Definition, name: string, live: Values, inputs: Values): boolean {
  const field = definition.fields[name];
  return field === undefined || same(field, live[name], inputs[name]);
}
