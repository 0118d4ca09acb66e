import type { Cli, Told } from "./cli.ts";
import { FIXED, recordsOf, renew } from "./edits.ts";
import type { Entry, Goal } from "./entry.ts";
import type { Stored } from "./kind.ts";
import { kinds } from "./kinds.ts";
import { openedAll } from "./marks.ts";
import { changedPlaces, kindOf, movedPath, placesOf } from "./owners.ts";
import { Program } from "./program.ts";
import { type HostName, PROVIDER } from "./provider-process.ts";
import { failuresOf, RunFailed, type Step } from "./pulumi.ts";
import { PulumiCli } from "./pulumi-cli.ts";
import { lineOf, type Operation, type Run, type Snapshot, saysOverwritten } from "./run.ts";
import { TerraformCli } from "./terraform-cli.ts";
import type { Disturbance } from "./way.ts";
import { OUTSIDE, type Records, World } from "./world.ts";

/** A stack with its program and its servers, and what the user knows of them. */
export class Life {
  readonly program: Program;
  readonly world: World;
  /** What happened, for whoever has to find out why. */
  readonly trace: string[] = [];
  /** Storage paths that were changed behind the stack's back and that it has not looked at since. */
  readonly drifted = new Set<string>();
  /** Storage paths of what no server shows, written by a run that was killed: only the next write can settle it. */
  readonly concealed = new Set<string>();
  /** Access keys that the cloud does not know any more. */
  readonly dead = new Set<string>();
  /** Access keys of the program that were never sent, as it has said that the server's is to stay: new ones replace that. */
  readonly unused = new Set<string>();
  /** Storage paths of records of others, in our mounts or under names that we may take. */
  readonly squatters = new Set<string>();
  /** What another hand has made anew in the place of ours: where the server gives an id, ours is gone. */
  readonly remade = new Set<string>();
  /** Storage paths of records that the API cannot delete: the stack has had them, and they stay until their mount goes. */
  readonly left = new Set<string>();
  /**
   * Of each entry, what was secret when it was last written, and in its inputs when it was last registered. What the
   * program marks in between is sealed with the next write: Pulumi keeps the outputs of a resource that did not change.
   */
  readonly hidden = new Map<string, { readonly inputs: readonly string[]; readonly outputs: readonly string[] }>();
  /** URNs whose last step failed. */
  readonly unsettled = new Set<string>();
  /** What servers have called themselves that are not at our address any more. */
  readonly formerServers = new Set<string>();
  readonly #cli: Cli;

  constructor(world: World, host: HostName) {
    this.world = world;
    this.program = new Program(host);
    this.#cli = host === "terraform" ? new TerraformCli(world, this.program) : new PulumiCli(world, this.program);
  }

  static async begin(host: HostName): Promise<Life> {
    return new Life(await World.open(), host);
  }

  get stack(): Cli["stack"] {
    return this.#cli.stack;
  }

  get records(): Records {
    return this.world.records("home");
  }

  /** Storage paths of what is in no state: others have made it, or nobody knows any more that the stack has. */
  get strangers(): ReadonlySet<string> {
    const recorded = new Set(this.stack.entries.flatMap((entry) => placesOf(entry, this.records)));
    const all = [OUTSIDE, ...this.squatters, ...this.left];
    return new Set(all.filter((place) => !recorded.has(place)));
  }

  /** The server at our address is another one than the one that the state was written to. */
  get isReborn(): boolean {
    return this.stack.entries.some((entry) => this.isOfFormer(entry));
  }

  isOfFormer(entry: Entry): boolean {
    return this.formerServers.has(serverOf(entry) ?? "");
  }

  async run(operation: Operation, disturbance: Disturbance = {}): Promise<Run> {
    const { world } = this;
    this.#renewUnknown();
    const before = this.#snapshot();
    world.traffic.misledAt = [];
    const told: Told = { said: [], shown: [], steps: [] };
    world.traffic.begin({});
    world.enter();
    let failure: RunFailed | undefined;
    try {
      await this.#cli.run(operation, disturbance, told);
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      failure = error;
    } finally {
      world.leave();
    }
    const wasKilled = world.traffic.isDead;
    // What a provider says that died is not heard.
    if (!wasKilled) told.said.push(...failuresOf(failure).map(({ message }) => message));
    const after = this.#snapshot();
    const { struck, misledAt } = world.traffic;
    const isMisled = misledAt.length > 0;
    const run = { operation, disturbance, before, after, failure, wasKilled, isMisled, misledAt, struck, ...told };
    this.#learn(run);
    this.trace.push(lineOf(run));
    return run;
  }

  /** What the next run would do. */
  preview(): Promise<readonly Step[]> {
    return this.#asking(() => this.#cli.preview());
  }

  import(goal: Goal, id: string): Promise<void> {
    return this.#asking(() => this.#cli.import(goal, id));
  }

