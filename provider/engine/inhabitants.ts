import type { Definition, Values, WireRecord } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { same } from "../core/field";
import { stateOf } from "../core/record";
import { requestPath } from "../core/template";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { assertCanBeTakenOver } from "./decide";
import { type Operation, titleOf } from "./operation";

/** Refuses a delete that takes other records along, or may do so: a collection that cannot be listed may hold some. */
export async function assertUninhabited(
  operation: Operation,
  values: Values,
  record: WireRecord | undefined,
): Promise<void> {
  const { inhabited } = operation.definition;
  if (!inhabited || values[inhabited.unless] === true) return;
  const title = titleOf(operation.definition, values);
  const todo = `set ${inhabited.unless}: true on ${title} and update it`;
  // What a list of mounts does not show may be there all the same.
  const live = record ? stateOf(operation.definition, record, values) : values;
  if (isForeign(operation.definition, values, live)) {
    const what = "another one is there than was recorded: somebody else has made it since";
    throw new ProviderError("InputError", `${what}. Refresh the state to see it; if it is to be deleted, ${todo}.`);
  }
  const templates = inhabited.by(live);
  if (templates === undefined) {
    const what = `it is not known how to list what lives in a mount of type ${JSON.stringify(live["type"])}`;
    throw new ProviderError("InputError", `${what}, and it would be lost. Where nothing does, ${todo}.`);
  }
  for (const template of templates) {
    const path = requestPath(template, values);
    const names = await namesIn(operation, path);
    if (names === undefined) {
      const what = `this server cannot list ${path}, and what lives there would be lost`;
      throw new ProviderError("InputError", `${what}. Where nothing does, ${todo}.`);
    }
    if (names.length === 0) continue;
    const some = names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
    const what = names.length === 1 ? "1 record still lives" : `${names.length} records still live`;
    throw new ProviderError(
      "InputError",
      `${what} in ${path} (${some}) and would be lost. Delete them first, or ${todo}.`,
    );
  }
}

/** Refuses to change what somebody else has made in a record's place, unless a creation would take it over. */
export function assertOwn(
  { definition, log }: Operation,
  { olds, values }: { readonly olds: Values; readonly values: Values },
  record: WireRecord | undefined,
): void {
  if (!definition.inhabited || record === undefined) return;
  const live = stateOf(definition, record, {});
  if (!isForeign(definition, olds, live)) return;
  assertCanBeTakenOver(definition, { ...values, ...live }, values);
  log("info", `${titleOf(definition, values)} was made anew by somebody else and is taken over`);
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
