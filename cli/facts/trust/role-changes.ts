import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import { type Entrance, entranceOf, isClosed, relationOf } from "./entrance";
import { entranceChange } from "./entrance-changes";
import { gainOf, groupsGain, lose, policiesOf, policyWords, receive } from "./gain-words";
import { HIDDEN_NOW, NOT_SHOWN } from "./not-shown";
import { settingChanges } from "./role-settings";
import { issuerFor } from "./sentences";
import { code, listed, policiesText, type Said } from "./trust-change";
import { type CreateOutcome, newText } from "./trust-record";
import { lower, type Who, whoText } from "./who-words";

/** A role before and after a change; undefined where it is not there. */
export interface RolePair {
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  /** Properties that are hidden on both sides and have not the same value. */
  readonly differing: readonly string[];
  /** The configuration of its auth method, as far as it is known. */
  readonly method: Values | undefined;
  /** The groups in which the auth method puts those who log in. */
  readonly groups: readonly Values[];
  /** Those of its policies whose paths the server fills in, user by user. */
  readonly templated: readonly string[];
  readonly outcome?: CreateOutcome | undefined;
}

/** Who gains or loses which policy by a role. */
export function roleChanges(pair: RolePair): readonly Said[] {
  const { before, after } = pair;
  // An empty list of values for a claim lets nobody in.
  if ([before, after].every((role) => role === undefined || isClosed(entranceOf(role)))) return [];
  if (before !== undefined && after !== undefined) return changesBetween(pair, before, after);
  if (after !== undefined) {
    const { who, gain } = loginOf(pair, after);
    return [
      {
        effect: effectFor(after),
        sentence: `${who.text} now ${receive(who, gain)}: ${newText("role", pair.outcome)}.`,
      },
    ];
  }
  if (before === undefined) return [];
  const { who, gain } = loginOf(pair, before);
  return [{ effect: "loses", sentence: `${who.text} ${lose(who, gain)}: the role is gone.` }];
}

/** What a role gives that the stack does not manage. */
export function foreignRole(pair: RolePair, role: Values): Said {
  const { who, gain } = loginOf(pair, role);
  return { effect: effectFor(role), sentence: `${who.text} ${receive(who, gain)}, and this stack does not say so.` };
}

/** What a role gives that leaves the stack and stays on the server. */
export function leftRole(pair: RolePair, role: Values): Said {
  const { who, gain } = loginOf(pair, role);
  const sentence = `${who.text} still ${receive(who, gain)}, and nobody manages the role any more.`;
  return { effect: "unclear", sentence };
}

interface Login {
  readonly who: Who;
  readonly gain: string;
}

function loginOf(pair: RolePair, role: Values): Login {
  return {
    who: whoText(entranceOf(role), subjectOf(pair, role)),
    gain: gainOf(policiesOf(role), role, pair.groups),
  };
}

const subjectOf = ({ method = {} }: RolePair, role: Values) => ({
  issuer: issuerFor(role, method),
  mount: role["mount"],
});

/** A role that demands nothing of a token but its audience is open: every token for the server has that. */
function effectFor(role: Values): "opens" | "gains" {
  return isOpen(entranceOf(role)) ? "opens" : "gains";
}

const isOpen = ({ gates }: Entrance) => gates.every(({ claim }) => claim === "aud");

