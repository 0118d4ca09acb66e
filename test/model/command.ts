import { type Deed, isOfOneRun, type Journal } from "../../provider/engine/journal.ts";

/** One command of the CLI has a preview and an update, each with provider processes of its own. */
export type Phase = "preview" | "update";

interface Teller {
  readonly phase: Phase;
  readonly deeds: Map<string, Set<Deed>>;
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
    const own: Teller = { phase, deeds: new Map(), hasWritten: false };
    this.#tellers.push(own);
    const others = () => this.#tellers.filter((teller) => teller !== own);
    return {
      note(deed, keys) {
        if (deed === "wrote" || deed === "deleting") own.hasWritten = true;
        for (const key of keys) {
          const deeds = own.deeds.get(key) ?? new Set();
          if (deed === "deleted") deeds.delete("deleting");
          else deeds.add(deed);
          own.deeds.set(key, deeds);
        }
      },
      told(keys) {
        const told = others().flatMap((other) => {
          const deeds = keys.flatMap((key) => [...(other.deeds.get(key) ?? [])]);
          return deeds.filter((deed) => !isOfOneRun(deed) || other.phase === phase);
        });
        return new Set(told);
      },
      sight() {
        const before = others().filter((other) => other.phase !== phase);
        return before.length > 0 && !before.some(({ hasWritten }) => hasWritten) ? "whole" : "none";
      },
    };
  }
}
