import type { Definition, Values, WireRecord } from "../core/definition";
import { diff } from "../core/diff";
import { type Failure, isProviderError, ProviderError } from "../core/errors";
import type { Field } from "../core/field";
import { isOfType, type Mounted, mountPath } from "../core/mounted";
import { MOUNT_MARK } from "../core/state-names";
import { fill } from "../core/template";
import { hasUnknown } from "../core/unknowns";
import { withArticle } from "../core/with-article";
import { dialects } from "../dialects";
import type { Dialect, ShownMount } from "../dialects/dialect";
import { NO_MOUNT } from "../dialects/vault";
import { isOfAnotherMount, markAt, markOf } from "./mount-marks";
import { messageOf, type Operation, sayOnce } from "./operation";
import type { ShownMounts } from "./run";
import { placeKey } from "./run-notes";
import { unlessAborted } from "./unless-aborted";
import { someOf } from "./unmanaged";

/** Refuses to write into a mount of another type, which would take some of it, and do something else with it. */
export async function assertMount(operation: Operation, values: Values): Promise<void> {
  const misfit = await misfitOf(operation, values);
  if (misfit) throw new ProviderError("InputError", `${misfit.property} ${misfit.reason}.`);
  const [mount, another] = [mountOf(operation, values), await anotherMount(operation, values)];
  const wanted = operation.run.wantedMounts.get(mountKey(operation, values));
  if (!mount || !another || wanted === undefined || wanted === another.type) return;
  const { property, within } = mount.mounted;
  const name = `${property} ${JSON.stringify(mount.path.slice(within.length))}`;
  const what = `${name} is ${withArticle(another.type)} mount, which somebody else has made since, and the program has ${withArticle(wanted)} one there`;
  throw new ProviderError("InputError", `${what}. Refresh the state to see it.`);
}

/**
 * Whether what was read is no record of this kind: another hand has mounted another type where it was, which has something of
 * that name. A record that has what each of its kind has raises no question, so that a read asks nothing more.
 */
export async function isStrange(operation: Operation, values: Values, record: WireRecord): Promise<boolean> {
  const { definition } = operation;
  const rows = Object.values<Field>({ ...definition.fields, ...definition.outputs });
  // What is in the path alone has no name on the wire.
  const shown = rows.flatMap(({ required, wire }) => (required && wire ? [wire] : []));
  const isWhole = [...shown, definition.mounted?.shows ?? []].flat().every((wire) => wire in record);
  if (isWhole || !isInMount(definition, values)) return false;
  return sayMisfit(operation, values);
}

/** Says of a record that it went with the mount before another one of another type; false where the mount fits. */
export async function sayMisfit(operation: Operation, values: Values, and = ""): Promise<boolean> {
  const misfit = isInMount(operation.definition, values) ? await misfitOf(operation, values) : undefined;
  if (!misfit) return false;
  const what = `${misfit.property} ${misfit.reason.split(";")[0]} now: the record went with the mount before it${and}`;
  sayOnce(operation, "warning", what);
  return true;
}

/**
 * The same ahead of a write: of a resource that is new or changed. What cannot be asked now is asked before the write. A
 * mount that the program has itself counts as the program says.
 */
export async function foreseenMisfit(operation: Operation, olds: Values, news: Values): Promise<readonly Failure[]> {
  const { definition, run } = operation;
  const { moves } = definition;
  const type = news["type"];
  if (moves && typeof type === "string" && !hasUnknown([type, news[moves.property]]))
    run.wantedMounts.set(placeKey(operation, fill(moves.within, news)), type);
  const mounted = mountedOf(definition);
  if (!mounted || !isChanged(definition, olds, news)) return [];
  const wanted = run.wantedMounts.get(placeKey(operation, mountPath(mounted, news) ?? ""));
  if (wanted !== undefined && isOfType(mounted, wanted)) return [];
  const misfit = await misfitOf(operation, news, { isAhead: true }).catch(() => undefined);
  return misfit ? [misfit] : [];
}

/**
 * Why nothing can be written there: no mount, as far as the list of all of them shows, and no resource of the program that makes
 * one. Undefined where there is one, or where that is not known.
 */
export async function missingMount(
  operation: Operation,
  values: Values,
  { isFresh, isMadeLater }: { readonly isFresh: boolean; readonly isMadeLater: boolean },
): Promise<string | undefined> {
  const mount = mountOf(operation, values);
  if (!mount) return undefined;
  const { mounted, path } = mount;
  if (isMadeLater && operation.run.said.has("wants", [placeKey(operation, path)])) return undefined;
  const { shown, isAll } = await mountsAround(operation, path, !isFresh);
  if ("unknown" in shown || !isAll || mountAt(shown, path) !== undefined) return undefined;
  return `nothing is mounted at ${mounted.property} ${JSON.stringify(path.slice(mounted.within.length))}; ${fittingMounts(mounted, shown)}`;
}