function changesBetween(pair: RolePair, before: Values, after: Values): readonly Said[] {
  const [was, is] = [entranceOf(before), entranceOf(after)];
  const relation = relationOf(was, is, pair.differing);
  const subject = subjectOf(pair, after);
  const who = whoText(is, { ...subject, changed: relation.changed });
  const [olds, news] = [policiesOf(before), policiesOf(after)];
  const isHidden = pair.differing.includes("tokenPolicies") || (hasUnknown(news) && !hasUnknown(olds));
  const kept = news.filter((name) => olds.includes(name));
  const gained = isHidden || isClosed(is) ? [] : news.filter((name) => !olds.includes(name));
  const lost = isHidden || isClosed(was) || hasUnknown(olds) ? [] : olds.filter((name) => !news.includes(name));
  const claimOf = ({ groupsClaim }: Values) => (isEmpty(groupsClaim) ? "" : canonicalText(groupsClaim));
  const isSameClaim = claimOf(before) === claimOf(after) && !pair.differing.includes("groupsClaim");
  const byClaim = isSameClaim ? after : {};
  // Of a role that gives other policies than before, only what stays is said here.
  const isSwapped = kept.length === 0 && news.length > 0;
  const gain = isSwapped ? groupsGain(byClaim, pair.groups) : gainOf(kept, byClaim, pair.groups);
  const entrance = entranceChange({ before: was, after: is, relation, gain, ...subject });
  // Those who only now get in are told with what they get.
  const isSaid = gain === "" && gained.length > 0;
  return [
    ...(entrance === undefined || isSaid ? [] : [entrance]),
    ...(gained.length === 0 ? [] : [gainedPolicies(who, { gained, olds, kept, isOpen: isOpen(is) })]),
    ...(isHidden ? [hiddenPolicies(who)] : []),
    ...(lost.length === 0 ? [] : [lostPolicies(whoText(was, subject), lost)]),
    ...(isSameClaim || isClosed(was) || isClosed(is)
      ? []
      : [groupsClaimChange(who, { before, after, groups: pair.groups })]),
    ...mappingChange(who, { before, after, templated: pair.templated }),
    ...settingChanges(before, after, pair.differing),
  ];
}

interface GainedPolicies {
  readonly gained: readonly string[];
  readonly olds: readonly string[];
  readonly kept: readonly string[];
  readonly isOpen: boolean;
}

function gainedPolicies(who: Who, { gained, olds, kept, isOpen }: GainedPolicies): Said {
  const before = olds.length === 0 ? "none" : hasUnknown(olds) ? `policies ${NOT_SHOWN}` : `only ${policiesText(olds)}`;
  const effect = isOpen ? "opens" : hasUnknown(olds) ? "unclear" : "gains";
  return {
    effect,
    sentence: `${who.text} now ${kept.length === 0 ? "" : "also "}${receive(who, policyWords(gained))}; before, ${before}.`,
  };
}

function lostPolicies(who: Who, lost: readonly string[]): Said {
  return { effect: "loses", sentence: `${who.text} ${lose(who, policyWords(lost))}.` };
}

function hiddenPolicies({ text }: Who): Said {
  return { effect: "unclear", sentence: `Which policies go to ${lower(text)} cannot be told: they are ${HIDDEN_NOW}.` };
}

interface Sides {
  readonly before: Values;
  readonly after: Values;
}

function groupsClaimChange(who: Who, { before, after, groups }: Sides & Pick<RolePair, "groups">): Said {
  const [was, is] = [groupsGain(before, groups), groupsGain(after, groups)];
  if (hasUnknown([before["groupsClaim"], after["groupsClaim"]])) {
    const sentence = `In which groups ${lower(who.text)} are cannot be told: the claim is ${HIDDEN_NOW}.`;
    return { effect: "unclear", sentence };
  }
  if (is === "") return { effect: "loses", sentence: `${who.text} ${lose(who, was)}.` };
  const then = was === "" ? "the claim was not read" : `of the claim ${code(before["groupsClaim"])}`;
  return { effect: "gains", sentence: `${who.text} now ${receive(who, is)}; before, ${then}.` };
}

/** Metadata of the login, from which the server fills in paths of policies. */
function mappingChange(
  who: Who,
  { before, after, templated: policies }: Sides & Pick<RolePair, "templated">,
): readonly Said[] {
  const [was, is] = [before, after].map(({ claimMappings }) => claimMappings ?? {});
  if (policies.length === 0 || canonicalText(was) === canonicalText(is)) return [];
  const claimsOf = (mappings: unknown) =>
    isRecord(mappings) && !isEmpty(mappings) ? listed(Object.keys(mappings).map(code), "and") : "no claim";
  const then = claimsOf(was) === claimsOf(is) ? "in other fields" : `from ${claimsOf(was)}`;
  const give = `${policyWords(policies)} ${policies.length === 1 ? "gives" : "give"}`;
  const sentence = `The paths that ${give} to ${lower(who.text)} are now filled in from ${claimsOf(is)}; before, ${then}.`;
  return [{ effect: hasUnknown([was, is]) ? "unclear" : "gains", sentence }];
}
