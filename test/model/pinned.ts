import type { KindName } from "./kinds.ts";
import type { Beginning } from "./lives.ts";
import type { Disturbed, Move } from "./moves.ts";

/** A life that has gone wrong once, as the model found it or as it was reported. */
export interface Regression extends Beginning {
  /** What holds now, as a sentence. */
  readonly title: string;
  readonly moves: readonly Move[];
}

/** Moves and beginnings of which pinned lives are made. */
export const add = (kind: KindName, value = 0): Move => ({ do: "add", kind, mount: 0, name: 0, value });
export const edit = (field: number, value: number, pick = 0): Move => ({ do: "edit", pick, field, value });
export const up: Move = { do: "run", operation: "up" };
export const retarget = { do: "retarget", same: true, pick: 0, field: 0, value: 1, identity: "known" } as const;
export const disturb = (nth: number, fault: Disturbed["fault"], more: Partial<Disturbed> = {}): Move => ({
  ...{ do: "disturb", operation: "up", nth, fault, health: false },
  ...more,
});
export const renameMount: Move = { do: "identity", pick: 0, name: 2 };
export const rename: Move = { do: "rename", pick: 0, alias: false };
export const onEngine = { host: "engine", addressing: "environment" } as const;
export const onDynamic = { host: "dynamic", addressing: "configuration" } as const;
export const onPlugin = { host: "plugin", addressing: "configuration" } as const;
