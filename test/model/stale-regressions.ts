import type { Move } from "./moves.ts";
import { add, disturb, edit, onDynamic, onEngine, type Regression, up } from "./pinned.ts";
import type { Lag } from "./replicas.ts";

/** A node that is behind. */
const behind: Lag = { behind: [true], isFar: false, hasIndex: false };
/** Of two nodes, one that is behind. */
const inTurn: Lag = { behind: [true, false, true], isFar: false, hasIndex: false };

/** Lives before nodes that are behind. */
export const staleRegressions: readonly Regression[] = [
  {
    title: "what was deleted to be made anew is not taken for another one, which a node still shows",
    ...{ ...onEngine, lag: inTurn },
    moves: [add("peeringToken", 3), up, edit(0, 0), up],
  },
  {
    title: "a mount that a run has moved is changed where it is now, which a node does not show yet",
    ...{ ...onEngine, lag: behind },
    moves: [add("authMount"), up, { do: "identity", pick: 0, name: 1 }, up],
  },
  {
    title: "a mount whose role another process has just deleted goes, although a node still lists the role",
    ...{ ...onDynamic, lag: behind },
    moves: [add("authMount"), { do: "host" }, { ...add("jwtRole"), mount: 1 } as Move, up],
  },
  {
    title: "a mount whose group has just been deleted goes, although a node still lists its alias",
    ...{ ...onEngine, lag: behind },
    moves: [
      add("authMount"),
      { ...add("group"), mount: 1 } as Move,
      { ...add("authMount"), name: 1 } as Move,
      up,
      { do: "remove", pick: 2 },
      up,
    ],
  },
  {
    title: "a configuration is made in a mount that a run has made, which a node does not know yet",
    ...{ ...onEngine, lag: behind },
    moves: [add("secretsMount"), { ...add("rootConfig"), mount: 1 } as Move, up],
  },
  {
    title: "who takes over a record whose key another hand has rotated away, which no node shows yet, gives a new key",
    ...{ ...onDynamic, lag: { behind: [false, false, true, true], isFar: true, hasIndex: false } },
    moves: [
      add("rootConfig", 3),
      up,
      edit(2, 1),
      disturb(4, "429", { operation: "up --refresh" }),
      { do: "kill", operation: "destroy", nth: 4, when: "before" },
      edit(1, 2),
      { do: "rotate", pick: 0 },
    ],
  },
  {
    title: "a role goes with its mount, which another process has moved and a node does not show there yet",
    ...{ ...onDynamic, lag: { behind: [false, false, true, true], isFar: true, hasIndex: false } },
    moves: [
      { do: "add", kind: "authMount", mount: 1, name: 3, value: 1, instance: 2 },
      { ...add("jwtRole", 1), mount: 1 } as Move,
      up,
      { do: "identity", pick: 0, name: 2 },
    ],
  },
];
