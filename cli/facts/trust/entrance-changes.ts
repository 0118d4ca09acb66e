import { hasUnknown } from "../../../provider/core/unknowns";
import { beyondGate, type Entrance, type Gate, isClosed, type Relation } from "./entrance";
import { type Gain, receive } from "./gain-words";
import { HIDDEN_NOW } from "./not-shown";
import { listed, type Said } from "./trust-change";
import { claimName, gateText, hiddenDemands, lower, partsOf, type Who, whoText } from "./who-words";

/** Whom a role lets in before and after a change, and what they get. */
export interface EntrancePair {
  readonly before: Entrance;
  readonly after: Entrance;
  readonly relation: Relation;
  readonly gain: Gain;
  /** Of the auth method. */
  readonly issuer: string | undefined;
  readonly mount: unknown;
}

/** Who may log in now, and who before. */
export function entranceChange(pair: EntrancePair): Said | undefined {
  const { hasNobodyNew, keepsEverybody } = pair.relation;
  if (hasNobodyNew === true) return keepsEverybody === true ? undefined : narrower(pair);
  const isHidden = hiddenDemands(gatesAt(pair, "after")) !== "" || pair.after.isBrowser === undefined;
  return hasNobodyNew === undefined && isHidden ? unclear(pair) : wider(pair);
}

function narrower({ before, after, relation: { changed }, gain, issuer, mount }: EntrancePair): Said {
  if (isClosed(after)) {
    const [closed] = after.gates.filter(({ accepted, isBarred }) => accepted.length === 0 && !isBarred);
    const why = `a list of values for ${claimName(closed?.claim ?? "")} is empty`;
    return { effect: "loses", sentence: `Nobody ${receive(ONE, gain)} any more: ${why}.` };
  }
  const who = whoText(after, { issuer, mount, changed, isMany: true });
  const gone = only(before, after, changed);
  // "On any branch or tag" says of the kind of ref that there was no demand.
  const told = changed.filter((claim) => claim !== "ref_type" || has(before, claim) || !changed.includes("ref"));
  const then = gone === undefined ? partsOf(before, told) : `also ${gateText(gone, before.isBrowser)}`;
  return {
    effect: "loses",
    sentence: `Only ${lower(who.text)} still ${receive(who, gain)}, and others no longer (before, ${then}).`,
  };
}

function unclear({ relation: { changed }, gain }: EntrancePair): Said {
  const what =
    changed.length === 0 ? "the kind of login" : `what the role demands of ${listed(changed.map(claimName), "and")}`;
  return { effect: "unclear", sentence: `Who ${receive(ONE, gain)} cannot be told: ${what} is ${HIDDEN_NOW}.` };
}

function wider(pair: EntrancePair): Said {
  const { before, after, relation, gain, issuer, mount } = pair;
  const { changed, hasNobodyNew, keepsEverybody } = relation;
  const fresh = only(after, before, changed);
  const news = fresh === undefined ? after : withGate(after, fresh);
  const who = whoText(news, { issuer, mount, changed });
  const isGone = changed.some((claim) => has(before, claim) && !has(after, claim));
  // A demand that is gone let nobody in but those who met it, whatever it was.
  const isOpened = isGone && keepsEverybody === true;
  const effect = isOpened ? "opens" : hasNobodyNew === undefined ? "unclear" : "gains";
  const too = keepsEverybody === true && isBeside(fresh, before) ? ", too" : "";
  return { effect, sentence: `${who.text} now ${receive(who, gain)}${too}${then(pair)}.` };
}

/** Who got it before, at the end of a sentence about those who get it now. */
function then(pair: EntrancePair): string {
  const { before, after, relation, issuer, mount } = pair;
  const { changed, keepsEverybody } = relation;
  if (isClosed(before)) return "; before, nobody";
  const its = gatesAt(pair, "before");
  const hidden = hiddenDemands(its);
  const isWhole = before.isBrowser !== after.isBrowser || (!demandsMore(after) && hidden === "");
  const onlyIf = (text: string) => (keepsEverybody === false || text === "" ? text : `only ${text}`);
  if (isWhole) return `; before, ${onlyIf(lower(whoText(before, { issuer, mount, changed, isMany: true }).text))}`;
  if (its.some(({ isBarred }) => isBarred)) return ", and no longer without an audience";
  const gone = only(before, after, changed);
  if (gone !== undefined && only(after, before, changed) !== undefined)
    return `, and no longer ${gateText(gone, before.isBrowser)}`;
  const known = its.filter(({ accepted }) => !hasUnknown(accepted));
  const claims = changed.filter(
    (claim) => !has({ ...before, gates: its }, claim) || known.some((gate) => gate.claim === claim),
  );
  const was = onlyIf(partsOf({ ...before, gates: known }, claims));
  return `; before, ${listed(
    [was, hidden].filter((part) => part !== ""),
    "and",
  )}`;
}

/** True where more than the audience is demanded. */
function demandsMore({ gates }: Entrance): boolean {
  return gates.some(({ claim }) => claim !== "aud");
}

const ONE: Pick<Who, "isOne"> = { isOne: true };

function has({ gates }: Entrance, claim: string): boolean {
  return gates.some((gate) => gate.claim === claim);
}

/** What one side demands of the claims whose demands differ. */
function gatesAt(pair: EntrancePair, side: "before" | "after"): readonly Gate[] {
  return pair[side].gates.filter(({ claim }) => pair.relation.changed.includes(claim));
}

/** The values of one side that the other one does not take, where these values are all that differs. */
function only(side: Entrance, other: Entrance, changed: readonly string[]): Gate | undefined {
  const [claim, ...more] = changed;
  if (more.length > 0 || side.isBrowser !== other.isBrowser) return undefined;
  const [[own, ...rest], [its, ...others]] = [side, other].map(({ gates }) =>
    gates.filter((gate) => gate.claim === claim),
  ) as [Gate[], Gate[]];
  if (own === undefined || its === undefined || rest.length + others.length > 0) return undefined;
  if (hasUnknown([own.accepted, its.accepted])) return undefined;
  if (own.isBarred || its.isBarred) return own.isBarred && its.isBarred ? undefined : own;
  const accepted = beyondGate(own, its);
  return accepted.length === 0 ? undefined : { ...own, accepted };
}

/** Whether these values let in others than those before, and not also them. */
function isBeside(fresh: Gate | undefined, { gates }: Entrance): boolean {
  const old = gates.find(({ claim }) => claim === fresh?.claim);
  return fresh !== undefined && old !== undefined && beyondGate(old, fresh).length === old.accepted.length;
}

function withGate(entrance: Entrance, gate: Gate): Entrance {
  return { ...entrance, gates: entrance.gates.map((each) => (each.claim === gate.claim ? gate : each)) };
}
