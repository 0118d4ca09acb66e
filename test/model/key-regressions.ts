import { add, disturb, edit, onEngine, onPlugin, type Regression, rename, up } from "./pinned.ts";

/** Lives of root keys. */
export const keyRegressions: readonly Regression[] = [
  {
    title: "a renamed root configuration keeps the key that the server has rotated",
    ...onPlugin,
    moves: [add("rootConfig", 2), add("rootRotation"), up, rename, up],
  },
  {
    title: "a key that others have rotated is settled by an update that sees it",
    ...onEngine,
    moves: [add("rootConfig"), up, { do: "rotate", pick: 0 }, edit(3, 0), up],
  },
  {
    title: "an edit of a root configuration whose key the stack rotates is settled by one update",
    ...onEngine,
    moves: [add("rootConfig"), add("rootRotation"), up, edit(1, 0), up, edit(1, 1), up],
  },
  {
    title: "new root credentials are sent again after a write without an answer",
    ...onEngine,
    moves: [add("rootConfig", 3), up, edit(0, 0), disturb(2, "503"), up],
  },
  {
    title: "a rotated key stays, also where the update that takes the record over under another name is cut off",
    ...onEngine,
    moves: [add("rootConfig", 2), add("rootRotation"), up, rename, disturb(2, "cut before"), up],
  },
  {
    title: "new root credentials are sent again after an answer that was none, also when a refresh comes between",
    ...onEngine,
    moves: [
      add("rootConfig", 3),
      up,
      edit(0, 0),
      disturb(2, "200 {}"),
      disturb(99, "503", { operation: "refresh" }),
      up,
    ],
  },
  {
    title: "who goes back to an older program does not say once more that its key replaces the server's",
    ...onEngine,
    moves: [
      add("rootConfig", 3),
      up,
      { do: "undo" },
      { do: "behind", pick: 0, how: "edit" },
      { do: "rotate", pick: 0 },
      up,
    ],
  },
];
