import { add, onEngine, type Regression, retarget, up } from "./pinned.ts";

/** Lives of stacks whose address leads to another server. */
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
];
