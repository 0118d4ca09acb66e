import type { Values } from "../core/definition";
import { isProviderError, ProviderError } from "../core/errors";
import type { Records } from "../core/members";
import { untilCurrent } from "./look";
import { messageOf, type SetOperation, titleOf } from "./operation";
import { listRecords } from "./unmanaged";

/** What failed of a record of a set. */
export interface Failed {
  readonly message: string;
  readonly error: unknown;
}

/** How is said in a preview of a set that not all of it will be refused: the comment of a pull request finds these words. */
export const SOME_FAIL = "records will fail: ";

/** How many failures a message has room for. */
const SHOWN = 5;

/** One failure for those of several records of a set, of which the others are done, unless it is a preview. */
export function failed(failures: readonly Failed[], all: number, { isPreview = false } = {}): ProviderError {
  const todos = new Set(failures.flatMap(({ error }) => (isProviderError(error) && error.todo) || []));
  const messages = [...new Set(failures.map(({ message }) => message))];
  const shown = messages.slice(0, SHOWN).map((message) => withoutEnd(message, todos));
  const more = messages.length > SHOWN ? [`and ${messages.length - SHOWN} more`] : [];
  const what = all === 1 ? "" : `${failures.length} of ${all} ${isPreview ? SOME_FAIL : "records failed: "}`;
  const others = failures.length < all && !isPreview ? ["The other records are done; the next run repairs these."] : [];
  const text = [`${what}${[...shown, ...more].join("; ")}.`, ...todos, ...others].join(" ");
  const first = failures.map(({ error }) => error).find(isProviderError);
  return new ProviderError(first?.code === "PartialError" ? "ApiError" : (first?.code ?? "NetworkError"), text);
}

/** What is to be done is said once, for all of them. */
function withoutEnd(message: string, todos: ReadonlySet<string>): string {
  const todo = [...todos].find((each) => message.endsWith(each)) ?? "";
  return message
    .slice(0, message.length - todo.length)
    .trimEnd()
    .replace(/\.$/, "");
}

/**
 * Of records that were deleted, those that one list still shows, or all where it fails; where there is no such list, each
 * was looked for.
 */
export async function stillThere({ set, members }: SetOperation, values: Values, deleted: Records): Promise<Still[]> {
  if (deleted.size === 0 || !members.of.read.pick) return [];
  const still = (name: string, record: Values, why: string): Still => {
    const message = `deleting ${titleOf(members.of, record)}: ${why}`;
    return { name, record, message, error: new ProviderError("ApiError", message) };
  };
  try {
    const list = async () => new Set((await listRecords(set, members, values)).names);
    const isGone = (names: ReadonlySet<string>) => [...deleted.keys()].every((name) => !names.has(name));
    const names = await untilCurrent(set, values, list, isGone);
    const left = [...deleted].filter(([name]) => names.has(name));
    return left.map(([name, record]) => still(name, record, "it was deleted, and is still there"));
  } catch (error) {
    const why = `it was deleted, but that could not be confirmed: ${messageOf(error)}`;
    return [...deleted].map(([name, record]) => still(name, record, why));
  }
}

interface Still extends Failed {
  readonly name: string;
  readonly record: Values;
}
