import { fc } from "../support/fast-check.ts";
import { Life } from "./life.ts";
import { arbitraries, type Move, type MoveName, moveNames } from "./moves.ts";
import { finish, play } from "./play.ts";
import type { HostName } from "./provider-process.ts";
import type { Lag } from "./replicas.ts";
import type { World } from "./world.ts";

/** Where a life begins. */
export interface Beginning {
  readonly host: HostName;
  readonly addressing: World["addressing"];
  /** Nodes that are behind answer some reads. */
  readonly lag?: Lag | undefined;
}

/** How often each kind of move was made, and found something to do. */
export type Counts = Partial<Record<MoveName | "lives" | "stale reads", number>>;

function count(counts: Counts, name: keyof Counts, more = 1): void {
  counts[name] = (counts[name] ?? 0) + more;
}

class MoveCommand implements fc.AsyncCommand<Life, Life> {
  readonly #move: Move;
  readonly #counts: Counts;

  constructor(move: Move, counts: Counts) {
    this.#move = move;
    this.#counts = counts;
  }

  check(): boolean {
    return true;
  }

  async run(life: Life): Promise<void> {
    const { do: name } = this.#move;
    if (await play(life, this.#move)) count(this.#counts, name);
  }

  toString(): string {
    return JSON.stringify(this.#move);
  }
}

/** Lives of up to so many moves; what they did is counted. */
export function livesOf(maxCommands: number, counts: Counts) {
  const moves = moveNames.flatMap((name) => {
    const [weight, arbitrary] = arbitraries[name];
    const command = arbitrary.map((move) => new MoveCommand(move, counts));
    return Array.from({ length: weight }, () => command);
  });
  return fc.commands(moves, { maxCommands, size: "max" });
}

/** What a program has from the start: something to lose. */
export const firstMoves = fc.array(arbitraries.add[1], { minLength: 1, maxLength: 4 });

/** Lives one life to its end. A failure tells all of it. */
export async function live(
  beginning: Beginning,
  first: readonly Move[],
  moves: Iterable<fc.AsyncCommand<Life, Life>>,
  counts: Counts,
): Promise<void> {
  await within(beginning, async (life) => {
    count(counts, "lives");
    for (const move of first) await play(life, move);
    await play(life, { do: "run", operation: "up" });
    await fc.asyncModelRun(() => ({ model: life, real: life }), moves);
    if (life.world.traffic.staleReads > 0) count(counts, "stale reads", life.world.traffic.staleReads);
  });
}

/** Lives what was written down. */
export async function replay(beginning: Beginning, moves: readonly Move[]): Promise<void> {
  await within(beginning, async (life) => {
    for (const move of moves) await play(life, move);
  });
}

async function within({ host, addressing, lag }: Beginning, work: (life: Life) => Promise<void>): Promise<void> {
  const life = await Life.begin(host);
  life.world.addressing = addressing;
  life.world.traffic.lag = lag;
  try {
    await work(life);
    await finish(life);
  } catch (error) {
    if (error instanceof Error) error.message += `\n${life.trace.join("\n")}`;
    throw error;
  } finally {
    await life.world.close();
  }
}
