import type { Values } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import { requestPath } from "../core/template";
import { isRecord } from "../core/unknowns";
import { type Operation, titleOf } from "./operation";

/** What Vault says to a list of records where the mount has no such collection, or none that can be listed. */
export const NO_COLLECTION = /unsupported (path|operation)/;

/** Refuses a delete that would take other records along, or that may: what cannot be listed is not taken for empty. */
export async function assertUninhabited(
  operation: Operation,
  values: Values,
  { force }: { readonly force: "heeded" | "ignored" },
): Promise<void> {
  const { inhabited } = operation.definition;
  if (!inhabited || (force === "heeded" && values[inhabited.unless] === true)) return;
  const title = titleOf(operation.definition, values);
  const todo =
    force === "heeded" ? `set ${inhabited.unless}: true on ${title} and update it` : "remove the mount yourself";
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
async function namesIn({ connection, signal }: Operation, path: string): Promise<readonly unknown[] | undefined> {
  const reply = await connection
    .ask({ method: "GET", path: `${path}?list=true`, signal })
    .catch((error: unknown): undefined => {
      // The server's own words, not those of a proxy before it.
      const said = isProviderError(error) ? (error.details ?? []) : [];
      if (!said.some((detail) => NO_COLLECTION.test(detail))) throw error;
    });
  if (reply === undefined) return undefined;
  // Of a list the connection has seen to it that it has names.
  return reply.kind === "found" && isRecord(reply.record) ? (reply.record["keys"] as string[]) : [];
}
