import { isEmpty } from "../../../provider/core/canonical";
import type { IdleBound } from "./report";
import { demandsOf, withoutDemand } from "./sentences";
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
  const roleOf = ({ mount, role }: Attempt) => roleAt(world, mount, role);
  const tested = new Set(attempts.flatMap((attempt) => roleOf(attempt) ?? []));
  const refusedBy = Map.groupBy(refused, roleOf);
  const idle: IdleBound[] = [];
  for (const role of tested) {
    const own = refusedBy.get(role) ?? [];
    for (const { name, without } of boundsOf(role)) {
      if (!(await decides(world, without, own))) idle.push({ mount: role.mount, role: role.name, bound: name });
    }
  }
  return idle;
}

async function decides(world: TrustWorld, without: TrustRole, refused: readonly Attempt[]): Promise<boolean> {
  if (refused.length === 0) return false;
  await world.putRole(RELAXED, without);
  for (const attempt of refused) {
    const result = await logIn(world, { ...attempt, role: RELAXED }, without);
    if (!("refused" in result)) return true;
  }
  return false;
}

function boundsOf(role: TrustRole): readonly Bound[] {
  const { values } = role;
  const demanded = demandsOf(values).map(({ property }) => property);
  const names = [...demanded, ...(isEmpty(values["tokenBoundCidrs"]) ? [] : ["tokenBoundCidrs"])];
  return names
    .filter((name) => name !== "boundAudiences" || role.browser === undefined)
    .map((name) => {
      const audience = name === "boundAudiences" ? undefined : role.audience;
      const left = names.length > 1 ? {} : { tokenBoundCidrs: ANYWHERE };
      return { name, without: { ...role, audience, values: { ...withoutDemand(values, name), ...left } } };
    });
}

/** Servers refuse a role without any demand. This one holds for everybody. */
const ANYWHERE = ["0.0.0.0/0", "::/0"];
