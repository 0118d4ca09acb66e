import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { isLike } from "../../../provider/core/is-like";
import { hasUnknown } from "../../../provider/core/unknowns";
import { NOT_SHOWN } from "./not-shown";
import type { TrustChange } from "./report";
import { settingChanges } from "./role-settings";
import { type Demand, demandsOf, listOf } from "./sentences";
import { code, hiddenText, listed, policiesText } from "./trust-change";

/** A role before and after a change; undefined where it is not there. */
export interface RolePair {
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  /** Whose tokens its auth method takes, as far as that is known. */
  readonly issuer: string | undefined;
  /** The stack does not manage it. */
  readonly isOthers?: boolean;
}

type Said = Omit<TrustChange, "by">;

/** What decides who logs in with a role, and with what result. */
const DECISIVE = [
  "boundAudiences",
  "boundSubject",
  "boundClaims",
  "boundClaimsType",
  "tokenBoundCidrs",
  "tokenPolicies",
  "roleType",
  "groupsClaim",
];

/** Who gains or loses which policy by a role. */
export function roleChanges({ before, after, issuer, isOthers = false }: RolePair): readonly Said[] {
  const unclear = DECISIVE.filter((name) => {
    const [was, is] = [before?.[name], after?.[name]];
    return (hasUnknown(was) || hasUnknown(is)) && !(hasUnknown(was) && hasUnknown(is) && before && after);
  });
  const names = policiesOf(after ?? before);
  if (unclear.length > 0) {
    const who = `Who may ${become(names.filter((name) => !hasUnknown(name)))} cannot be told`;
    const sentence = `${who}: ${hiddenText(unclear.map(code))}.`;
    return [{ effect: "unclear", sentence }];
  }
  if (before === undefined && after !== undefined) {
    const who = whoText(after, issuer);
    const sentence = isOthers
      ? `${who} may ${become(names)}, and this stack does not say so.`
      : `${who} may now ${become(names)}: the role is new.`;
    return [{ effect: isOpen(after) ? "opens" : "gains", sentence }];
  }
  if (after === undefined || before === undefined) {
    if (before === undefined) return [];
    return [
      { effect: "loses", sentence: `${whoText(before, issuer)} may no longer ${become(names)}: the role is gone.` },
    ];
  }
  const [olds, news] = [policiesOf(before), policiesOf(after)];
  const gained = news.filter((name) => !olds.includes(name));
  const lost = olds.filter((name) => !news.includes(name));
  const kept = news.filter((name) => olds.includes(name));
  const who = whoText(after, issuer);
  return [
    ...(kept.length > 0 || olds.length + news.length === 0 ? gateChanges(before, after, kept) : []),
    ...(gained.length === 0
      ? []
      : [{ effect: isOpen(after) ? "opens" : "gains", sentence: `${who} may now ${become(gained)}.` } as const]),
    ...(lost.length === 0 ? [] : [{ effect: "loses", sentence: `${who} may no longer ${become(lost)}.` } as const]),
    ...groupsClaimChange(before, after),
    ...settingChanges(before, after),
  ];
}

/** The policies of a role, in order. */
export function policiesOf(role: Values | undefined): readonly string[] {
  return listOf(role?.["tokenPolicies"])
    .map((name) => String(name))
    .sort();
}

function become(policies: readonly string[]): string {
  return policies.length === 0 ? "log in" : `become ${policiesText(policies)}`;
}

/** True where a role demands nothing of a token but its audience, which every token for the server has. */
function isOpen(role: Values): boolean {
  return gatesOf(role).every(({ property }) => property === "boundAudiences");
}

function kindOf(role: Values): string {
  return role["roleType"] === "jwt" ? "tokens" : "logins through a browser";
}

function whoText(role: Values, issuer: string | undefined): string {
  const of = issuer === undefined ? "" : ` of ${code(issuer)}`;
  const gates = gatesOf(role);
  return gates.length === 0 ? `All ${kindOf(role)}${of}` : `${upper(kindOf(role))}${of} with ${gatesText(gates)}`;
}

