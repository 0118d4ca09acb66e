import { assertDone, assertSafe, Violation } from "./checks.ts";
import type { Life } from "./life.ts";
import { RunFailed } from "./pulumi.ts";
import { REMEDIES } from "./remedies.ts";
import { type Run, saysOverwritten } from "./run.ts";

/**
 * Which key wins is said for one update. Left in the program, it would win over a key that the server rotates later; who goes back to
 * what the program said then does not say it again. Answers whether there was such a word.
 */
function withoutTakeOvers({ program }: Life): boolean {
  const before = program.declarations;
  const isSettled = program.settled === program.declarations;
  for (const { number, values } of program.declarations) {
    const { rotatedByServer, ...others } = values;
    if (rotatedByServer === false) program.change(number, { values: others });
  }
  if (isSettled) program.settled = program.declarations;
  return program.declarations !== before;
}

function refusalIn(error: unknown): RunFailed {
  if (error instanceof RunFailed) return error;
  throw error;
}

/** Both servers rebuilt, a mount and a root key of somebody else, and a role: each has a message of its own. */
const ATTEMPTS = 8;

/** I5: whatever happened, one undisturbed run brings everything in order, after what its message asks for. The first may have
 * been made already. */
export async function heal(life: Life, first?: Run): Promise<void> {
  const { world, drifted } = life;
  let doesRefresh = drifted.size > 0 || life.isReborn || first?.isMisled === true;
  const follow = async (failure: RunFailed) => {
    const { message } = failure;
    const remedy = REMEDIES.find(({ says, when }) => says.test(message) && when(life, failure));
    if (remedy === undefined) throw new Violation("I5 recovery", `an undisturbed run fails: ${message}`);
    await remedy.apply(life, failure, heal);
    doesRefresh ||= remedy.refreshes === true;
  };
  // Of what the user has not looked at since, he knows that it may fail.
  if (first?.failure && !doesRefresh) await follow(first.failure);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const run = await life.run(doesRefresh ? "up --refresh" : "up");
    assertSafe(life, run);
    if (run.isMisled) {
      world.traffic.catchUp();
      doesRefresh = true;
      attempt -= 1;
      continue;
    }
    if (run.failure === undefined) {
      if (life.isReborn && !world.isAcknowledged)
        throw new Violation("I6 elsewhere", "nobody has noticed another server");
      world.variables = {};
      // A record that the preview took for another resource's is removed by the run after the next preview.
      if (saysOverwritten(run)) {
        doesRefresh = true;
        continue;
      }
      if (run.said.some((text) => /the next one (of the whole program )?does/.test(text))) continue;
      life.formerServers.clear();
      life.drifted.clear();
      // With that word a plan of Terraform would replace the key, too, that the same run has rotated.
      if (withoutTakeOvers(life)) continue;
      // A plan of Terraform may refuse what the one before it has let pass.
      const refusal = await assertDone(life).catch(refusalIn);
      if (refusal === undefined) return;
      await follow(refusal);
      continue;
    }
    await follow(run.failure);
  }
  throw new Violation("I5 recovery", `${ATTEMPTS} undisturbed runs have failed`);
}
