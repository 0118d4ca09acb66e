import type { Definition, Values, WireRecord } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { same } from "../core/field";
import type { Inhabited } from "../core/inhabited";
import { stateOf } from "../core/record";
import { fill, requestPath } from "../core/template";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { observe, untilCurrent } from "./look";
import { messageOf, type Operation, refreshFirst, sayOnce, titleOf } from "./operation";
import { isDeletedAt, isOfProgram, placeKey, recordKeys, wantedNames } from "./run-notes";
import { someOf } from "./unmanaged";

/** Refuses a delete that takes other records along, or may do so: a collection that cannot be listed may hold some. */
export async function assertUninhabited(
  operation: Operation,
  values: Values,
  record: WireRecord | undefined,
): Promise<void> {
  const { inhabited } = operation.definition;
  if (!inhabited) return;
  // What a list of mounts does not show may be there all the same.
  const live = record ? stateOf(operation.definition, record, values) : values;
  assertOwn(operation, values, live);
  if (values[inhabited.unless] === true) return;
  const title = titleOf(operation.definition, values);
  const todo = `set \`${inhabited.unless}\` to \`true\` on ${title} and update it`;
  const templates = inhabited.by(live);
  if (templates === undefined) {
    const what = `it is not known how to list what lives in a mount of type ${JSON.stringify(live["type"])}`;
    throw new ProviderError("InputError", `${what}, and it would be lost. Where nothing does, ${todo}.`);
  }
  const more = (await mayBeOpenBao(operation)) ? (inhabited.onOpenBao?.(live) ?? []) : [];
  for (const template of [...templates, ...more]) {
    const path = requestPath(template, values);
    const isLate = (name: string) => isDeletedAt(operation, `${fill(template, values)}/${name}`);
    const isCurrent = (shown: readonly string[] | undefined) => !shown?.length || !shown.every(isLate);
    const listed = await untilCurrent(operation, values, () => namesIn(operation, path), isCurrent);
    const names = listed ?? (more.includes(template) ? [] : undefined);
    if (names === undefined) {
      const what = `this server cannot list ${path}, and what lives there would be lost`;
      throw new ProviderError("InputError", `${what}. Where nothing does, ${todo}.`);
    }
    if (names.length > 0) throw stillIn(path, names, todo);
  }
  const doomed = { values, live, todo };
  await assertNothingAlone(operation, inhabited, doomed);
  await assertNothingBound(operation, inhabited, doomed);
}

function stillIn(path: string, names: readonly string[], todo: string): ProviderError {
  const [what, them] = names.length === 1 ? ["1 record is", "it"] : [`${names.length} records are`, "them"];
  const lost = `${what} still in ${path} (${someOf(names)}) and would be lost`;
  return new ProviderError("InputError", `${lost}. Delete ${them} first, or ${todo}. ${LEFT}`);
}

/**
 * Refuses to begin to make a mount anew, before the first record in it is deleted, where records are in it that no resource of the
 * program has: a preview has seen all of them. A look that cannot be made is no error: the deletion looks again.
 */
export async function foreseeInhabitants(operation: Operation, values: Values): Promise<void> {
  const { definition, run } = operation;
  const { inhabited } = definition;
  if (!inhabited || values[inhabited.unless] === true || run.sight() !== "whole") return;
  const record = await observe(operation, values).catch(() => undefined);
  if (record === undefined) return;
  const live = stateOf(definition, record, values);
  for (const template of inhabited.by(live) ?? []) {
    const path = requestPath(template, values);
    const list = path + (dialects[definition.dialect].names?.query ?? "");
    const named = wantedNames(operation, live, placeKey(operation, list));
    const isStrange = (name: string) =>
      !named.includes(name) && !run.said.has("held", [placeKey(operation, list, name)]);
    const names = ((await namesIn(operation, path).catch(() => undefined)) ?? []).filter(isStrange);
    const todo = `set \`${inhabited.unless}\` to \`true\` on ${titleOf(definition, values)} and update it`;
    if (names.length > 0) throw stillIn(path, names, todo);
  }
}

async function mayBeOpenBao({ connection, signal }: Operation): Promise<boolean> {
  return (await connection.server(signal))?.product !== "vault";
}

/** No state remembers what was forgotten: it has left its own, and a delete that fails writes none for the mount. */
const TAKE_BACK =
  "Where a destroy that was refused half-way has forgotten it, let the program run once, which takes it back";

/** By these options a record leaves the state, and nobody asks the provider. */
const LEFT = "To keep what `deletedWith` or `retainOnDelete` has left there, set `retainOnDelete` on the mount, too.";

