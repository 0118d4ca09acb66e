import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { isLike } from "../../../provider/core/is-like";
import { hasUnknown, UNKNOWN } from "../../../provider/core/unknowns";
import { coversEverybody, isBlockWithin } from "./address-blocks";
import { type Demand, demandsOf, listOf } from "./sentences";

/** One demand on those who log in. It may be about the same claim as another one: both count then. */
export interface Gate extends Demand {
  /** The claim must not be there. */
  readonly isBarred: boolean;
}

/** Who may log in with a role. */
export interface Entrance {
  /** Undefined where it is hidden. */
  readonly isBrowser: boolean | undefined;
  readonly gates: readonly Gate[];
}

/** Yes, no, or undefined where a hidden value decides. */
type Known = boolean | undefined;

/** Whom a role lets in, by the rules of the server. */
export function entranceOf(role: Values): Entrance {
  const { roleType, boundAudiences, boundClaimsType, tokenBoundCidrs } = role;
  const isBrowser = hasUnknown(roleType) ? undefined : roleType !== "jwt";
  const demands = demandsOf(role).map((each): Gate => {
    const isHidden = each.property.startsWith("boundClaims") && hasUnknown(boundClaimsType);
    const claim = each.property === "boundClaims" ? CLAIMS : plainName(each.claim);
    return { ...each, claim, accepted: isHidden ? [UNKNOWN, ...each.accepted] : each.accepted, isBarred: false };
  });
  // With a JWT, a role without audiences refuses every token that has one.
  const barred: readonly Gate[] =
    isBrowser === false && isEmpty(boundAudiences)
      ? [{ property: "boundAudiences", claim: "aud", accepted: [], isGlob: false, isBarred: true }]
      : [];
  const blocks = listOf(tokenBoundCidrs);
  const address: readonly Gate[] =
    blocks.length === 0 || coversEverybody(blocks)
      ? []
      : [{ property: "tokenBoundCidrs", claim: ADDRESS, accepted: blocks, isGlob: false, isBarred: false }];
  return { isBrowser, gates: [...barred, ...demands, ...address] };
}

/** These stand among the claims for what is none of them, and for claims that are hidden as a whole. */
export const ADDRESS = "the address";
export const CLAIMS = "the claims";

/** A pointer to a claim and the claim's name are the same demand. */
function plainName(claim: string): string {
  const [, name] = /^\/([^/]*)$/.exec(claim) ?? [];
  return name === undefined ? claim : name.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** How two entrances compare. */
export interface Relation {
  /** Whoever gets in after the change got in before. */
  readonly hasNobodyNew: Known;
  /** Whoever got in before the change gets in after it. */
  readonly keepsEverybody: Known;
  /** The claims whose demands differ. */
  readonly changed: readonly string[];
}

/** Compares the whole of two entrances; `differing` are properties whose hidden values are not the same. */
export function relationOf(before: Entrance, after: Entrance, differing: readonly string[]): Relation {
  const within = (outer: readonly Gate[], inner: readonly Gate[]) =>
    all(outer.map((gate) => isImplied(gate, inner, differing)));
  const sameKind =
    before.isBrowser === undefined || after.isBrowser === undefined
      ? before.isBrowser === after.isBrowser && !differing.includes("roleType")
        ? true
        : undefined
      : before.isBrowser === after.isBrowser;
  const claims = [...new Set([...before.gates, ...after.gates].map(({ claim }) => claim))];
  const at = ({ gates }: Entrance, name: string) => gates.filter(({ claim }) => claim === name);
  return {
    hasNobodyNew: all([sameKind, isClosed(after) ? true : within(before.gates, after.gates)]),
    keepsEverybody: all([sameKind, isClosed(before) ? true : within(after.gates, before.gates)]),
    changed: claims.filter(
      (name) => !(within(at(before, name), after.gates) === true && within(at(after, name), before.gates) === true),
    ),
  };
}

/** True where a demand has no value that meets it. */
export function isClosed({ gates }: Entrance): boolean {
  return gates.some(({ accepted, isBarred }) => accepted.length === 0 && !isBarred);
}

/** True where whoever meets all of these demands meets the gate, too. */
function isImplied(gate: Gate, others: readonly Gate[], differing: readonly string[]): Known {
  return some(others.map((other) => covers(gate, other, differing)));
}

function covers(gate: Gate, other: Gate, differing: readonly string[]): Known {
  const isWhole = ({ claim }: Gate) => claim === CLAIMS;
  if (gate.claim !== other.claim) {
    // Claims that are hidden as a whole may have any of them.
    const [one, two] = [gate, other].map(({ property }) => property.startsWith("boundClaims"));
    return one && two && (isWhole(gate) || isWhole(other)) ? undefined : false;
  }
  if (gate.isBarred || other.isBarred) return gate.isBarred && other.isBarred;
  const isSame = gate.property === other.property && !rootsOf(gate).some((name) => differing.includes(name));
  if (isSame && gate.isGlob === other.isGlob && canonicalText(gate.accepted) === canonicalText(other.accepted))
    return true;
  return all(other.accepted.map((value) => some(gate.accepted.map((mine) => accepts([gate, mine], [other, value])))));
}

const rootsOf = ({ property }: Gate) =>
  property.startsWith("boundClaims") ? ["boundClaims", "boundClaimsType"] : [property];

function accepts([gate, mine]: readonly [Gate, unknown], [other, value]: readonly [Gate, unknown]): Known {
  if (hasUnknown(mine) || hasUnknown(value)) return undefined;
  if (gate.claim === ADDRESS) return isBlockWithin(String(value), String(mine));
  return isPattern(gate, mine)
    ? isLike(String(mine), String(value))
    : !isPattern(other, value) && canonicalText(mine) === canonicalText(value);
}

/** True for a value that stands for others. */
export function isPattern({ isGlob }: Demand, value: unknown): boolean {
  return isGlob && String(value).includes("*");
}

/** The values of the first gate that the second one does not take. */
export function beyondGate(gate: Gate, other: Gate): readonly unknown[] {
  return gate.accepted.filter((value) => covers(other, { ...gate, accepted: [value] }, []) !== true);
}

function all(parts: readonly Known[]): Known {
  return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
}

function some(parts: readonly Known[]): Known {
  return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
}
