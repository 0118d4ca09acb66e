import { add, edit, onEngine, type Regression, up } from "./pinned.ts";
import type { Lag } from "./replicas.ts";

/** Of two nodes, one that is behind. */
const inTurn: Lag = { behind: [true, false, true], hasIndex: false };

/** Lives before nodes that are behind. */
export const staleRegressions: readonly Regression[] = [
  {
    title: "what was deleted to be made anew is not taken for another one, which a node still shows",
    ...{ ...onEngine, lag: inTurn },
    moves: [add("peeringToken", 3), up, edit(0, 0), up],
  },
];