interface Doomed {
  readonly values: Values;
  readonly live: Values;
  /** How to delete it all the same. */
  readonly todo: string;
}

async function assertNothingAlone(operation: Operation, { alone }: Inhabited, { values, live, todo }: Doomed) {
  if (!alone.by(live)) return;
  const { definition, run } = operation;
  const one = { ...operation, definition: { ...definition, token: alone.token, id: alone.path, read: alone } };
  const isOwn =
    run.said.has("left", recordKeys(one, values)) || (isRemade(operation, values) && isOfProgram(one, values));
  if (isOwn || (await observe(one, values)) === undefined) return;
  const what = `${titleOf(one.definition, values)} is still there and would be lost`;
  throw new ProviderError(
    "InputError",
    `${what}: the API cannot delete it alone. ${TAKE_BACK}. Where nobody needs it, ${todo}.`,
  );
}

async function assertNothingBound(operation: Operation, { bound }: Inhabited, { values, live, todo }: Doomed) {
  if (!bound) return;
  const { run, definition } = operation;
  const within = fill(definition.moves?.within ?? "", values);
  const isOwn = (name: string) =>
    isRemade(operation, values) && run.said.has("wants", [placeKey(operation, within, name)]);
  const list = async () => bound.of(await boundTo(operation, bound, values), live).filter((name) => !isOwn(name));
  const isLate = (name: string) => isDeletedAt(operation, within, name);
  const isCurrent = (shown: readonly string[]) => shown.length === 0 || !shown.every(isLate);
  const names = await untilCurrent(operation, values, list, isCurrent);
  if (names.length === 0) return;
  const isOne = names.length === 1;
  const what = isOne ? `1 ${bound.noun} is` : `${names.length} ${bound.noun}es are`;
  throw new ProviderError(
    "InputError",
    `${what} still bound to it (${someOf(names)}) and would be lost. Delete ${isOne ? "it" : "them"} first, or ${todo}. ${LEFT}`,
  );
}

/** What a token may not list is said once a run: few tokens may, and few mounts have such records. */
async function boundTo(operation: Operation, { path, noun }: NonNullable<Inhabited["bound"]>, values: Values) {
  const { connection, definition, signal } = operation;
  const { names }: Dialect = dialects[definition.dialect];
  try {
    const reply = await connection.collection(path + (names?.query ?? ""), fill(definition.id, values), { signal });
    return reply.kind === "found" ? reply.record : undefined;
  } catch (error) {
    if (!isProviderError(error) || error.status !== 403) throw error;
    sayOnce(operation, "warning", `whether a ${noun} is bound to it is not known: ${messageOf(error)}`);
    return undefined;
  }
}

/** The run makes it anew, and then what the program has there. */
function isRemade(operation: Operation, values: Values): boolean {
  const { moves } = operation.definition;
  return moves !== undefined && operation.run.said.has("remakes", [placeKey(operation, fill(moves.within, values))]);
}

/** Refuses to change or delete a mount that somebody else has made in the place of the recorded one, whatever is in it. */
export function assertOwn({ definition }: Operation, olds: Values, live: Values): void {
  if (!definition.inhabited || !isForeign(definition, olds, live)) return;
  const what = "another one is there than was recorded: somebody else has made it since";
  throw refreshFirst(what);
}

/** What no update changes is not as it was recorded. */
function isForeign({ stable, adopt, fields }: Definition, olds: Values, live: Values): boolean {
  if (stable.some((name) => olds[name] !== undefined && live[name] !== olds[name])) return true;
  return (adopt?.by ?? []).some((name) => {
    const field = fields[name];
    return field?.place === "body" && olds[name] !== undefined && !same(field, live[name], olds[name]);
  });
}

/** Undefined where the server has no such collection, or none that can be listed. */
async function namesIn(operation: Operation, path: string): Promise<readonly string[] | undefined> {
  const { definition, connection, signal } = operation;
  const { names }: Dialect = dialects[definition.dialect];
  if (names === undefined) return undefined;
  const reply = await connection
    .ask({ method: "GET", path: path + names.query, signal })
    .catch((error: unknown): undefined => {
      // The server's own words, not those of a proxy before it.
      const said = isProviderError(error) ? (error.details ?? []) : [];
      if (!said.some((detail) => names.unsupported.test(detail))) throw error;
    });
  if (reply === undefined) return undefined;
  return reply.kind === "found" ? names.of(reply.record) : [];
}
