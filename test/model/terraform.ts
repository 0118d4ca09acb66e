import type { Entry, Goal } from "./entry.ts";
import type { TerraformProcess } from "./process-terraform.ts";
import { RunFailed, type Step } from "./pulumi.ts";
import {
  entryFrom,
  imported,
  type Kept,
  type Planned,
  plan,
  planDeletion,
  read,
  remove,
  write,
} from "./terraform-resource.ts";

/** The provider of a `provider` block, started for this walk when it is first asked for. */
type Open = (instance: number) => Promise<TerraformProcess>;

/** What an apply goes by: the state as the plan has read it, and what becomes of each resource. */
export interface Plan {
  readonly prior: readonly Kept[];
  readonly changes: readonly Change[];
  readonly steps: readonly Step[];
}

interface Change {
  readonly urn: string;
  readonly goal: Goal | undefined;
  readonly planned: Planned;
}

/**
 * Terraform's core: a plan reads and plans all at once, an apply does all at once whose needs are met, and deletes
 * what depends on others first. What fails takes along what needs it, and nothing else.
 */
export class TerraformStack {
  #all: readonly Kept[] = [];
  #applies = 0;
  readonly #entries = new WeakMap<Kept, Entry>();

  get entries(): readonly Entry[] {
    return this.#all.map((kept) => {
      const entry = this.#entries.get(kept) ?? entryFrom(kept);
      this.#entries.set(kept, entry);
      return entry;
    });
  }

  entry(urn: string): Entry | undefined {
    return this.entries.find((entry) => entry.urn === urn);
  }

  /** `terraform state rm`. */
  forget(urn: string): void {
    this.#all = this.#all.filter((kept) => kept.urn !== urn);
  }

  /** A refresh alone plans only what it would delete, as core does. */
  async plan(open: Open, goals: readonly Goal[], { isRefresh = false } = {}): Promise<Plan> {
    const before = movedTo(goals, this.#all);
    const prior = new Map(before.map((kept) => [kept.urn, kept]));
    const [changes, steps]: [Change[], Step[]] = [[], []];
    const refreshed = async (process: TerraformProcess, urn: string) => {
      const kept = prior.get(urn);
      if (kept === undefined) return undefined;
      const found = await attempt({ verb: "read", urn }, () => read(process, kept));
      steps.push({ verb: found ? "read" : "gone", urn });
      if (found) prior.set(urn, found);
      else prior.delete(urn);
      return found;
    };
    const goalNodes = goals.map(
      (goal): Node => ({
        name: goal.urn,
        needs: goal.dependsOn,
        async work() {
          const { urn } = goal;
          const process = await open(goal.instance);
          const kept = await refreshed(process, urn);
          if (isRefresh) return;
          const planned = await attempt({ verb: kept ? "update" : "create", urn }, () => plan(process, goal, kept));
          changes.push({ urn, goal, planned });
        },
      }),
    );
    const orphans = before.filter(({ urn }) => !goals.some((goal) => goal.urn === urn));
    const orphanNodes = orphans.map(
      ({ urn, instance }): Node => ({
        name: urn,
        needs: [],
        async work() {
          const process = await open(instance);
          const kept = await refreshed(process, urn);
          if (kept === undefined) return;
          const planned = await attempt({ verb: "delete", urn }, () => planDeletion(process, kept));
          if (!isRefresh) changes.push({ urn, goal: undefined, planned });
        },
      }),
    );
    await walk([...goalNodes, ...orphanNodes]);
    const kept = before.flatMap(({ urn }) => prior.get(urn) ?? []);
    return { prior: kept, changes, steps };
  }

  /** The plan of a destroy, over what the plan before it has read. */
  async planDestroy(open: Open, { prior, steps }: Plan): Promise<Plan> {
    const changes: Change[] = [];
    const nodes = prior.map(
      (kept): Node => ({
        name: kept.urn,
        needs: [],
        async work() {
          const { urn } = kept;
          const process = await open(kept.instance);
          const planned = await attempt({ verb: "delete", urn }, () => planDeletion(process, kept));
          changes.push({ urn, goal: undefined, planned });
        },
      }),
    );
    await walk(nodes);
    return { prior, changes, steps };
  }

  async apply(open: Open, { prior, changes }: Plan, steps: Step[]): Promise<void> {
    this.#all = prior;
    const nodes = changes.flatMap(({ urn, goal, planned }): Node[] => {
      const { verb } = planned;
      const kept = prior.find((each) => each.urn === urn);
      const write = goal && { name: urn, work: () => this.#write(open, goal, planned, steps) };
      const needs = [...(goal?.dependsOn ?? []), ...[urn, ...(kept?.dependsOn ?? [])].map(deletionOf)];
      const writing = write && verb !== "same" ? [{ ...write, needs }] : [];
      if (kept === undefined || (verb !== "delete" && verb !== "replace")) return writing;
      const dependents = prior.filter(({ dependsOn }) => dependsOn.includes(urn));
      const work = () => this.#remove(open, kept, planned, steps);
      return [{ name: deletionOf(urn), needs: dependents.map((each) => deletionOf(each.urn)), work }, ...writing];
    });
    for (const { urn, planned } of changes) if (planned.verb === "same") steps.push({ verb: "same", urn });
    // Core takes what is ready in any order: here all at once, or one by one, writes or deletions first.
    this.#applies += 1;
    const writesFirst = nodes.toSorted((one, other) => Number(isDeletion(one)) - Number(isDeletion(other)));
    const order = [nodes, writesFirst, writesFirst.toReversed()][this.#applies % 3] ?? nodes;
    await walk(order, { isOneByOne: order !== nodes });
  }

  async import(process: TerraformProcess, goal: Goal, id: string): Promise<void> {
    const step = { verb: "read", urn: goal.urn } as const;
    const found = await attempt(step, () => imported(process, goal, id));
    if (found === undefined) throw new RunFailed(step, new Error(`there is no ${id}`));
    this.#all = [...this.#all, found];
  }

  async #write(open: Open, goal: Goal, planned: Planned, steps: Step[]): Promise<void> {
    const { urn } = goal;
    const { verb } = planned;
    const before = this.#all.find((kept) => kept.urn === urn);
    const { kept, error } = await write(await open(goal.instance), goal, before, planned);
    this.#put(urn, kept);
    if (error !== undefined) throw new RunFailed({ verb, urn }, error);
    steps.push({ verb, urn });
  }

  async #remove(open: Open, before: Kept, planned: Planned, steps: Step[]): Promise<void> {
    const step = { verb: "delete", urn: before.urn } as const;
    const { kept, error } = await remove(await open(before.instance), before, planned);
    this.#put(before.urn, kept);
    if (error !== undefined) throw new RunFailed(step, error);
    steps.push(step);
  }

  #put(urn: string, kept: Kept | undefined): void {
    const now = kept ? [kept] : [];
    const isThere = this.#all.some((each) => each.urn === urn);
    this.#all = isThere ? this.#all.flatMap((each) => (each.urn === urn ? now : [each])) : [...this.#all, ...now];
  }
}

