import { canonicalText, isEmpty } from "./canonical";
import type { Definition, Rotation, Values } from "./definition";
import { ProviderError } from "./errors";
import { hasFingerprint } from "./fingerprint";
import { FINGERPRINTS, INCOMPLETE } from "./state-names";
import { isRecord } from "./unknowns";

/** Whether the program says that the server rotates the key. */
export function isExpected({ expected, schedules }: Rotation, values: Values): boolean {
  return values[expected] === true || schedules.some((name) => !isEmpty(values[name]));
}

/** Whether the program has given a key, and does not say whether another one is a rotation's. */
export function isDoubtful(rotation: Rotation, values: Values): boolean {
  const { [FINGERPRINTS]: taken } = values;
  return (
    isRecord(taken) && rotation.keyId in taken && values[rotation.expected] !== false && !isExpected(rotation, values)
  );
}

/**
 * A key that was rotated after the program set its credentials replaces the program's key: it is no difference, unless the program
 * says that nobody rotates it. A check sees the inputs of the last run only: what the server has done since is in the state.
 */
export function withLiveKey(rotation: Rotation | undefined, inputs: Values, olds: Values): Values {
  if (!rotation || inputs[rotation.expected] === false) return inputs;
  const { keyId } = rotation;
  if (isEmpty(inputs[keyId]) || isEmpty(olds[keyId]) || !isSameKey(rotation, inputs, olds)) return inputs;
  return { ...inputs, [keyId]: olds[keyId] };
}

/** What a read records as the key: where rotations are expected, the server's key is no difference. */
export function expectedKey(rotation: Rotation, live: unknown, current: unknown, state: Values): unknown {
  return isExpected(rotation, state) && !isEmpty(live) ? (current ?? live) : live;
}

/**
 * The credentials that a write must not send: a rotation makes the program's invalid, until the program has new ones. A
 * record that is taken over has no `olds`, and one that was imported, or taken over by a write that failed, no fingerprints:
 * nobody knows whether the program's credentials were ever written there.
 */
export function deadCredentials(
  rotation: Rotation,
  live: Values,
  { olds, news }: { readonly olds: Values | undefined; readonly news: Values },
): readonly string[] {
  const { keyId, secret } = rotation;
  if (olds?.[FINGERPRINTS] === undefined) return foundCredentials(rotation, live, news);
  if (isEmpty(news[keyId]) || isEmpty(live[keyId]) || !isSameKey(rotation, news, olds)) return [];
  if (isReplaced(rotation, { olds, news })) return [];
  return hasFingerprint(news, keyId, live[keyId]) ? [] : [keyId, secret];
}

/**
 * The credentials that a write need not send: the server has them, and the program has given no others. What is not sent cannot
 * undo a rotation that the look before the write has missed.
 */
export function keptCredentials(
  { keyId, secret }: Rotation,
  live: Values,
  { olds, news }: { readonly olds: Values | undefined; readonly news: Values },
): readonly string[] {
  const isWritten = olds?.[FINGERPRINTS] !== undefined && olds[INCOMPLETE] === undefined && isSamePair(news, olds);
  return isWritten && !isEmpty(news[keyId]) && hasFingerprint(news, keyId, live[keyId]) ? [keyId, secret] : [];
}

/** Whether a refresh has found another key than the program's, who says that nobody rotates it: the program's is written again. */
export function isReplaced(
  rotation: Rotation,
  { olds, news }: { readonly olds: Values; readonly news: Values },
): boolean {
  const { keyId } = rotation;
  return !isEmpty(olds[keyId]) && news[keyId] !== olds[keyId] && isSameKey(rotation, news, olds);
}

/** Of what the server never answers, the property that moves with it: any key is right where rotations are expected. */
export function witnessesOf({ witnesses, rotation }: Definition, values: Values): Definition["witnesses"] {
  if (!rotation || isExpected(rotation, values)) return witnesses;
  return { ...witnesses, [rotation.secret]: rotation.keyId };
}

/**
 * The state knows nothing of a record that the program takes over. Its key may come from a rotation of the program's key,
 * and overwriting it would cut the server off. So the program has to say which key stays.
 */
function foundCredentials({ keyId, secret, expected }: Rotation, live: Values, news: Values): readonly string[] {
  const found = live[keyId];
  if (isEmpty(found) || found === news[keyId] || news[expected] === false) return [];
  if (news[expected] === true) return [keyId, secret];
  const there = `the record already has another ${keyId} (${String(found)}) than the program`;
  const todo = `set \`${expected}: true\` to keep it, or \`${expected}: false\` for this update only to replace it with the program's`;
  throw new ProviderError("InputError", `${there}: ${todo}.`);
}

/**
 * What a write of other credentials than before does to a key that the server has made itself: it throws the key away, or leaves it,
 * where the program has another secret for the key that was rotated away. Undefined where the server has the program's key.
 */
export function fateOfOwnKey(
  rotation: Rotation,
  live: Values,
  { olds, news }: { readonly olds: Values; readonly news: Values },
): "kept" | "lost" | undefined {
  const { keyId } = rotation;
  const isPrograms = isEmpty(live[keyId]) || hasFingerprint(olds, keyId, live[keyId]) || live[keyId] === news[keyId];
  if (isPrograms || olds[FINGERPRINTS] === undefined) return undefined;
  return isSameKey(rotation, news, olds) ? "kept" : "lost";
}

/** True when the program has the same key as the last time. A key has one secret: with another one it is no other key. */
function isSameKey({ keyId }: Rotation, news: Values, olds: Values): boolean {
  const [now, then] = [news, olds].map(({ [FINGERPRINTS]: taken }) => (isRecord(taken) ? taken[keyId] : undefined));
  return now !== undefined && now === then;
}

/** True when the program has the same credentials as the last time. */
export function isSamePair(news: Values, olds: Values): boolean {
  return canonicalText(news[FINGERPRINTS]) === canonicalText(olds[FINGERPRINTS]);
}