/** What a role demands: of the claims, and of the address. */
function gatesOf(role: Values): readonly Demand[] {
  const accepted = listOf(role["tokenBoundCidrs"]);
  const address = { property: "tokenBoundCidrs", claim: "address", accepted, isGlob: false };
  return [...demandsOf(role), ...(accepted.length === 0 ? [] : [address])];
}

function gatesText(gates: readonly Demand[]): string {
  return listed(gates.map(gateText), "and");
}

function gateText({ property, claim, accepted, isGlob }: Demand): string {
  const like = isGlob && accepted.some((value) => String(value).includes("*")) ? "like " : "";
  if (property === "boundClaims") return `claims ${NOT_SHOWN}`;
  return `${code(claim)} ${like}${listed(accepted.map(code), "or")}`;
}

interface Gate {
  readonly was: Demand | undefined;
  readonly is: Demand | undefined;
}

/** Who may log in now, and who before; policies that the role had and has. */
function gateChanges(before: Values, after: Values, policies: readonly string[]): readonly Said[] {
  const [olds, news] = [gatesOf(before), gatesOf(after)];
  const properties = [...new Set([...olds, ...news].map(({ property }) => property))];
  const all = properties.map((property): Gate => {
    const at = (gates: readonly Demand[]) => gates.find((gate) => gate.property === property);
    return { was: at(olds), is: at(news) };
  });
  const changed = all.filter(({ was, is }) => acceptedText(was) !== acceptedText(is));
  const isOtherKind = kindOf(before) !== kindOf(after);
  if (changed.length === 0 && !isOtherKind) return [];
  const rest = all.filter((gate) => !changed.includes(gate)).flatMap(({ is }) => is ?? []);
  const still = rest.length === 0 ? "" : ` (and still ${gatesText(rest)})`;
  const sides = (side: keyof Gate) =>
    listed(
      changed.map((gate) => {
        const [own, other] = [gate[side], gate[side === "is" ? "was" : "is"]];
        return own === undefined ? `any ${code(other?.claim)}` : gateText(own);
      }),
      "and",
    );
  const [now, then] = [sides("is"), sides("was")];
  if (isOtherKind) {
    const sentence = `${upper(kindOf(after))}${now && ` with ${now}`}${still} may now ${become(policies)}; before ${kindOf(before)}${then && ` with ${then}`}.`;
    return [{ effect: "gains", sentence }];
  }
  const kind = kindOf(after);
  if (changed.every(({ was, is }) => covers(was, is)))
    return [
      {
        effect: "loses",
        sentence: `Only ${kind} with ${now}${still} may still ${become(policies)}; before with ${then}.`,
      },
    ];
  const isWider = changed.every(({ was, is }) => covers(is, was));
  const effect = isWider && changed.some(({ is }) => is === undefined) ? "opens" : "gains";
  const only = isWider ? "only " : "";
  const sentence = `${upper(kind)} with ${now}${still} may now ${become(policies)}; before ${only}with ${then}.`;
  return [{ effect, sentence }];
}

function acceptedText(gate: Demand | undefined): string {
  if (gate === undefined) return "";
  return canonicalText(
    gate.accepted
      .map((value) => [value, isPattern(gate, value)])
      .map(canonicalText)
      .sort(),
  );
}

/** True where whatever meets the other demand meets this one, too. */
function covers(gate: Demand | undefined, other: Demand | undefined): boolean {
  if (gate === undefined) return true;
  // Even `*` demands that the claim is there.
  if (other === undefined) return false;
  return other.accepted.every((value) =>
    gate.accepted.some((mine) =>
      isPattern(gate, mine)
        ? isLike(String(mine), String(value))
        : !isPattern(other, value) && canonicalText(mine) === canonicalText(value),
    ),
  );
}

function isPattern({ isGlob }: Demand, value: unknown): boolean {
  return isGlob && String(value).includes("*");
}

function groupsClaimChange(before: Values, after: Values): readonly Said[] {
  const [was, is] = [before["groupsClaim"], after["groupsClaim"]].map((claim) => String(claim ?? ""));
  if (was === is) return [];
  const from = (claim: string | undefined) => (claim ? `the claim ${code(claim)}` : "no claim");
  const sentence = `The groups of a login, and the policies of these, now come from ${from(is)}; before from ${from(was)}.`;
  return [{ effect: is === "" ? "loses" : "gains", sentence }];
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
