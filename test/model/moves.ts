import { fc } from "../support/fast-check.ts";
import { type FaultName, faultNames } from "./disturbance.ts";
import { type KindName, kindNames } from "./kinds.ts";
import type { Meddling } from "./outside.ts";
import type { Operation } from "./run.ts";

/**
 * What a user, his colleagues and his network do to a stack: data, so that a life can be printed and lived again.
 * Numbers choose among what there is at that time.
 */
export type Move =
  | {
      readonly do: "add";
      readonly kind: KindName;
      readonly mount: number;
      readonly name: number;
      readonly value: number;
      readonly instance?: number;
    }
  | { readonly do: "edit"; readonly pick: number; readonly field: number; readonly value: number }
  | { readonly do: "unset"; readonly pick: number; readonly field: number }
  /** A value becomes secret, or is not any more; with another value, or with the same. */
  | { readonly do: "mark"; readonly pick: number; readonly field: number; readonly keeps: boolean }
  /** Without an alias it may go to another of the program's providers. */
  | { readonly do: "rename"; readonly pick: number; readonly alias: boolean; readonly instance?: number }
  | { readonly do: "move"; readonly pick: number; readonly alias: boolean }
  /** Another record: a new name, or another mount. */
  | { readonly do: "identity"; readonly pick: number; readonly name: number }
  | { readonly do: "remount"; readonly pick: number; readonly mount: number }
  /** A single role goes into a set, or one of a set becomes a single one. */
  | { readonly do: "group"; readonly pick: number; readonly member: number }
  | { readonly do: "remove"; readonly pick: number }
  /** A second resource writes the record of another one. */
  /** The program as it was when a run last succeeded. */
  | { readonly do: "undo" }
  | { readonly do: "double"; readonly pick: number }
  | { readonly do: "host" }
  | { readonly do: "connection" }
  | { readonly do: "behind"; readonly pick: number; readonly how: Meddling }
  | { readonly do: "rotate"; readonly pick: number }
  | { readonly do: "occupy"; readonly kind: KindName; readonly mount: number; readonly name: number }
  | { readonly do: "squat"; readonly pick: number }
  | { readonly do: "rebuild"; readonly data: "kept" | "lost" }
  | Retarget
  | { readonly do: "import"; readonly pick: number }
  | Disturbed
  | { readonly do: "kill"; readonly operation: Operation; readonly nth: number; readonly when: "before" | "after" }
  | { readonly do: "run"; readonly operation: Operation };

/**
 * The address leads to another server for one run, which may have records of the same names. Where nothing verifies the
 * server, because the user has said so, it leads to his own.
 */
export interface Retarget {
  readonly do: "retarget";
  readonly operation: Operation;
  readonly same: boolean;
  readonly pick: number;
  readonly field: number;
  readonly value: number;
  readonly identity: "known" | "offline" | FaultName;
}

export interface Disturbed {
  readonly do: "disturb";
  readonly operation: Operation;
  readonly nth: number;
  readonly fault: FaultName;
  /** The server does not say which one it is either. */
  readonly health: boolean;
}

export type MoveName = Move["do"];

const number = fc.nat({ max: 11 });
const instance = fc.constantFrom(0, 0, 0, 1, 2);
// A key that was rotated takes more than one move to go wrong.
const kind = fc.constantFrom<KindName[]>(...kindNames, "rootConfig", "rootRotation", "jwtRole", "roleSet", "roleSet");
// Most runs send few requests.
const nth = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 14 }));
const operation = fc.constantFrom<Operation[]>("up", "up", "up --skip-preview", "up --refresh", "refresh", "destroy");
const fault = fc.constantFrom(...faultNames);
const make = <T extends MoveName>(name: T, parts: object) =>
  // The parts are those of the move of that name; `satisfies` below would say it twice.
  fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Extract<Move, { do: T }>>;

/** Every kind of move with how often it is made. */
export const arbitraries: { readonly [Name in MoveName]: readonly [weight: number, fc.Arbitrary<Move>] } = {
  add: [8, make("add", { kind, mount: number, name: number, value: number, instance })],
  edit: [8, make("edit", { pick: number, field: number, value: number })],
  unset: [3, make("unset", { pick: number, field: number })],
  mark: [3, make("mark", { pick: number, field: number, keeps: fc.boolean() })],
  rename: [4, make("rename", { pick: number, alias: fc.boolean(), instance })],
  move: [2, make("move", { pick: number, alias: fc.boolean() })],
  identity: [3, make("identity", { pick: number, name: number })],
  remount: [2, make("remount", { pick: number, mount: number })],
  group: [4, make("group", { pick: number, member: number })],
  remove: [3, make("remove", { pick: number })],
  undo: [3, make("undo", {})],
  double: [1, make("double", { pick: number })],
  host: [2, make("host", {})],
  connection: [1, make("connection", {})],
  behind: [3, make("behind", { pick: number, how: fc.constantFrom("edit", "delete", "replace") })],
  rotate: [1, make("rotate", { pick: number })],
  occupy: [2, make("occupy", { kind, mount: number, name: number })],
  squat: [1, make("squat", { pick: number })],
  rebuild: [1, make("rebuild", { data: fc.constantFrom("kept", "lost") })],
  retarget: [
    3,
    make("retarget", {
      operation,
      same: fc.boolean(),
      pick: number,
      field: number,
      value: number,
      identity: fc.oneof(
        { weight: 3, arbitrary: fc.constant("known") },
        { weight: 1, arbitrary: fc.constant("offline") },
        { weight: 1, arbitrary: fault },
      ),
    }),
  ],
  import: [1, make("import", { pick: number })],
  disturb: [
    10,
    make("disturb", {
      operation,
      nth,
      fault,
      health: fc.oneof({ weight: 1, arbitrary: fc.constant(false) }, fc.boolean()),
    }),
  ],
  kill: [3, make("kill", { operation, nth, when: fc.constantFrom("before", "after") })],
  run: [6, make("run", { operation })],
};

export const moveNames = Object.keys(arbitraries) as MoveName[];
