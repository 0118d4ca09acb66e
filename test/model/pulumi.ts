import { asked, type Entry, entryFrom, type Goal, oldOf, withSecretOutputs } from "./entry.ts";
import { isSealed, type Marked } from "./marks.ts";
import type { Made, ProviderProcess } from "./provider-process.ts";

export type Verb = "same" | "create" | "update" | "replace" | "delete" | "read" | "gone";

/** What a run has done, in order. */
export interface Step {
  readonly verb: Verb;
  readonly urn: string;
}

/** A step that failed ends the run. */
export class RunFailed extends Error {
  readonly step: Step;
  readonly error: unknown;
  /** Those that failed beside it: Terraform goes on with what does not need it. */
  readonly others: readonly RunFailed[] = [];

  constructor(step: Step, error: unknown) {
    super(error instanceof Error ? error.message : String(error));
    this.step = step;
    this.error = error;
  }
}

export function failuresOf(failure: RunFailed | undefined): readonly RunFailed[] {
  return failure ? [failure, ...failure.others] : [];
}

/** A check that failed: the engine prints the value of the property that it is about, secret or not. */
export class InputsRefused extends Error {}

/**
 * Pulumi's engine, in the order in which it works (`--parallel 1`): every resource of the program is compared and
 * written in turn, then what the program has no more is deleted, last first. What has been done is recorded at once.
 */
export class Stack {
  #entries: readonly Entry[] = [];
  /** Steps of the last run. */
  steps: Step[] = [];

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  entry(urn: string): Entry | undefined {
    return this.#entries.find((entry) => entry.urn === urn);
  }

  copy(): Stack {
    const copy = new Stack();
    copy.#entries = this.#entries;
    return copy;
  }

  /** `pulumi state delete`. */
  forget(urn: string): void {
    this.#entries = this.#entries.filter((entry) => entry.urn !== urn);
  }

  async up(provider: ProviderProcess, goals: readonly Goal[]): Promise<void> {
    this.steps = [];
    const before = this.#entries.map(({ urn }) => urn);
    /** URNs, old and new, that the program has spoken of. */
    const done = new Set<string>();
    for (const goal of goals) {
      const old = oldOf(goal, this.#entries, done);
      if (old) done.add(old.urn);
      await this.#register(provider, goal, old);
      done.add(goal.urn);
      this.#putInOrder(goals, done);
    }
    for (const urn of before.reverse()) {
      const entry = done.has(urn) ? undefined : this.entry(urn);
      if (entry === undefined) continue;
      if (!entry.isPendingReplacement) await this.#delete(provider, entry);
      this.#record(entry, undefined);
    }
  }

  /** What the next run would do. Throws what a check throws. */
  async preview(provider: ProviderProcess, goals: readonly Goal[]): Promise<readonly Step[]> {
    const done = new Set<string>();
    const steps: Step[] = [];
    for (const goal of goals) {
      const old = oldOf(goal, this.#entries, done);
      if (old) done.add(old.urn);
      const { verb, inputs } = await this.#plan(provider, goal, old);
      const { resource, instance, urn } = goal;
      const isMade = verb === "create" || verb === "replace";
      if (isMade) await attempt({ verb, urn }, () => provider.foresee({ resource, instance, urn, news: inputs }));
      steps.push({ verb, urn });
    }
    const gone = this.#entries.filter(({ urn }) => !done.has(urn));
    return [...steps, ...gone.map(({ urn }) => ({ verb: "delete", urn }) as const)];
  }

  async refresh(provider: ProviderProcess): Promise<void> {
    this.steps = [];
    for (const entry of this.#entries) {
      const step = { verb: "read", urn: entry.urn } as const;
      const found = await attempt(step, () => provider.read(asked(entry)));
      this.steps.push(found ? step : { ...step, verb: "gone" });
      const read = found && { ...entry, ...found, initErrors: [], isPendingReplacement: false };
      this.#record(entry, read && withSecretOutputs(read));
    }
  }

  async destroy(provider: ProviderProcess): Promise<void> {
    this.steps = [];
    for (const entry of [...this.#entries].reverse()) {
      if (!entry.isPendingReplacement) await this.#delete(provider, entry);
      this.#record(entry, undefined);
    }
  }

  /** `pulumi import`: what is read by the id alone becomes the state. */
  async import(provider: ProviderProcess, goal: Goal, id: string): Promise<void> {
    const step = { verb: "read", urn: goal.urn } as const;
    this.steps = [step];
    const { resource, instance, urn } = goal;
    const found = await attempt(step, () => provider.read({ resource, instance, urn, id, inputs: {}, outputs: {} }));
    if (found === undefined) throw new RunFailed(step, new Error(`there is no ${id}`));
    this.#record(undefined, entryFrom(goal, found.inputs, found));
  }

  /** What the program has spoken of comes first, in its order: what a resource needs stands before it. */
  #putInOrder(goals: readonly Goal[], done: ReadonlySet<string>): void {
    const spoken = goals.filter(({ urn }) => done.has(urn)).flatMap(({ urn }) => this.entry(urn) ?? []);
    this.#entries = [...spoken, ...this.#entries.filter((entry) => !spoken.includes(entry))];
  }

  async #plan(provider: ProviderProcess, goal: Goal, old: Entry | undefined) {
    const { resource, instance, urn } = goal;
    const news = goal.inputs((of) => this.entry(of)?.outputs);
    const check = async (olds: Marked) => {
      const step = { verb: old ? "update" : "create", urn } as const;
      const { inputs, failures } = await attempt(step, () => provider.check({ resource, instance, urn, olds, news }));
      if (failures.length === 0) return inputs;
      throw new RunFailed(step, new InputsRefused(failures.map((failure) => shown(failure, news)).join("; ")));
    };
    if (old === undefined || old.isPendingReplacement) return { verb: "create", inputs: await check({}) } as const;
    const inputs = await check(old.inputs);
    const step = { verb: "update", urn } as const;
    const difference = await attempt(step, () => provider.diff({ ...asked(old), urn, news: inputs }));
    // The values that a check completes from the old ones are computed anew.
    if (difference.replaces.length > 0) return { verb: "replace", inputs: await check({}) } as const;
    const differs = difference.differs || old.initErrors.length > 0;
    return { verb: differs ? "update" : "same", inputs } as const;
  }

  async #register(provider: ProviderProcess, goal: Goal, old: Entry | undefined): Promise<Entry> {
    const { verb, inputs } = await this.#plan(provider, goal, old);
    const step = { verb, urn: goal.urn };
    if (verb === "replace" && old) {
      // Both classes ask for it: what depends on it, and goes with it, is deleted first.
      for (const each of [...this.#dependents(old), old]) {
        if (!each.isPendingReplacement) await this.#delete(provider, each);
        this.#record(each, { ...each, isPendingReplacement: true });
      }
      return this.#make(provider, { goal, inputs, old: this.entry(old.urn), step });
    }
    if (verb === "create") return this.#make(provider, { goal, inputs, old, step });
    if (old === undefined) throw new Error("there is nothing to update");
    const { resource, instance, urn } = goal;
    const write = () => provider.update({ ...asked(old), resource, instance, urn, news: inputs });
    const left = (error: unknown) => provider.leftBehind(error, { resource, instance, urn, news: inputs });
    try {
      const outputs = verb === "update" ? await attempt(step, write) : old.outputs;
      this.steps.push(step);
      return this.#record(old, entryFrom(goal, inputs, { id: old.id, outputs }));
    } catch (error) {
      this.#recordLeft(old, { goal, inputs, left: left((error as RunFailed).error), error });
      throw error;
    }
  }

  async #make(provider: ProviderProcess, { goal, inputs, old, step }: Making): Promise<Entry> {
    const { resource, instance, urn } = goal;
    try {
      const made = await attempt(step, () => provider.create({ resource, instance, urn, news: inputs }));
      this.steps.push(step);
      return this.#record(old, entryFrom(goal, inputs, made));
    } catch (error) {
      const left = provider.leftBehind((error as RunFailed).error, { resource, instance, urn, news: inputs });
      this.#recordLeft(old, { goal, inputs, left, error });
      throw error;
    }
  }