  /** Asks the providers for something that is no run. */
  async #asking<T>(work: () => Promise<T>): Promise<T> {
    this.world.traffic.begin({});
    this.world.enter();
    try {
      return await work();
    } finally {
      this.world.leave();
    }
  }

  /**
   * Where the server's own key is gone, nobody can know that the program's was rotated away: who writes it anew gives
   * new ones. So does who says that the program's replaces the server's.
   */
  #renewUnknown(): void {
    const { program, stack, dead } = this;
    for (const one of program.declarations) {
      if (one.kind !== "rootConfig") continue;
      const entry = program.urnsOf(one).flatMap((urn) => stack.entry(urn) ?? [])[0];
      const record = this.records[recordsOf(program, one)[0] ?? ""] as Stored;
      const saysOwn = one.values["rotatedByServer"] === false;
      // On another server a resource with another connection is replaced.
      const isMadeAnew = entry === undefined ? !record || saysOwn : this.isReborn && saysOwn;
      // What was rotated since the edit that makes the mount anew goes with the old mount.
      const [mount, old] = [program.declarations, program.settled].map((all) =>
        all.find(({ number }) => number === one.mount),
      );
      const losesMount = old !== undefined && FIXED.some((arg) => mount?.values[arg] !== old.values[arg]);
      // A run that died wrote the program's new key, and then that was rotated: nobody has recorded it.
      const key = program.argsOf(one)["accessKey"];
      const isUnrecorded = entry !== undefined && dead.has(String(key)) && openedAll(entry.inputs)["accessKey"] !== key;
      const isLost =
        record?.access_key === "" || entry?.isPendingReplacement || isMadeAnew || losesMount || isUnrecorded;
      if (isLost) renew(program, dead, one.number);
    }
  }

  #snapshot(): Snapshot {
    return { home: this.world.records("home"), away: this.world.records("away"), entries: this.stack.entries };
  }

  /** What a user knows from how the run ended. */
  #learn({ before, after, failure, steps, said, wasKilled, isMisled, operation }: Run): void {
    const entryOf = (urn: string) => [...after.entries, ...before.entries].find((entry) => entry.urn === urn);
    for (const { verb, urn } of steps) {
      const entry = entryOf(urn);
      if (verb !== "same") this.unsettled.delete(urn);
      // A resource that comes from the other host, and did not change, is taken over without a look at the server.
      const isMoved = verb === "update" && before.entries.some((old) => old.id === entry?.id && isOfOther(old, entry));
      // Under its new name the resource is as it was: its old one has gone.
      const kept = verb === "delete" ? after.entries.flatMap((other) => placesOf(other, after.home)) : [];
      // A set looks at those of its records that change.
      const isPartial = verb === "update" && entry?.resource === kinds.roleSet.resource;
      const isBlind = verb === "same" || isMoved || isPartial || entry?.resource === kinds.rootRotation.resource;
      for (const place of entry && !isBlind ? placesOf(entry, after.home) : []) {
        if (kept.includes(place)) continue;
        this.drifted.delete(place);
        if (verb !== "read") this.concealed.delete(place);
      }
    }
    this.#learnSecrets({ steps, failure }, after.entries);
    for (const entry of before.entries) {
      for (const place of kindOf(entry).isForgotten ? placesOf(entry, before.home) : []) this.left.add(place);
    }
    if (failure === undefined && operation !== "refresh") {
      this.unsettled.clear();
      this.program.moved = undefined;
      this.program.settled = this.program.declarations;
      this.program.owners = new Map(
        this.program.declarations.flatMap((one) =>
          recordsOf(this.program, one).map((record) => [record, one.number] as const),
        ),
      );
    }
    for (const places of [this.squatters, this.left, this.remade]) {
      const moved = [...places].flatMap((place) => movedPath(place, before.home, after.home) ?? []);
      for (const place of moved) places.add(place);
    }
    // What an exclusive set ignores stays when it leaves the set, and is nobody's then, as one that has another id than the state's.
    const now = new Set(after.entries.flatMap((entry) => placesOf(entry, after.home)));
    const isGone = steps.some(({ verb }) => verb === "gone");
    for (const place of before.entries.flatMap((entry) => placesOf(entry, before.home)))
      if (
        (isMisled || isGone || place.startsWith("auth/") || this.remade.has(place)) &&
        !now.has(place) &&
        after.home[place] !== undefined
      )
        this.squatters.add(place);
    // What was read may be what was there before: the user waits, and looks again.
    for (const entry of isMisled ? [...before.entries, ...after.entries] : [])
      for (const place of placesOf(entry, after.home)) this.drifted.add(place);
    if (isMisled) this.#renewRewritten({ before, after });
    for (const { step } of failuresOf(failure)) this.unsettled.add(step.urn);
    // The engine records that an operation was pending, and tells the user to refresh.
    if (wasKilled) {
      for (const place of changedPlaces(before.home, after.home)) {
        this.drifted.add(place);
        if ((after.home[place] as Stored)?.sensitive) this.concealed.add(place);
        // What is in no state is nobody's, but for a mount that the server has moved, which its resource knows again.
        if (before.home[place] === undefined && movedPath(place, after.home, before.home) === undefined)
          this.squatters.add(place);
      }
    }
    // A failed delete has no way to say what it has done: Pulumi keeps the resource, and the next run of that kind repeats it.
    if (failuresOf(failure).some(({ step }) => step.verb === "delete"))
      for (const place of changedPlaces(before.home, after.home)) this.drifted.add(place);
    for (const place of changedPlaces(before.home, after.home)) this.#learnRotation(place, { before, after });
    if (saysOverwritten({ said }))
      for (const { urn } of steps.filter(({ verb }) => verb === "delete"))
        for (const place of before.entries
          .filter((entry) => entry.urn === urn)
          .flatMap((entry) => placesOf(entry, after.home)))
          this.drifted.add(place);
    this.#learnUnused(after);
  }

  /**
   * A node that was behind has shown the program's key where another hand had rotated it away: who takes over a record that
   * his state does not have cannot know, has written a dead key, and gives a new one.
   */
  #renewRewritten({ before, after }: Pick<Run, "before" | "after">): void {
    const { program, dead } = this;
    for (const one of program.declarations) {
      const isRecorded = program.urnsOf(one).some((urn) => before.entries.some((entry) => entry.urn === urn));
      const place = recordsOf(program, one)[0] ?? "";
      const [was, is]: Stored[] = [before.home[place], after.home[place]];
      const isRewritten = dead.has(is?.access_key) && was?.access_key !== is.access_key;
      if (one.kind === "rootConfig" && !isRecorded && isRewritten) renew(program, dead, one.number);
    }
  }

  #learnUnused({ home, entries }: Snapshot): void {
    const { program } = this;
    for (const one of program.declarations) {
      if (one.kind !== "rootConfig" || one.values["rotatedByServer"] !== true) continue;
      const key = String(program.argsOf(one)["accessKey"]);
      const record = home[recordsOf(program, one)[0] ?? ""] as Stored;
      const isRecorded = entries.some(({ urn }) => urn === program.urnOf(one));
      if (isRecorded && record?.access_key && record.access_key !== key) this.unused.add(key);
    }
  }

  #learnSecrets({ steps, failure }: Pick<Run, "steps" | "failure">, entries: readonly Entry[]): void {
    // A write that failed half-way is recorded; what an earlier run has left so stays as it is.
    const failed = failure?.step.verb === "read" ? undefined : failure?.step.urn;
    const left = entries.find(({ urn, initErrors }) => urn === failed && initErrors.length > 0)?.urn;
    const verbOf = (urn: string) => (urn === left ? "update" : steps.findLast((step) => step.urn === urn)?.verb);
    for (const one of this.program.declarations) {
      const urn = this.program.urnOf(one);
      const verb = verbOf(urn);
      if (verb === undefined || verb === "read" || verb === "gone" || verb === "delete") continue;
      const inputs = this.program.secretsOf(one);
      this.hidden.set(urn, { inputs, outputs: verb === "same" ? (this.hidden.get(urn)?.outputs ?? []) : inputs });
    }
    // A name that comes back, as the one of the other host, is that of another state.
    for (const urn of this.hidden.keys()) if (!entries.some((entry) => entry.urn === urn)) this.hidden.delete(urn);
  }

  /** A key that the server has made: those that it had before, and those of the program, are dead. */
  #learnRotation(place: string, { before, after }: Pick<Run, "before" | "after">): void {
    const [old, now]: Stored[] = [before.home[place], after.home[place]];
    // What a program gives looks like one of ours; what a rotation makes does not.
    if (!place.endsWith("/config/root") || !now?.access_key || /^AKIA\d{6}Q$/.test(now.access_key)) return;
    if (old?.access_key === now.access_key) return;
    const { program } = this;
    const given = program.declarations.filter(({ kind }) => kind === "rootConfig").map((one) => program.argsOf(one));
    const here = given.filter(({ mount }) => `${String(mount)}/config/root` === place);
    for (const key of [old?.access_key, ...here.map(({ accessKey }) => accessKey)]) if (key) this.dead.add(String(key));
  }
}

function isOfOther(old: Entry, now: Entry): boolean {
  return old.resource === now.resource && !(PROVIDER in old.outputs) && PROVIDER in now.outputs;
}

/** Which server the state remembers, if any. */
export function serverOf({ outputs }: Entry): string | undefined {
  const server = openedAll(outputs)["server"];
  return server === undefined ? undefined : String(server);
}