/**
 * The mount that keeps one from being made, or moved to, where these values say: no server has two at one path, nor one inside
 * another. What has just this path is not in the way of a creation, which takes it over or is refused by what it is.
 */
export async function mountInTheWay(
  operation: Operation,
  values: Values,
  { isMove }: { readonly isMove: boolean },
): Promise<string | undefined> {
  const { moves } = operation.definition;
  if (!moves || hasUnknown(values[moves.property])) return undefined;
  const path = fill(moves.within, values);
  const { shown } = await mountsAround(operation, path, true);
  if ("unknown" in shown) return undefined;
  const own = `${path}/`;
  const isInTheWay = (other: string) => (other === own ? isMove : other.startsWith(own) || own.startsWith(other));
  return shown.find((one) => isInTheWay(one.path))?.path;
}

/** The mount of these values, by the server and its path. */
export function mountKey(operation: Operation, values: Values): string {
  return placeKey(operation, mountOf(operation, values)?.path ?? "");
}

/** What failed because nothing is mounted there, with the mounts that could be meant, where the run has read which there are. */
export async function namingMounts(operation: Operation, values: Values, error: unknown): Promise<unknown> {
  const mount = mountOf(operation, values);
  if (!mount || !isProviderError(error) || !error.message.endsWith(NO_MOUNT)) return error;
  const { mounted, path } = mount;
  // Where this look fails, what failed before it counts.
  const around = await mountsAround(operation, path, true).catch(() => undefined);
  if (around === undefined || "unknown" in around.shown || !around.isAll) return error;
  const mounts = `${fittingMounts(mounted, around.shown)}.`;
  const { status = 404, details = [] } = error;
  const todo = `${NO_MOUNT} ${mounts}`;
  return new ProviderError("ApiError", `${error.message} ${mounts}`, { status, details, todo });
}

/**
 * The mount that is there by now in place of the one that the state's record was written into: what is in it, somebody else has
 * made. A read asks for it where the state has a mark to compare, whether the mount is read before or after; without one, it asks
 * nothing more than the run has asked.
 */
export async function anotherMount(
  operation: Operation,
  state: Values,
  { isRead = false } = {},
): Promise<ShownMount | undefined> {
  const { definition, run } = operation;
  const { mounts }: Dialect = dialects[definition.dialect];
  const mount = mountOf(operation, state);
  if (!mount || !mounts || !isInMount(definition, state)) return undefined;
  const { path } = mount;
  const list = placeKey(operation, mounts.listFor(path));
  const look = async () => {
    if (isRead && state[MOUNT_MARK] === undefined && !run.mounts.has(list)) return undefined;
    const { shown } = await mountsAround(operation, path, false);
    return "unknown" in shown ? undefined : mountAt(shown, path);
  };
  const isAnother = (found: ShownMount | undefined) =>
    found?.accessor !== undefined && isOfAnotherMount(operation, state, markOf([found.accessor]));
  if (!isAnother(await look())) return undefined;
  // Another process of this run may have made the mount anew since the list was read.
  if (!isRead && state[MOUNT_MARK] !== undefined) run.mounts.delete(list);
  const found = await look();
  return isAnother(found) ? found : undefined;
}

/**
 * Tells the run which mount a write has gone into, where that is another one than that of the state, or than the run knows: what was
 * written has its mark then, and what else was in that of the state has not.
 */
export async function noteMountOf(operation: Operation, state: Values): Promise<void> {
  const { path = "" } = mountOf(operation, state) ?? {};
  const known = { ...state, [MOUNT_MARK]: state[MOUNT_MARK] ?? markAt(operation, [path]) };
  const { accessor } = (await anotherMount(operation, known)) ?? {};
  if (accessor === undefined) return;
  for (const word of ["anew", `stands:${markOf([accessor])}`] as const)
    operation.run.said.note(word, [placeKey(operation, path)]);
}

/** What has to be mounted where the records of this resource are. */
export function mountedOf({ mounted, members }: Definition): Mounted | undefined {
  return mounted ?? members?.of.mounted;
}

/** That, and its path; undefined where the path is not known. */
export function mountOf({ definition }: Pick<Operation, "definition">, values: Values) {
  const mounted = mountedOf(definition);
  const path = mounted && mountPath(mounted, values);
  return mounted && path !== undefined ? { mounted, path } : undefined;
}

/** Whether the record itself is in the mount, and not only bound to it as a group is. */
export function isInMount(definition: Definition, values: Values): boolean {
  const mounted = mountedOf(definition);
  const path = mounted && mountPath(mounted, values);
  return path !== undefined && fill(definition.read.path, values).startsWith(`${path}/`);
}

