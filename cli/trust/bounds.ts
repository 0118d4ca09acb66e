import { isEmpty } from "../../provider/core/canonical";
import { isRecord } from "../../provider/core/unknowns";
import type { IdleBound } from "./report";
import { type Attempt, logIn, roleAt } from "./trust-login";
import type { TrustRole, TrustWorld } from "./trust-world";

/** One demand of a role on tokens, such as `boundClaims.ref`, and the role without it. */
interface Bound {
  readonly name: string;
  readonly without: TrustRole;
}

/** A name that no role has. */
const RELAXED = "trustplane-test-relaxed";

/** Which demands of the tested roles decided nothing: without them every refused login would be refused, too. */
export async function idleBounds(
  world: TrustWorld,
  attempts: readonly Attempt[],
  refused: readonly Attempt[],
): Promise<readonly IdleBound[]> {
  const tested = new Set(attempts.flatMap(({ mount, role }) => roleAt(world, mount, role) ?? []));
  const idle: IdleBound[] = [];
  for (const role of tested) {
    const own = refused.filter((attempt) => roleAt(world, attempt.mount, attempt.role) === role);
    for (const { name, without } of boundsOf(role)) {
      if (!(await decides(world, without, own))) idle.push({ mount: role.mount, role: role.name, bound: name });
    }
  }
  return idle;
}

async function decides(world: TrustWorld, without: TrustRole, refused: readonly Attempt[]): Promise<boolean> {
  await world.putRole(RELAXED, without);
  for (const attempt of refused) {
    // The other name has no audience of its own; a role without audiences accepts only tokens that have none.
    const claims = { aud: without.audience ?? null, ...attempt.claims };
    const result = await logIn(world, { ...attempt, claims, role: RELAXED });
    if (!("refused" in result)) return true;
  }
  return false;
}

function boundsOf(role: TrustRole): readonly Bound[] {
  const { values } = role;
  const plain = ["boundSubject", "tokenBoundCidrs"].filter((name) => !isEmpty(values[name]));
  const claims = isRecord(values["boundClaims"]) ? values["boundClaims"] : {};
  return [
    ...(isEmpty(values["boundAudiences"]) || role.isBrowser
      ? []
      : [
          {
            name: "boundAudiences",
            without: { ...role, audience: undefined, values: { ...values, boundAudiences: [] } },
          },
        ]),
    ...plain.map((name) => ({ name, without: { ...role, values: { ...values, [name]: undefined } } })),
    ...Object.keys(claims).map((claim) => {
      const { [claim]: _, ...others } = claims;
      return { name: `boundClaims.${claim}`, without: { ...role, values: { ...values, boundClaims: others } } };
    }),
  ];
}
