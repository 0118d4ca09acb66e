import type { Values } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { requestPath } from "../core/template";
import { dialects } from "../dialects";
import type { Dialect } from "../dialects/dialect";
import { type Operation, titleOf } from "./operation";

/** Refuses a delete that takes other records along, or may do so: a collection that cannot be listed may hold some. */
export async function assertUninhabited(operation: Operation, values: Values): Promise<void> {
  const { inhabited } = operation.definition;
  if (!inhabited || values[inhabited.unless] === true) return;
  const todo = `set ${inhabited.unless}: true on ${titleOf(operation.definition, values)} and update it`;
  const templates = inhabited.by(values);
  if (templates === undefined) {
    const what = `it is not known how to list what lives in a mount of type ${JSON.stringify(values["type"])}`;
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