  async #delete(provider: ProviderProcess, entry: Entry): Promise<void> {
    const step = { verb: "delete", urn: entry.urn } as const;
    await attempt(step, () => provider.delete(asked(entry)));
    this.steps.push(step);
  }

  /** Those whose arguments come from this one, those furthest from it first. */
  #dependents({ urn }: Entry): readonly Entry[] {
    const direct = this.#entries.filter(({ dependsOn }) => dependsOn.includes(urn));
    const all = direct.flatMap((entry) => [...this.#dependents(entry), entry]);
    return [...new Set(all)];
  }

  #recordLeft(old: Entry | undefined, { goal, inputs, left, error }: Left): void {
    if (left === undefined) return;
    const initErrors = [error instanceof Error ? error.message : String(error)];
    this.#record(old, { ...entryFrom(goal, inputs, left), initErrors });
  }

  /** Puts an entry in the place of another. */
  #record(old: Entry | undefined, now: undefined): undefined;
  #record(old: Entry | undefined, now: Entry): Entry;
  #record(old: Entry | undefined, now: Entry | undefined): Entry | undefined;
  #record(old: Entry | undefined, now: Entry | undefined): Entry | undefined {
    const next = now ? [now] : [];
    this.#entries =
      old && this.#entries.includes(old)
        ? this.#entries.flatMap((entry) => (entry === old ? next : [entry]))
        : [...this.#entries, ...next];
    if (old && now && old.urn !== now.urn) this.#renameIn(old.urn, now.urn);
    return now;
  }

  /** The engine writes an aliased resource's new name into all that depend on it. */
  #renameIn(urn: string, to: string): void {
    const renamed = (names: readonly string[]) => names.map((name) => (name === urn ? to : name));
    this.#entries = this.#entries.map((entry) =>
      entry.dependsOn.includes(urn) ? { ...entry, dependsOn: renamed(entry.dependsOn) } : entry,
    );
  }
}

interface Making {
  readonly goal: Goal;
  readonly inputs: Marked;
  readonly old: Entry | undefined;
  readonly step: Step;
}

interface Left {
  readonly goal: Goal;
  readonly inputs: Marked;
  readonly left: Made | undefined;
  readonly error: unknown;
}

async function attempt<T>(step: Step, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RunFailed(step, error);
  }
}

function shown({ property, reason }: { property: string; reason: string }, news: Marked): string {
  const value = news[property];
  const printed = value === undefined || isSealed(value) ? "" : ` (${JSON.stringify(value)})`;
  return `${property} ${reason}${printed}`;
}
