/**
 * The life of a stack, played at random. A user edits his program, renames and moves what is in it, from one provider
 * instance to another and between single resources and sets, and changes hosts and addresses; others
 * change the server behind his back; requests are cut and falsified, the provider is killed, the server is rebuilt. After every run, and after the next one that nobody disturbs:
 *
 * * I1 the server has what the program says, and a preview shows no change; a record of the program that was there before a
 *   run that succeeds is there after it;
 * * I2 nothing of others was touched, but for a record that the program took over by its name, and one of which a preview
 *   has said that an exclusive set removes it;
 * * I3 no secret of the program and no token is in the state, in a message or in a log;
 * * I4 what the state says is what the server has, or the run failed and said why;
 * * I5 after a run that failed, one undisturbed run does it, after what the message asks for;
 * * I6 nothing is written or deleted on another server than the recorded one.
 *
 * In half of all lives some reads are answered by nodes that have not seen the last write yet (`replicas.ts`). Nothing of the
 * above may suffer by that, as far as a run's own writes go. Whether a node is behind a write of an earlier run, or of
 * another hand, nobody who reads can know: of a run that was misled so it is looked at whether it has touched what is not
 * its own (but for what went with a mount that was shown empty), lost or deleted what the program has, shown a secret or failed
 * without a word. That the state is true, and that
 * nothing was taken without a yes, is looked at in the run after it, when the nodes have caught up and the user refreshes.
 *
 * `moves.ts` is what can happen, `edits.ts`, `outside.ts` and `play.ts` do it, `pulumi.ts` is Pulumi's engine, `terraform.ts`
 * Terraform's core, `kinds.ts` is what a server should have, `checks.ts` and `heal.ts` are the promises.
 *
 * On Terraform an alias is a `moved` block, a component is a module, a provider instance is a `provider` block, and `terraform-cli.ts` says what the
 * runs are. Not played there: changes of the host, marks of what is not secret by itself, `cluster.PeeringToken` (Terraform has
 * none), `create_before_destroy`, `-target`, `-refresh=false`, moves from another provider's types. No host plays
 * `prevent_destroy` (`protect`), `removed` blocks (`retainOnDelete`) and `ignore_changes`.
 *
 * A short budget runs always, with a fixed seed. A long one:
 * `TRUSTPLANE_MODEL_MINUTES=60 npx vitest run test/model`, with TRUSTPLANE_MODEL_SEED, TRUSTPLANE_MODEL_HOSTS=engine,plugin
 * and TRUSTPLANE_MODEL_QUICK=1, which does not shrink; on a busy machine TRUSTPLANE_MODEL_SPEED=5. TRUSTPLANE_MODEL_PATH is the `path` of a failure: it begins there. Pin what it finds in `regressions.ts` and
 * `terraform-regressions.ts`.
 */

import { describe, expect, it, vi } from "vitest";
import { fc } from "../support/fast-check.ts";
import { hurry } from "./fast-clock.ts";
import { type Counts, firstMoves, live, livesOf, replay } from "./lives.ts";
import { moveNames } from "./moves.ts";
import type { HostName } from "./provider-process.ts";
import { regressions } from "./regressions.ts";
import { terraformRegressions } from "./terraform-regressions.ts";

hurry();
vi.mock("node:timers/promises", async (original) => (await import("./fast-clock.ts")).hurried(await original()));

const minutes = Number(process.env["TRUSTPLANE_MODEL_MINUTES"] ?? 0);
const seed = Number(process.env["TRUSTPLANE_MODEL_SEED"] ?? (minutes === 0 ? 12 : Date.now() % 1_000_000));
const endOnFailure = process.env["TRUSTPLANE_MODEL_QUICK"] !== undefined;
const path = process.env["TRUSTPLANE_MODEL_PATH"];
const MOVES = 30;
/** One node that is behind; one that is for longer; two in turn, of which the first or the second one is. */
const BEHIND = [[true], [true, true, true], [true, false, true], [false, true], [false, false, true, true]] as const;

/** Lives on each host in the short run; the engine has all that the hosts share. */
const SHORT: Readonly<Record<HostName, number>> = { engine: 24, dynamic: 8, plugin: 8, terraform: 4 };
const hosts = (process.env["TRUSTPLANE_MODEL_HOSTS"]?.split(",") ?? Object.keys(SHORT)) as HostName[];

// First: a long run is cut off in the middle of a life, which still has the tokens of its servers in the environment.
describe("what has gone wrong once does not again", () => {
  it("is pinned", () => expect(regressions.length).toBeGreaterThan(10));
  for (const { title, moves, ...beginning } of [...regressions, ...terraformRegressions]) {
    it(`${title} (${beginning.host})`, () => replay(beginning, moves));
  }
});

if (minutes > 0) {
  it(`keeps all promises for ${minutes} minutes (seed ${seed})`, { timeout: (minutes + 15) * 60_000 }, async () => {
    const counts: Counts = {};
    // Three of five lives are the engine's, which are the fastest.
    const host = fc.constantFrom(...hosts.flatMap((name) => (name === "engine" ? [name, name, name] : [name])));
    await fc.assert(lifeOn(host, counts), {
      seed,
      ...(path === undefined ? {} : { path }),
      endOnFailure,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: minutes * 60_000,
      markInterruptAsFailure: false,
    });
    console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
    // The engine and Terraform have no other host.
    const isAlone = hosts.every((each) => each === "engine" || each === "terraform");
    const possible = moveNames.filter((name) => name !== "host" || !isAlone);
    expect(possible.filter((name) => counts[name] === undefined)).toEqual([]);
    expect(counts["stale reads"]).toBeGreaterThan(0);
  });
} else {
  it.each(hosts)("keeps all promises on the host %s", { timeout: 120_000 }, async (name) => {
    const counts: Counts = {};
    await fc.assert(lifeOn(fc.constant(name), counts), { seed, endOnFailure, numRuns: SHORT[name] });
    expect(Object.keys(counts).length).toBeGreaterThan(10);
  });
}

function lifeOn(host: fc.Arbitrary<HostName>, counts: Counts) {
  const addressing = fc.constantFrom("configuration" as const, "environment" as const);
  const lag = fc.record({ behind: fc.constantFrom(...BEHIND), isFar: fc.boolean(), hasIndex: fc.boolean() });
  const beginning = fc.record({ host, addressing, lag: fc.oneof(fc.constant(undefined), lag) });
  return fc.asyncProperty(beginning, firstMoves, livesOf(MOVES, counts), (...life) => live(...life, counts));
}