/** A secret that is not recorded is no change. */
function isChanged(definition: Definition, olds: Values, news: Values): boolean {
  if (Object.keys(olds).length === 0) return true;
  return diff(definition, olds, news).changed.some((name) => olds[name] !== undefined || !(name in definition.secrets));
}

/** What is wrong with the mount of these values; undefined where it fits, or where that is not known. */
export async function misfitOf(
  operation: Operation,
  values: Values,
  { isAhead = false } = {},
): Promise<Failure | undefined> {
  const mount = mountOf(operation, values);
  if (!mount) return undefined;
  const { mounted, path } = mount;
  const { property, types, within } = mounted;
  const name = JSON.stringify(path.slice(within.length));
  const warn = (what: string) => sayOnce(operation, "warning", `${property} ${name}: ${what}`);
  const { shown, isAll } = await mountsAround(operation, path, isAhead);
  if ("unknown" in shown) return void warn(`its type is not known: ${shown.unknown}`);
  const found = mountAt(shown, path);
  if (found === undefined || isOfType(mounted, found.type)) return undefined;
  if (!found.isBuiltIn)
    return void warn(`whether the plugin ${JSON.stringify(found.type)} is a ${types[0]} one is not known.`);
  const is = found.path === `${path}/` ? "is" : `is in ${JSON.stringify(found.path)}, which is`;
  const others = isAll
    ? `; ${fittingMounts(mounted, shown)}`
    : `, and a ${types[0]} one is needed; the token may not list the others`;
  return { property, reason: `${name} ${is} ${withArticle(found.type)} mount${others}` };
}

function fittingMounts(mounted: Mounted, shown: readonly ShownMount[]): string {
  const { types, within } = mounted;
  const fitting = shown.filter(({ type }) => isOfType(mounted, type)).map((each) => each.path.slice(within.length));
  return fitting.length === 0
    ? `this server has no ${types[0]} mount`
    : `${types[0]} mounts of this server: ${someOf(fitting, 20)}`;
}

/** The mounts around a path: those of its list, or its own alone where the token may not read the list. */
async function mountsAround(
  operation: Operation,
  path: string,
  isAhead: boolean,
): Promise<{ readonly shown: ShownMounts; readonly isAll: boolean }> {
  const { mounts }: Dialect = dialects[operation.definition.dialect];
  if (!mounts) return { shown: [], isAll: true };
  const ask = (from: string) => mountsIn(operation, from, { mounts, path, isAhead });
  const all = await ask(mounts.listFor(path));
  if (!("unknown" in all)) return { shown: all, isAll: true };
  const own = await ask(mounts.aloneAt(path));
  return { shown: "unknown" in own ? all : own, isAll: false };
}

interface Asking {
  readonly mounts: NonNullable<Dialect["mounts"]>;
  readonly path: string;
  readonly isAhead: boolean;
}

/** What is mounted, read once a run, and again for a mount that was not there yet. */
async function mountsIn(operation: Operation, from: string, { mounts, path, isAhead }: Asking): Promise<ShownMounts> {
  const { run, signal } = operation;
  const key = placeKey(operation, from);
  const known = run.mounts.get(key);
  if (known) {
    const shown = await unlessAborted(known, signal);
    if (isAhead || "unknown" in shown || mountAt(shown, path)) return shown;
  }
  const asked = askFor(operation, from, mounts);
  run.mounts.set(key, asked);
  // A failure is not kept: the next one to ask tries again.
  asked.catch(() => run.mounts.get(key) === asked && run.mounts.delete(key));
  return unlessAborted(asked, signal);
}

const REFUSED: readonly (number | undefined)[] = [403, 404, 405];

async function askFor(
  { connection, definition }: Operation,
  from: string,
  mounts: NonNullable<Dialect["mounts"]>,
): Promise<ShownMounts> {
  try {
    const reply = await connection.collection(from, "types of mounts");
    return reply.kind === "found" ? mounts.in(from, reply.record) : { unknown: `there is no ${from}.` };
  } catch (error) {
    if (!isProviderError(error) || !REFUSED.includes(error.status)) throw error;
    const { status = 0, details = [] } = error;
    // A token that nobody knows is told by the write, which is not begun, and not by a warning before it as well.
    if (dialects[definition.dialect].logins?.isUnknown({ status, text: details.join() })) throw error;
    return { unknown: messageOf(error) };
  }
}

function mountAt(mounts: readonly ShownMount[], path: string): ShownMount | undefined {
  return mounts.filter((mount) => `${path}/`.startsWith(mount.path)).sort((a, b) => b.path.length - a.path.length)[0];
}
