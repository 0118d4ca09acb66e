import { createNotes, endsWithPlan, isOfOneRun, type Journal, type Notes } from "../../provider/engine/journal.ts";

/** One command of the CLI has a preview and an update, each with provider processes of its own. */
export type Phase = "preview" | "update";

interface Teller {
  readonly phase: Phase;
  readonly notes: Notes;
  hasWritten: boolean;
}

/**
 * What the provider processes of one command tell each other, as `provider/engine/run-folder.ts` does with files. That one
 * needs a process of its own for each provider, and a CLI above them.
 */
export class Command {
  readonly #tellers: Teller[] = [];

  /** The journal of one more process. */
  open(phase: Phase): Journal {
    const own: Teller = { phase, notes: createNotes(), hasWritten: false };
    this.#tellers.push(own);
    const others = () => this.#tellers.filter((teller) => teller !== own);
    return {
      note(entry, keys) {
        if (entry === "wrote" || entry === "deleting") own.hasWritten = true;
        own.notes.note(entry, keys);
      },
      told(keys) {
        const isPlan = ![own, ...others()].some(({ hasWritten }) => hasWritten);
        const told = others().flatMap((other) =>
          other.notes
            .of(keys)
            .filter((entry) => (!isOfOneRun(entry) || other.phase === phase) && (isPlan || !endsWithPlan(entry))),
        );
        return new Set(told);
      },
      sight() {
        const before = others().filter((other) => other.phase !== phase);
        return before.length > 0 && !before.some(({ hasWritten }) => hasWritten) ? "whole" : "none";
      },
      isPlanSaved: () => false,
      reachesApply: () => true,
      isDestroying: () => false,
    };
  }
}
