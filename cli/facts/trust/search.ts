import { claimAt, withClaimAt } from "../../../provider/core/claim-at";
import { isLike } from "../../../provider/core/is-like";
import { addressFor, builtClaims, type FlatClaims, nearValues, without } from "./built-claims";
import { demandsOf, filledNames, listOf } from "./sentences";
import { mayBecome } from "./templated-rules";
import type { NeverTest } from "./trust-file";
import { logIn } from "./trust-login";
import { type TrustRole, type TrustWorld, untoldPolicies } from "./trust-world";

/** How many generated tokens are tried for each role. */
const TRIES = 300;

/** The seed of the generated tokens: the same tests try the same ones. */
const SEED = 1;

/**
 * A token that gets the policy although it has not the claims that may, in one sentence; undefined where none was found. Where
 * none of the tokens that are built to get in does, nothing is known of the role, and the sentence says so.
 */
export async function counterexample(world: TrustWorld, never: NeverTest["never"]): Promise<string | undefined> {
  const roles = world.roles.filter(({ mount }) => mount === never.mount);
  for (const role of roles) {
    const found = await searchedRole(world, role, never);
    if (found !== undefined) return found;
  }
  return roles.map((role) => untoldPolicy(role, never.policy)).find((why) => why !== undefined);
}

/** Why it cannot be told whether logins with a role have a policy: claims fill in the name of one that may be it. */
function untoldPolicy(role: TrustRole, policy: string): string | undefined {
  return untoldPolicies(filledNames(role.values).filter((name) => mayBecome(name, policy)));
}

type IsForbidden = (claims: FlatClaims) => Promise<boolean>;

async function searchedRole(world: TrustWorld, role: TrustRole, { policy, unless }: NeverTest["never"]) {
  const { mount, name } = role;
  const address = addressFor(role);
  let hasLoggedIn = false;
  let refused = "";
  const isForbidden: IsForbidden = async (flat) => {
    const claims = nested(flat);
    const isExcused = meets(claims, unless);
    // Of very many users of a server most are excused: one login shows that there are any.
    if (isExcused && hasLoggedIn) return false;
    const result = await logIn(world, { mount, role: name, claims, address });
    if ("refused" in result) {
      refused ||= result.refused;
      return false;
    }
    hasLoggedIn = true;
    return !isExcused && result.policies.includes(policy) && !filledNames(role.values).includes(policy);
  };
  const groups = world.groups.filter((group) => group.mount === mount && group.policies.includes(policy));
  const users = world.users.filter(
    (each) => each.mount === mount && each.policies.includes(policy) && mayBeUser(role, each.user),
  );
  const near = nearValues({
    ...role,
    unless,
    groups: groups.map(({ alias }) => alias),
    users: users.map(({ user }) => user),
  });
  const built = await firstOf(builtClaims(near), isForbidden);
  if (!hasLoggedIn)
    return `nothing that was built logs in with role ${name} at auth/${mount}: ${refused}; so it cannot be told whom it gives policy ${policy}`;
  const claims = built === undefined ? await generated(near, isForbidden) : await smallest(built, isForbidden);
  if (claims === undefined) return undefined;
  const { tokenPolicies, userClaim } = role.values;
  const entity = users.find(({ user }) => user === claims[String(userClaim)]);
  const by = entity === undefined || listOf(tokenPolicies).includes(policy) ? "" : `, by ${entity.title}`;
  return `role ${name} gives policy ${policy} to a token with the claims ${JSON.stringify(nested(claims))}${by}`;
}

/** False for a user whom the role refuses by what it demands of the very claim that names users: none of these is tried. */
function mayBeUser({ values }: TrustRole, user: string): boolean {
  return demandsOf(values)
    .filter(({ claim }) => claim === values["userClaim"])
    .every(({ accepted, isGlob }) =>
      accepted.map(String).some((value) => (isGlob ? isLike(value, user) : value === user)),
    );
}

async function firstOf(all: readonly FlatClaims[], isForbidden: IsForbidden): Promise<FlatClaims | undefined> {
  for (const claims of all) if (await isForbidden(claims)) return claims;
  return undefined;
}

/** The claims without those that the role does not need. */
async function smallest(claims: FlatClaims, isForbidden: IsForbidden): Promise<FlatClaims> {
  let least = claims;
  for (const name of Object.keys(claims)) {
    const others = without(least, name);
    if (await isForbidden(others)) least = others;
  }
  return least;
}

async function generated(near: ReadonlyMap<string, readonly unknown[]>, isForbidden: IsForbidden) {
  // Only these tests need it.
  const { default: fc } = await import("fast-check");
  const like = (values: readonly unknown[]) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...values) },
      { weight: 1, arbitrary: fc.constantFrom("x", "main", "") },
      { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
    );
  const arbitrary = fc.record(Object.fromEntries([...near].map(([name, values]) => [name, like(values)])), {
    requiredKeys: [],
  });
  const { counterexample: found } = await fc.check(
    fc.asyncProperty(arbitrary, async (claims) => !(await isForbidden(claims))),
    { numRuns: TRIES, seed: SEED },
  );
  return found?.[0];
}

const nested = (flat: FlatClaims) =>
  Object.entries(flat).reduce<FlatClaims>((claims, [name, value]) => withClaimAt(claims, name, value), {});

/** True where each of these claims is there, and as it must be. Without any, no token may have the policy. */
function meets(claims: FlatClaims, unless: Readonly<Record<string, string>>): boolean {
  const demands = Object.entries(unless);
  if (demands.length === 0) return false;
  return demands.every(([name, pattern]) => {
    const value = claimAt(claims, name);
    return typeof value === "string" && isLike(pattern, value);
  });
}
