import {
  createNotes,
  endsWithPlan,
  endsWithProcess,
  type Journal,
  type JournalEntry,
  type Notes,
} from "../../provider/engine/journal.ts";

interface Teller {
  readonly notes: Notes;
  hasBegun: boolean;
  hasWritten: boolean;
  isOver: boolean;
}

type PlanOf = "own" | "saves" | "saved" | "destroy";

/** A journal, until its process ends. */
export interface Told {
  readonly journal: Journal;
  end(): void;
}

/**
 * What the provider processes of one command of Terraform tell each other, as `provider/engine/run-folder.ts` does with a folder
 * that is named after the CLI: a plan and an apply have processes of their own, and each `provider` block has one. An apply of a
 * saved plan is another command, which is told nothing of the plan.
 */
export class TerraformCommand {
  readonly #tellers: Teller[] = [];
  readonly #plan: PlanOf;

  constructor(plan: PlanOf) {
    this.#plan = plan;
  }

  /** The journal of one more process. */
  open(): Told {
    const own: Teller = { notes: createNotes(), hasBegun: false, hasWritten: false, isOver: false };
    this.#tellers.push(own);
    const others = () => this.#tellers.filter((teller) => teller !== own && teller.hasBegun);
    const journal: Journal = {
      note(entry, keys) {
        own.hasBegun = true;
        if (entry === "wrote" || entry === "deleting") own.hasWritten = true;
        own.notes.note(entry, keys);
      },
      told(keys) {
        const isPlan = ![own, ...others()].some(({ hasWritten }) => hasWritten);
        const ended = (entry: JournalEntry, isOver: boolean) =>
          (isOver && endsWithProcess(entry)) || (!isPlan && endsWithPlan(entry));
        const told = others().flatMap(({ notes, isOver }) =>
          notes.of(keys).filter((entry) => entry !== "has" && !ended(entry, isOver)),
        );
        return new Set(told);
      },
      sight: () => {
        if (this.#plan === "saved") return "saved";
        return others().length > 0 && !others().some(({ hasWritten }) => hasWritten) ? "whole" : "none";
      },
      isPlanSaved: () => this.#plan === "saves",
      reachesApply: () => this.#plan !== "saves",
      isDestroying: () => this.#plan === "destroy",
    };
    return {
      journal,
      end() {
        own.isOver = true;
      },
    };
  }
}
