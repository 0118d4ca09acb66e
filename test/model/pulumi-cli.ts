import type { Journal } from "../../provider/engine/journal.ts";
import { Command, type Phase } from "../support/command.ts";
import type { Cli, Told } from "./cli.ts";
import type { Goal } from "./entry.ts";
import { openMortalProcess } from "./mortal-process.ts";
import type { Program } from "./program.ts";
import type { Config, ProviderProcess } from "./provider-process.ts";
import { Stack, type Step } from "./pulumi.ts";
import type { Operation } from "./run.ts";
import type { Disturbance } from "./way.ts";
import type { World } from "./world.ts";

/** Pulumi's commands. */
export class PulumiCli implements Cli {
  readonly stack = new Stack();
  readonly #world: World;
  readonly #program: Program;
  /** Refresh and destroy have the configuration of the last update. */
  #lastConfig: Config | undefined;

  constructor(world: World, program: Program) {
    this.#world = world;
    this.#program = program;
  }

  async run(operation: Operation, disturbance: Disturbance, { said, shown, steps }: Told): Promise<void> {
    const { stack } = this;
    const [world, program] = [this.#world, this.#program];
    const command = new Command();
    const using = async (config: Config, work: (provider: ProviderProcess) => Promise<unknown>, phase?: Phase) => {
      const provider = await this.#open(config, () => command.open(phase ?? "update"));
      try {
        await work(provider);
      } finally {
        if (phase !== "preview") steps.push(...stack.steps);
        said.push(...provider.log());
        if (phase === "preview") shown.push(...provider.log());
        await provider.end();
      }
    };
    const last = this.#lastConfig ?? world.config();
    const refreshes = operation === "refresh" || operation === "up --refresh";
    if (operation === "up" || operation === "up --refresh") {
      // Nothing happens to a preview, and nothing of it is recorded.
      const trial = stack.copy();
      if (refreshes) await using(last, (of) => trial.refresh(of), "preview");
      await using(world.config(), (of) => trial.preview(of, program.goals()), "preview");
    }
    world.traffic.begin(disturbance);
    if (refreshes) await using(last, (of) => stack.refresh(of));
    if (operation === "destroy") await using(last, (of) => stack.destroy(of));
    if (operation.startsWith("up")) {
      const config = world.config();
      this.#lastConfig = config;
      await using(config, (of) => stack.up(of, program.goals()));
    }
  }

  async preview(): Promise<readonly Step[]> {
    return this.#asking((provider) => this.stack.preview(provider, this.#program.goals()));
  }

  async import(goal: Goal, id: string): Promise<void> {
    await this.#asking((provider) => this.stack.import(provider, goal, id));
  }

  async #asking<T>(work: (provider: ProviderProcess) => Promise<T>): Promise<T> {
    const command = new Command();
    const provider = await this.#open(this.#world.config(), () => command.open("preview"));
    try {
      return await work(provider);
    } finally {
      await provider.end();
    }
  }

  #open(config: Config, journal: () => Journal): Promise<ProviderProcess> {
    const host = this.#program.host === "engine" ? "engine" : undefined;
    return openMortalProcess({ config, traffic: this.#world.traffic, journal, host });
  }
}
