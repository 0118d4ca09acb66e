import { add, disturb, edit, onEngine, type Regression, rename, retarget, up } from "./pinned.ts";

/** Lives of stacks whose server, or what is on it, is another one. */
export const serverRegressions: readonly Regression[] = [
  {
    title: "a refresh on another server that has the same role fails",
    ...onEngine,
    moves: [add("jwtRole"), up, { ...retarget, operation: "up --refresh" }],
  },
  {
    title: "a refresh notices that its server was restored into another cluster",
    ...onEngine,
    moves: [add("jwtRole"), up, { do: "rebuild", data: "kept" }, up],
  },
  {
    title: "the way to say that a server was rebuilt works for a refresh",
    ...onEngine,
    moves: [add("jwtRole"), up, { do: "rebuild", data: "lost" }, up],
  },
  {
    title: "nothing is written to another server that does not say which one it is",
    ...onEngine,
    moves: [add("jwtRole"), up, { ...retarget, same: false, operation: "up", identity: "403" }],
  },
  {
    title: "`offline: true` says that nothing verifies the server",
    ...onEngine,
    moves: [add("jwtRole"), up, { ...retarget, same: false, operation: "up", identity: "offline" }],
  },
  {
    title: "a mount of a server that was rebuilt is not made anew with all that is in it: the user removes it first",
    ...onEngine,
    moves: [add("secretsMount"), up, { do: "rebuild", data: "kept" }, edit(0, 1), up],
  },
  {
    title: "a mount that another hand has made anew otherwise is not made anew once more: the user removes it first",
    ...onEngine,
    moves: [add("secretsMount", 11), up, { do: "behind", pick: 0, how: "replace" }, up],
  },
  {
    title:
      "a mount is gone for its old name, where a killed run has deleted it and the next one made it under another name",
    ...onEngine,
    moves: [
      add("secretsMount", 7),
      up,
      { do: "kill", operation: "destroy", nth: 3, when: "before" },
      rename,
      disturb(3, "echo 403", { operation: "up --skip-preview" }),
      { do: "run", operation: "up --refresh" },
    ],
  },
];
