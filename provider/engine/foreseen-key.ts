import type { Values } from "../core/definition";
import { stateOf } from "../core/record";
import { fateOfOwnKey, isReplaced, isSamePair } from "../core/rotation";
import { hasUnknown } from "../core/unknowns";
import { observe } from "./look";
import { type Operation, titleOf } from "./operation";

/** Says in a preview what other credentials of the program do to a key that nobody but the server has. */
export async function foreseeKey(operation: Operation, olds: Values, news: Values): Promise<void> {
  const { definition, log } = operation;
  const { rotation } = definition;
  if (!rotation) return;
  const isAnothers = isReplaced(rotation, { olds, news });
  if ((isSamePair(news, olds) && !isAnothers) || hasUnknown([news[rotation.keyId], news[rotation.secret]])) return;
  // A look that cannot be made is no error: the update looks again.
  const record = await observe(operation, olds).catch(() => undefined);
  const live = record && stateOf(definition, record, {});
  const fate = live && fateOfOwnKey(rotation, live, { olds, news });
  if (fate === undefined) return;
  const { keyId, secret, expected } = rotation;
  const key = `the server has the ${keyId} ${String(live?.[keyId])} by now, which is not the program's`;
  const lost = `and its ${secret} is lost where only the server has it`;
  const does = {
    kept: `: it stays, as the program's is dead, which is not sent again, nor another ${secret} for it. Set both to those of a new key`,
    lost: `: the new key replaces it, ${lost}. Delete it in the cloud, where it stays valid`,
    another: `: an update writes the program's again, ${lost}. Set \`${expected}: true\` where the server rotates its key`,
  }[isAnothers ? "another" : fate];
  log("warning", `${titleOf(definition, news)}: ${key}${does}.`);
}
