import type { Values } from "../core/definition";
import { isProviderError } from "../core/errors";
import { soon } from "./foreseen-mount";
import { homeOf } from "./look";
import type { Operation } from "./operation";
import { isDeletedAt } from "./run-notes";

/**
 * What a look finds; undefined where this run has found that the record which holds all that is looked for is gone, as a policy
 * set with its parameters. A 404 alone does not say so: it may mean "no permission". The look at the other one may come later.
 */
export async function unlessHomeIsGone<T>(
  operation: Operation,
  values: Values,
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    const home = homeOf(operation, values);
    if (!isProviderError(error) || error.status !== 404 || home === undefined) throw error;
    if (await soon(operation, () => isDeletedAt(operation, home.path))) return undefined;
    throw error;
  }
}
