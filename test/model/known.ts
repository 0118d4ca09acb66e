import type { Move } from "./moves.ts";
import type { HostName } from "./provider-process.ts";

interface Known {
  /** What breaks, and where it is written down. */
  readonly reason: string;
  /** Moves that show it. */
  readonly by?: (move: Move, host: HostName) => boolean;
}

/**
 * What today's code does not keep yet: it is left out until it does. `TRUSTPLANE_MODEL_ALL=1` leaves nothing out, and
 * names in its place, with commas between them, no more than the others.
 */
const KNOWN = {
  neighbours: {
    reason:
      "An exclusive set that was registered before a new record of another resource had no update in which to take note of it: " +
      "the next preview shows one, and after that nothing is left.",
  },
} as const satisfies Record<string, Known>;

export type KnownName = keyof typeof KNOWN;

const asked = (process.env["TRUSTPLANE_MODEL_ALL"] ?? "").split(",");

export function known(name: KnownName): boolean {
  return !asked.includes("1") && !asked.includes(name);
}

/** The move is left out on this host. */
export function isLeftOut(move: Move, host: HostName): boolean {
  return Object.entries<Known>(KNOWN).some(([name, { by }]) => known(name as KnownName) && by?.(move, host) === true);
}
