import { claimAt, withClaimAt } from "../../provider/core/claim-at";
import { isLike } from "../../provider/core/is-like";
import { isRecord } from "../../provider/core/unknowns";
import type { NeverTest } from "./trust-file";
import { logIn } from "./trust-login";
import type { TrustRole, TrustWorld } from "./trust-world";

type Claims = Readonly<Record<string, unknown>>;

/** How many generated tokens are tried for each role. */
const TRIES = 300;

/** The seed of the generated tokens: the same tests try the same ones. */
const SEED = 1;

/** A token that gets the policy although it has not the claims that may; undefined where none was found. */
export async function counterexample(
  world: TrustWorld,
  { mount, policy, unless }: NeverTest["never"],
): Promise<string | undefined> {
  // Only these tests need it.
  const { default: fc } = await import("fast-check");
  for (const role of world.roles.filter((each) => each.mount === mount)) {
    const names = claimNames(role, unless);
    const arbitrary = fc
      .record(
        Object.fromEntries(
          names.map((name) => [
            name,
            fc.oneof(
              ...valuesFor(role, name).map((value) => fc.constant(value)),
              fc.constantFrom("x", "main", ""),
              fc.string({ maxLength: 12 }),
            ),
          ]),
        ),
        { requiredKeys: [] },
      )
      .map((found) =>
        Object.entries(found).reduce<Claims>((claims, [name, value]) => withClaimAt(claims, name, value), {}),
      );
    const isForbidden = async (claims: Claims) => {
      if (meets(claims, unless)) return false;
      const result = await logIn(world, { mount, role: role.name, claims, address: "127.0.0.1" });
      return !("refused" in result) && result.policies.includes(policy);
    };
    const found = await fc.check(
      fc.asyncProperty(arbitrary, async (claims) => !(await isForbidden(claims))),
      { numRuns: TRIES, seed: SEED },
    );
    const [claims] = found.counterexample ?? [];
    if (claims !== undefined)
      return `role ${role.name} gives policy ${policy} to a token with the claims ${JSON.stringify(claims)}`;
  }
  return undefined;
}

/** True where each of these claims is there, and as it must be. */
function meets(claims: Claims, unless: Readonly<Record<string, string>>): boolean {
  return Object.entries(unless).every(([name, pattern]) => {
    const value = claimAt(claims, name);
    return typeof value === "string" && isLike(pattern, value);
  });
}

function claimNames({ values }: TrustRole, unless: Readonly<Record<string, string>>): readonly string[] {
  const bound = isRecord(values["boundClaims"]) ? Object.keys(values["boundClaims"]) : [];
  const mapped = isRecord(values["claimMappings"]) ? Object.keys(values["claimMappings"]) : [];
  const own = [values["userClaim"], values["groupsClaim"]].filter((name) => typeof name === "string" && name !== "");
  return [...new Set(["sub", ...own.map(String), ...bound, ...mapped, ...Object.keys(unless)])];
}

/** Values near what the role demands: the very one, one that a glob accepts, and one that is longer. */
function valuesFor({ values }: TrustRole, claim: string): readonly unknown[] {
  const bound = isRecord(values["boundClaims"]) ? values["boundClaims"][claim] : undefined;
  const listed = Array.isArray(bound) ? bound : bound === undefined ? [] : [bound];
  return listed.flatMap((each) =>
    typeof each === "string" ? [each, each.replaceAll("*", "x"), each.replaceAll("*", ""), `${each}x`] : [each],
  );
}
