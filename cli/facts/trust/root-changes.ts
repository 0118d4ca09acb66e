import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown } from "../../../provider/core/unknowns";
import type { MountAround } from "./mount-lifetimes";
import { HIDDEN_NOW } from "./not-shown";
import type { RecordPair } from "./record-pairs";
import { code, listed, type Said } from "./trust-change";

/** What decides whose credentials a cloud engine hands out, in words. A key that is replaced under the same ID is of the same user. */
const DECIDED: Readonly<Record<string, string>> = {
  accessKey: "root key",
  roleArn: "role to assume",
  iamEndpoint: "endpoint",
  stsEndpoint: "endpoint",
  stsFallbackEndpoints: "endpoint",
};

/** Whose credentials a cloud engine hands out: the cloud alone knows what account and rights a key stands for. */
export function rootChanges({ was, is, differing, outcome, isLeft }: RecordPair, mount: MountAround): readonly Said[] {
  const what = `credentials of ${code((is ?? was)?.["mount"])}`;
  const unclear = (why: string): readonly Said[] => [
    { effect: "unclear", sentence: `From which account and with which rights ${what} come cannot be told: ${why}.` },
  ];
  if (is === undefined) {
    if (mount.isGone || was === undefined) return [];
    return isLeft
      ? [leftRoot(was)]
      : unclear("without a root key, they come by what the server itself has, if anything");
  }
  if (was === undefined) {
    if (outcome === "asDeclared" || (outcome === undefined && mount.isNew)) return [];
    return unclear("before, this stack did not manage the root key");
  }
  const others = Object.keys(DECIDED).filter(
    (name) => differing.includes(name) || canonicalText(was[name] ?? "") !== canonicalText(is[name] ?? ""),
  );
  const knownFirst = others.toSorted((a, b) => Number(hasUnknown(is[a])) - Number(hasUnknown(is[b])));
  const words = knownFirst.map((name) => {
    if (hasUnknown(is[name])) return `${DECIDED[name]} that is ${HIDDEN_NOW}`;
    return isEmpty(is[name]) ? `no ${DECIDED[name]} of its own` : `another ${DECIDED[name]}`;
  });
  if (words.length === 0) return [];
  return unclear(`the engine now has ${listed([...new Set(words)].map(withArticle), "and")}`);
}

const withArticle = (words: string) => words.replace(/^endpoint/, "an endpoint").replace(/^(?=ro)/, "a ");

/** Where the record stays on the server, and leaves the stack. */
export function leftRoot({ mount }: Values): Said {
  const sentence = `Credentials of ${code(mount)} still come by its root key, and nobody manages it any more.`;
  return { effect: "unclear", sentence };
}
