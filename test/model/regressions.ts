import { keyRegressions } from "./key-regressions.ts";
import type { Move } from "./moves.ts";
import {
  add,
  disturb,
  edit,
  onDynamic,
  onEngine,
  onPlugin,
  type Regression,
  rename,
  renameMount,
  up,
} from "./pinned.ts";
import { serverRegressions } from "./server-regressions.ts";
import { staleRegressions } from "./stale-regressions.ts";

export const regressions: readonly Regression[] = [
  ...keyRegressions,
  ...serverRegressions,
  ...staleRegressions,
  {
    title: "a token whose issue was answered with {} is issued by the next run",
    ...onEngine,
    moves: [add("peeringToken"), up, rename, disturb(2, "200 {}"), up],
  },
  {
    title: "what a refused destroy has forgotten is taken back by a run, and goes with its mount",
    ...onPlugin,
    moves: [add("secretsMount"), add("rootConfig"), up, { do: "squat", pick: 0 }],
  },
  {
    title: "a mount whose configuration was forgotten goes by force, as the message says, in a run and in a destroy",
    ...onDynamic,
    moves: [
      add("authMount"),
      { ...add("jwtConfig"), mount: 1 } as Move,
      add("secretsMount"),
      { ...add("rootConfig"), mount: 1 } as Move,
      up,
      { do: "remove", pick: 3 },
      { do: "remove", pick: 1 },
      up,
      { do: "remove", pick: 0 },
      up,
    ],
  },
  {
    title: "a mount that a killed run has moved is its resource's in the next one",
    ...onDynamic,
    moves: [
      add("secretsMount", 8),
      up,
      { do: "identity", pick: 0, name: 1 },
      { do: "mark", pick: 0, field: 0, keeps: false },
      { do: "kill", operation: "up --skip-preview", nth: 4, when: "before" },
      { do: "run", operation: "up --skip-preview" },
    ],
  },
  {
    title: "a mount with a new name, of which a killed run has left the old one too, moves in the next run",
    ...onEngine,
    moves: [
      add("secretsMount"),
      add("exportedServices"),
      up,
      rename,
      edit(0, 1, 1),
      { do: "kill", operation: "up", nth: 3, when: "before" },
      renameMount,
      { do: "run", operation: "refresh" },
    ],
  },
  {
    title:
      "a role that goes to another provider stays beside an exclusive set of a third, which removes what others make",
    ...onDynamic,
    moves: [
      add("jwtRole"),
      { ...add("roleSet", 6), instance: 1 } as Move,
      up,
      { do: "occupy", kind: "jwtRole", mount: 0, name: 3 },
      { do: "rename", pick: 0, alias: false, instance: 2 },
      up,
    ],
  },
  {
    title: "a role is edited in the run that moves its mount",
    ...onPlugin,
    moves: [add("authMount"), { ...add("jwtRole"), mount: 1 } as Move, up, edit(1, 6, 1), renameMount, up],
  },
  {
    title: "a list of roles that is answered with {} lets no inhabited mount be deleted",
    ...onEngine,
    moves: [add("authMount"), up, { do: "squat", pick: 0 }, disturb(1, "200 {}", { operation: "destroy" }), up],
  },
  {
    title: "a record that is answered with {} is not gone",
    ...onEngine,
    moves: [add("jwtRole"), up, disturb(1, "200 {}", { operation: "refresh" }), up],
  },
  {
    title: "two resources of one program do not write the same record",
    ...onEngine,
    moves: [add("jwtRole"), up, { do: "double", pick: 0 }],
  },
  {
    title: "a mount of others with roles in it is not made anew to be taken over",
    ...onEngine,
    moves: [{ do: "occupy", kind: "secretsMount", mount: 0, name: 0 }, add("secretsMount", 1), up],
  },
  {
    title: "a mount is not made anew under another name: its root configuration would be lost",
    ...onEngine,
    moves: [add("secretsMount"), { ...add("rootConfig"), mount: 1 } as Move, up, rename, edit(0, 1), up],
  },
  {
    title: "another name without an alias keeps the record",
    ...onDynamic,
    moves: [add("jwtRole"), up, rename, up],
  },
  {
    title: "two roles change their names with each other",
    ...onDynamic,
    moves: [
      add("jwtRole"),
      { ...add("jwtRole"), name: 1 } as Move,
      up,
      { do: "identity", pick: 0, name: 2 },
      { do: "identity", pick: 1, name: 0 },
      { do: "identity", pick: 0, name: 1 },
      up,
    ],
  },
  {
    title: "another name without an alias keeps the record where the server did not say which one it is",
    ...onPlugin,
    moves: [add("jwtRole"), up, rename, disturb(99, "503", { health: true }), up],
  },
  {
    title: "another name without an alias keeps the record, also where the run fails before the old name is gone",
    ...onPlugin,
    moves: [add("jwtRole"), add("leaseConfig"), up, rename, edit(0, 1, 1), disturb(3, "503"), up],
  },
  {
    title: "a stack goes back from the plugin to the dynamic host",
    ...onPlugin,
    moves: [add("jwtRole"), up, { do: "host" }, up],
  },
  {
    title: "the mark of a legacy policy stays when it is rewritten",
    ...onDynamic,
    moves: [add("cloudRole"), { do: "mark", pick: 0, field: 0, keeps: true }, up],
  },
  {
    title: "a secret value of a claim is sealed in what a refused read-back leaves",
    ...onPlugin,
    moves: [add("jwtRole", 1), { do: "mark", pick: 0, field: 2, keeps: true }, disturb(2, "403"), up],
  },
  {
    title: "a server that repeats a request shows no token",
    ...onEngine,
    moves: [add("jwtRole"), disturb(1, "echo 403"), up],
  },
  {
    title: "an edit that was undone after an update without an answer is undone on the server, too",
    ...onEngine,
    moves: [add("leaseConfig"), up, edit(0, 1), disturb(1, "cut after"), { do: "undo" }, up],
  },
  {
    title: "a write that was answered with 200 and no record is not taken for done",
    ...onEngine,
    moves: [add("rootConfig", 11), disturb(1, "200 []"), up],
  },
  {
    title: "a parameter that is taken over with another secrecy is made anew",
    ...onEngine,
    moves: [add("parameter"), up, edit(1, 0), rename, up],
  },
  {
    title: "a record whose write nobody could confirm is made when the stack goes back to the dynamic host",
    ...onDynamic,
    moves: [{ do: "host" }, add("leaseConfig"), disturb(2, "204"), { do: "host" }, up],
  },
  {
    title:
      "a mount is replaced and another one updated in the run that moves both to another connection of the same server",
    ...onEngine,
    moves: [
      { do: "add", kind: "authMount", mount: 5, name: 5, value: 6 },
      { do: "add", kind: "authMount", mount: 2, name: 9, value: 11 },
      up,
      edit(0, 0, 1),
      edit(0, 0),
      { do: "connection" },
      up,
    ],
  },
  {
    title: "a role that is declared after an exclusive set of its mount is no difference of that set",
    ...onPlugin,
    moves: [add("roleSet"), up, add("jwtRole")],
  },
  {
    title: "an exclusive set knows from its creation on what is made after it in its mount",
    ...onPlugin,
    moves: [add("roleSet"), add("jwtRole")],
  },
  {
    title: "a role that leaves an exclusive set, and is one of its own after it, is no difference of the first",
    ...onEngine,
    moves: [add("roleSet", 7), up, { do: "group", pick: 0, member: 1 }],
  },
  {
    title: "a role that went into a set by a write without an answer stays, also when a refresh comes between",
    ...onDynamic,
    moves: [
      { ...add("jwtRole", 1), name: 1 } as Move,
      up,
      { do: "behind", pick: 0, how: "replace" },
      { do: "group", pick: 0, member: 0 },
      disturb(3, "cut after"),
      { do: "run", operation: "up --refresh" },
    ],
  },
  {
    title: "a role that a failed run has written for a set, which is gone now, is put right after a word",
    ...onEngine,
    moves: [
      add("jwtRole", 9),
      up,
      { do: "identity", pick: 0, name: 1 },
      add("roleSet", 1),
      { do: "remount", pick: 0, mount: 0 },
      disturb(6, "cut after", { operation: "up --refresh" }),
      { do: "remove", pick: 0 },
      { do: "remove", pick: 0 },
      { do: "undo" },
      up,
    ],
  },
  {
    title: "a mount that has its former name again, as the run between them failed, goes to another path",
    ...onDynamic,
    moves: [
      { do: "add", kind: "authMount", mount: 1, name: 2, value: 7 },
      up,
      { do: "identity", pick: 0, name: 0 },
      { do: "move", pick: 0, alias: false },
      disturb(5, "204", { operation: "up --skip-preview" }),
      { do: "unset", pick: 0, field: 0 },
      { do: "move", pick: 0, alias: true },
      { do: "run", operation: "up --refresh" },
    ],
  },
  {
    title: "what another hand has changed is put back, also where an update of something else has read it",
    ...onDynamic,
    moves: [add("parameter", 7), up, { do: "behind", pick: 0, how: "edit" }, { do: "connection" }, up, up],
  },
  {
    title: "the hidden value of a sensitive parameter that is taken over goes, where the program gives none",
    ...onEngine,
    moves: [
      { do: "add", kind: "parameter", mount: 3, name: 7, value: 10 },
      up,
      { do: "unset", pick: 0, field: 0 },
      rename,
      up,
    ],
  },
  {
    title: "a group that another hand has made anew is taken over after a word, also under another name",
    ...onEngine,
    moves: [
      add("group", 3),
      up,
      { do: "move", pick: 0, alias: false },
      { do: "behind", pick: 0, how: "replace" },
      { do: "run", operation: "up --refresh" },
    ],
  },
];
