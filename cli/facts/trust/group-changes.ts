import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { setDifference } from "../../text/lists";
import { lose, policyNames, policyWords, receive } from "./gain-words";
import { HIDDEN_NOW } from "./not-shown";
import type { RecordPair } from "./record-pairs";
import { listOf } from "./sentences";
import { code, listed, policiesText, type Said } from "./trust-change";
import { newText } from "./trust-record";
import { lower, type Who } from "./who-words";

const MEMBERS = ["memberEntityIds", "memberGroupIds"];

/** Who gains or loses which policy by a group. `differing` are hidden properties whose values are not the same. */
export function groupChanges({ was: before, is: after, differing, outcome }: RecordPair): readonly Said[] {
  const isUnclear = ["policies", "alias", ...MEMBERS].some((name) => {
    const [was, is] = [before?.[name], after?.[name]];
    return differing.includes(name) || (before && after && hasUnknown(was) !== hasUnknown(is));
  });
  if (isUnclear || hasUnknown((after ?? before)?.["policies"]))
    return [{ effect: "unclear", sentence: `Whom the group gives what cannot be told: it is ${HIDDEN_NOW}.` }];
  const [olds, news] = [policyNames(before?.["policies"]), policyNames(after?.["policies"])];
  const kept = news.filter((name) => olds.includes(name));
  const { more: gained, missing: lost } = setDifference(news, olds);
  const had =
    before === undefined
      ? newText("group", outcome)
      : `before, ${olds.length === 0 ? "none" : `only ${policiesText(olds)}`}`;
  const isNew = before === undefined ? ":" : ";";
  const sayGain = (who: Who): Said => ({
    effect: "gains",
    sentence: `${who.text} now ${kept.length === 0 ? "" : "also "}${receive(who, policyWords(gained))}${isNew} ${had}.`,
  });
  const sayLoss = (who: Who): Said => ({
    effect: "loses",
    sentence: `${who.text} ${lose(who, policyWords(lost))}${after === undefined ? ": the group is gone" : ""}.`,
  });
  return [
    ...(gained.length === 0 || after === undefined ? [] : [sayGain(whoOf(after))]),
    ...(lost.length === 0 || before === undefined ? [] : [sayLoss(whoOf(before))]),
    ...(before && after && kept.length > 0 ? memberChanges(before, after, policyWords(kept)) : []),
  ];
}

/** What a group gives that leaves the stack and stays on the server. */
export function leftGroup(group: Values): readonly Said[] {
  const names = policyNames(group["policies"]);
  if (names.length === 0) return [];
  const who = whoOf(group);
  const sentence = `${who.text} still ${receive(who, policyWords(names))}, and nobody manages the group any more.`;
  return [{ effect: "unclear", sentence }];
}

function memberChanges(before: Values, after: Values, gain: string): readonly Said[] {
  if (canonicalText(before["alias"] ?? {}) !== canonicalText(after["alias"] ?? {})) {
    const [was, is] = [whoOf(before), whoOf(after)];
    // An external group without an alias has no members.
    if (isEmpty(after["alias"])) return [{ effect: "loses", sentence: `${was.text} ${lose(was, gain)}.` }];
    return [
      {
        effect: "gains",
        sentence: `${is.text} now ${receive(is, gain)}, and no longer ${lower(was.text).replace("everybody", "those")}.`,
      },
    ];
  }
  const [olds, news] = [before, after].map((values) => MEMBERS.flatMap((name) => listOf(values[name]).map(String)));
  const { more: come, missing: gone } = setDifference(news, olds);
  const said = (effect: Said["effect"], ids: readonly string[], verb: typeof receive): readonly Said[] => {
    const who = {
      text: `The ${ids.length === 1 ? "member" : "members"} ${listed(ids.map(code), "and")}`,
      isOne: ids.length === 1,
    };
    const now = effect === "gains" ? "now " : "";
    return ids.length === 0 ? [] : [{ effect, sentence: `${who.text} ${now}${verb(who, gain)}.` }];
  };
  return [...said("gains", come, receive), ...said("loses", gone, lose)];
}

function whoOf({ alias }: Values): Who {
  if (!isRecord(alias) || isEmpty(alias)) return { text: "The members of the group", isOne: false };
  const mount = code(`auth/${String(alias["mount"])}`);
  return { text: `Everybody whose login at ${mount} carries the group ${code(alias["name"])}`, isOne: true };
}
