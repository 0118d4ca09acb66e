import { assertDone, assertSafe, Violation } from "./checks.ts";
import { nameFormer } from "./edits.ts";
import { kinds } from "./kinds.ts";
import type { Life } from "./life.ts";
import { evict } from "./outside.ts";
import { placesIn } from "./owners.ts";
import type { RunFailed } from "./pulumi.ts";
import type { Run } from "./run.ts";

/** What a message may ask the user to do, where it is right to ask. Answers whether it was done. */
interface Remedy {
  readonly says: RegExp;
  /** When the message is right. */
  when(life: Life, failure: RunFailed): boolean;
  apply(life: Life, message: string): Promise<unknown> | unknown;
  /** Refreshes from then on. */
  readonly refreshes?: boolean;
}

const REMEDIES: readonly Remedy[] = [
  {
    // The mount has another root key than the program: the user knows whether it came from a rotation of his own.
    says: /set `rotatedByServer: true` to keep it, or `rotatedByServer: false` for this update only/,
    when: ({ program }) => program.declarations.some(({ kind }) => kind === "rootConfig"),
    apply: sayWhoseKey,
  },
  {
    says: /set TRUSTPLANE_REBUILT=\S+ in the environment/,
    when: ({ isReborn }) => isReborn,
    apply({ world }, message) {
      const [, name = ""] = /TRUSTPLANE_REBUILT=([\w:./-]+)/.exec(message) ?? [];
      const { TRUSTPLANE_REBUILT: before } = world.variables;
      const names = before === undefined ? name : `${before},${name}`;
      world.variables = { ...world.variables, TRUSTPLANE_REBUILT: names };
    },
    refreshes: true,
  },
  {
    // Others live in our mount, or have a record of our name that is not to be had.
    says: /Delete them first|Choose another name, or remove what is there|already in use|already been taken/,
    when: ({ squatters }) => squatters.size > 0,
    apply: evict,
  },
  {
    // Under its new name the resource finds its own mount, of another kind, in the way.
    says: /Delete them first|Choose another name, or remove what is there|already in use/,
    when: ({ program }) => program.declarations.some(({ former }) => former.length > 0),
    apply: ({ program }) => nameFormer(program),
  },
  {
    // A run that failed has left two names of one mount, and now both go with what lives in it. Pulumi deletes the older
    // name beside those records, so that the next run succeeds; here, where one step follows the other, the user drops it.
    says: /Delete them first/,
    when: (life) => olderNames(life).length > 0,
    apply(life) {
      for (const urn of olderNames(life)) life.stack.forget(urn);
    },
  },
  {
    // The user has seen in the preview what goes.
    says: /raise `maxDeletes`/,
    when: ({ program }) => program.declarations.some(({ values }) => typeof values["maxDeletes"] === "number"),
    apply({ program }) {
      for (const { number, values } of program.declarations)
        program.change(number, { values: { ...values, maxDeletes: undefined } });
    },
  },
  {
    // What no state has may be somebody else's: the user has seen what differs.
    says: /it exists already with other content: .* TRUSTPLANE_TAKE_OVER=always for one run/,
    when: isOfOthers,
    apply({ world }) {
      world.variables = { ...world.variables, TRUSTPLANE_TAKE_OVER: "always" };
    },
  },
  { says: /pulumi up --refresh/, when: ({ drifted }) => drifted.size > 0, apply: () => {}, refreshes: true },
];

/** The record is in no state, or in that of a name of which the program does not tell. */
function isOfOthers({ program, records, strangers }: Life, { step }: RunFailed): boolean {
  const one = program.declarations.find((each) => program.urnOf(each) === step.urn);
  if (one === undefined) return false;
  const places = placesIn(kinds[one.kind], program.argsOf(one), records).filter(
    (place) => records[place] !== undefined,
  );
  if (places.some((place) => strangers.has(place))) return true;
  // The journal of the dynamic host is of a process: it has not seen the state's other records.
  return program.host === "dynamic" || program.declarations.some(({ former }) => former.length > 0);
}

/** The program's key is dead where the server has rotated it; another one is of whoever had the mount before. */
function sayWhoseKey({ program, dead }: Life, message: string): void {
  const [, mount] = /cloud\.RootConfig "([^"]+)"/.exec(message) ?? [];
  for (const one of program.declarations) {
    if (one.kind !== "rootConfig" || program.argsOf(one)["mount"] !== mount) continue;
    const rotatedByServer = dead.has(String(program.argsOf(one)["accessKey"]));
    program.change(one.number, { values: { ...one.values, rotatedByServer } });
  }
}

/** Which key wins is said for one update. Left in the program, it would win over a key that the server rotates later. */
function withoutTakeOvers({ program }: Life): void {
  for (const { number, values } of program.declarations) {
    const { rotatedByServer, ...others } = values;
    if (rotatedByServer === false) program.change(number, { values: others });
  }
}

/** The URNs of entries whose record another entry has, too. */
function olderNames({ stack: { entries } }: Life): readonly string[] {
  return entries.flatMap(({ id, urn }, index) => (entries.findIndex((each) => each.id === id) < index ? [urn] : []));
}

const ATTEMPTS = 5;

/** I5: whatever happened, one undisturbed run brings everything in order, after what its message asks for. The first may have
 * been made already. */
export async function heal(life: Life, first?: Run): Promise<void> {
  const { world, drifted } = life;
  let doesRefresh = drifted.size > 0 || life.isReborn;
  const follow = async (failure: RunFailed) => {
    const { message } = failure;
    const remedy = REMEDIES.find(({ says, when }) => says.test(message) && when(life, failure));
    if (remedy === undefined) throw new Violation("I5 recovery", `an undisturbed run fails: ${message}`);
    await remedy.apply(life, message);
    doesRefresh ||= remedy.refreshes === true;
  };
  // Of what the user has not looked at since, he knows that it may fail.
  if (first?.failure && !doesRefresh) await follow(first.failure);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const run = await life.run(doesRefresh ? "up --refresh" : "up");
    assertSafe(life, run);
    if (run.failure === undefined) {
      if (life.isReborn && !world.isAcknowledged)
        throw new Violation("I6 elsewhere", "nobody has noticed another server");
      world.variables = {};
      // A record that the preview took for another resource's is removed by the run after the next preview.
      if (run.said.some((text) => text.includes("the next one does"))) continue;
      life.formerServers.clear();
      life.drifted.clear();
      await assertDone(life);
      return withoutTakeOvers(life);
    }
    await follow(run.failure);
  }
  throw new Violation("I5 recovery", `${ATTEMPTS} undisturbed runs have failed`);
}