function deletionOf(urn: string): string {
  return `${urn} (destroy)`;
}

function isDeletion({ name }: Node): boolean {
  return name.endsWith(" (destroy)");
}

/** `moved` blocks, one from each name that the program says to the next: the last one that the state has is moved. */
function movedTo(goals: readonly Goal[], all: readonly Kept[]): readonly Kept[] {
  const names = new Map<string, string>();
  const isThere = (urn: string) => all.some((kept) => kept.urn === urn);
  for (const { urn, aliases } of goals) {
    const from = isThere(urn) ? undefined : aliases.toReversed().find(isThere);
    if (from !== undefined) names.set(from, urn);
  }
  const nameOf = (urn: string) => names.get(urn) ?? urn;
  return all.map((kept) =>
    names.size === 0 ? kept : { ...kept, urn: nameOf(kept.urn), dependsOn: kept.dependsOn.map(nameOf) },
  );
}

interface Node {
  readonly name: string;
  /** Names of those that come first, where there are such. */
  readonly needs: readonly string[];
  work(): Promise<void>;
}

/** Throws the first failure, with the others. */
async function walk(nodes: readonly Node[], { isOneByOne = false } = {}): Promise<void> {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const begun = new Map<string, Promise<boolean>>();
  const failures: RunFailed[] = [];
  const begin = (name: string): Promise<boolean> => {
    const node = byName.get(name);
    const going = begun.get(name) ?? (node ? done(node) : Promise.resolve(true));
    begun.set(name, going);
    return going;
  };
  const done = async ({ needs, work }: Node): Promise<boolean> => {
    const met = await Promise.all(needs.map(begin));
    if (!met.every(Boolean)) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      failures.push(error);
      return false;
    }
  };
  const left = [...nodes];
  while (isOneByOne && left.length > 0) {
    const ready = left.findIndex(({ needs }) => !left.some(({ name }) => needs.includes(name)));
    for (const { name } of left.splice(ready, 1)) await begin(name);
  }
  await Promise.all(nodes.map(({ name }) => begin(name)));
  const [first, ...others] = failures;
  if (first) throw Object.assign(first, { others });
}

async function attempt<T>(step: Step, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RunFailed(step, error);
  }
}
