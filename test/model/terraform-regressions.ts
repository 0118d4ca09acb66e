import type { KindName } from "./kinds.ts";
import type { Move } from "./moves.ts";
import type { Regression } from "./pinned.ts";

// Lives on Terraform that have gone wrong once.

const add = (kind: KindName, value: number): Move => ({ do: "add", kind, mount: 0, name: 1, value });
const undisturbed = (operation: "up" | "up --skip-preview"): Move => ({
  ...{ do: "disturb", operation, nth: 99, fault: "403", health: false },
});
const onTerraform = { host: "terraform", addressing: "environment" } as const;

export const terraformRegressions: readonly Regression[] = [
  {
    title: "a saved plan with two exclusive sets of one mount removes nothing that the other one has",
    ...onTerraform,
    moves: [add("roleSet", 0), add("roleSet", 1), undisturbed("up"), undisturbed("up --skip-preview")],
  },
  {
    title: "two resources of one program do not have the same parameter",
    ...onTerraform,
    moves: [add("parameter", 2), { do: "run", operation: "up" }, { do: "double", pick: 0 }],
  },
  {
    title:
      "a record that goes to another name of a connection is not made anew where the server does not say which one it is",
    ...onTerraform,
    moves: [
      add("intention", 0),
      { do: "run", operation: "up" },
      { do: "connection" },
      { do: "disturb", operation: "up", nth: 4, fault: "200 []", health: true },
      { do: "run", operation: "up" },
    ],
  },
  {
    title: "a root configuration that is blanked when it goes is not made anew for another address",
    ...onTerraform,
    lag: { behind: [true], isFar: true, hasIndex: false },
    moves: [
      { do: "add", kind: "rootConfig", mount: 9, name: 6, value: 4 },
      { do: "run", operation: "up" },
      { do: "rename", pick: 1, alias: false },
      { do: "run", operation: "refresh" },
    ],
  },
  {
    title: "a key that a run has rotated is not written over by the configuration that it takes over behind it",
    ...onTerraform,
    lag: { behind: [true], isFar: true, hasIndex: false },
    moves: [
      add("rootConfig", 11),
      add("rootRotation", 4),
      { do: "run", operation: "up" },
      { do: "run", operation: "destroy" },
      { do: "edit", pick: 1, field: 0, value: 1 },
      { do: "run", operation: "up" },
    ],
  },
  {
    title: "a role that a refused run has made for another resource leaves its set by the next run",
    ...onTerraform,
    moves: [
      add("roleSet", 7),
      { do: "run", operation: "up" },
      { do: "group", pick: 0, member: 0 },
      { do: "edit", pick: 0, field: 0, value: 2 },
      { do: "run", operation: "up" },
    ],
  },
  {
    title: "a mount is made where another one of the program moves away, whichever an apply begins with",
    ...onTerraform,
    moves: [
      add("secretsMount", 1),
      { do: "run", operation: "up" },
      { do: "identity", pick: 0, name: 2 },
      add("secretsMount", 1),
      { do: "run", operation: "up" },
    ],
  },
  {
    title: "a group is bound to a mount that another process of the run has made, which a node does not show yet",
    ...onTerraform,
    lag: { behind: [false, false, true, true], isFar: true, hasIndex: false },
    moves: [
      { do: "add", kind: "authMount", mount: 7, name: 11, value: 7, instance: 0 },
      { do: "add", kind: "group", mount: 1, name: 9, value: 0, instance: 2 },
      { do: "run", operation: "up" },
    ],
  },
  {
    title:
      "a role is made where a saved plan replaces another one, by that apply or, where it comes first, by the next one",
    ...onTerraform,
    moves: [
      add("jwtRole", 1),
      { do: "run", operation: "up" },
      { do: "run", operation: "up" },
      { do: "run", operation: "up" },
      { do: "identity", pick: 0, name: 0 },
      add("jwtRole", 2),
      { do: "run", operation: "up --skip-preview" },
    ],
  },
  {
    title:
      "a key that replaces the server's for one run is not written once more over what a rotation makes of it there",
    ...onTerraform,
    moves: [
      add("jwtRole", 9),
      { do: "run", operation: "up" },
      add("rootConfig", 9),
      add("rootRotation", 10),
      { do: "run", operation: "up" },
    ],
  },
];
