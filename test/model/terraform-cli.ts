import type { Cli, Told } from "./cli.ts";
import type { Goal } from "./entry.ts";
import { openTerraformProcess, type TerraformProcess } from "./process-terraform.ts";
import type { Program } from "./program.ts";
import type { Step } from "./pulumi.ts";
import type { Operation } from "./run.ts";
import { TerraformStack } from "./terraform.ts";
import { TerraformCommand } from "./terraform-command.ts";
import type { Disturbance } from "./way.ts";
import type { World } from "./world.ts";

/**
 * Terraform's commands for what the model calls by Pulumi's names: `up --skip-preview` is `terraform plan -out` and an apply of
 * that plan, `refresh` is `apply -refresh-only`, the other two are `terraform apply`, which always refreshes. What disturbs an
 * `up --refresh` does so from its plan on, what disturbs any other one only its apply.
 */
export class TerraformCli implements Cli {
  readonly stack = new TerraformStack();
  readonly #world: World;
  readonly #program: Program;

  constructor(world: World, program: Program) {
    this.#world = world;
    this.#program = program;
  }

  async run(operation: Operation, disturbance: Disturbance, { said, shown, steps }: Told): Promise<void> {
    const { traffic } = this.#world;
    const goals = this.#program.goals();
    const isSaved = operation === "up --skip-preview";
    const isRefresh = operation === "refresh";
    if (isRefresh || operation === "up --refresh") traffic.begin(disturbance);
    const isDestroy = operation === "destroy";
    const planning = new TerraformCommand(isSaved ? "saves" : isDestroy ? "destroy" : "own");
    const log = [said, shown];
    let plan = await this.#walk(planning, log, (open) => this.stack.plan(open, goals, { isRefresh }));
    if (isDestroy) plan = await this.#walk(planning, log, (open) => this.stack.planDestroy(open, plan));
    if (!isRefresh && operation !== "up --refresh") traffic.begin(disturbance);
    const applying = isSaved ? new TerraformCommand("saved") : planning;
    steps.push(...plan.steps);
    await this.#walk(applying, [said], (open) => this.stack.apply(open, plan, steps));
  }

  async preview(): Promise<readonly Step[]> {
    const goals = this.#program.goals();
    const { changes } = await this.#walk(new TerraformCommand("own"), [], (open) => this.stack.plan(open, goals));
    return changes.map(({ urn, planned: { verb } }) => ({ verb, urn }));
  }

  async import(goal: Goal, id: string): Promise<void> {
    const command = new TerraformCommand("own");
    await this.#walk(command, [], async (open) => this.stack.import(await open(goal.instance), goal, id));
  }

  /** A walk of core has processes of its own. */
  async #walk<T>(
    command: TerraformCommand,
    logs: readonly string[][],
    work: (open: (instance: number) => Promise<TerraformProcess>) => Promise<T>,
  ): Promise<T> {
    const config = this.#world.config();
    const opened = new Map<number, Promise<TerraformProcess>>();
    const open = (instance: number) => {
      const process = opened.get(instance) ?? openTerraformProcess(config, command, this.#world.traffic);
      opened.set(instance, process);
      return process;
    };
    try {
      return await work(open);
    } finally {
      for (const process of await Promise.all(opened.values())) {
        for (const log of logs) log.push(...process.log());
        await process.end();
      }
    }
  }
}
