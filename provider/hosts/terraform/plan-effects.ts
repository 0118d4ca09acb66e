import { ProviderError } from "../../core/errors";
import type { HeldRecord } from "../../engine/held-record";
import { ALONE, type Journal, type JournalEntry, saidIn } from "../../engine/journal";

/** What one plan makes of records: of those that the state has, and of those that are new to it. */
export interface PlanEffects {
  /**
   * Takes note of what the plan does with the records of a resource. Throws where that and what it does for another one
   * cannot both be meant: a record is kept for one that is deleted, or made, for the other. The apply comes in a process
   * that knows of no resource that stays as it is.
   */
  note(resource: PlannedResource): void;
  /** Another plan begins. */
  clear(): void;
}

export interface PlannedResource {
  /**
   * The same however often the resource is planned: what the state has in `id`, or what the program says of a resource that
   * is new. Two resources can have it in common.
   */
  readonly by: string;
  /** What the state has. */
  readonly before: readonly HeldRecord[];
  /** What it has after the apply; undefined where the resource itself is deleted. */
  readonly after: readonly HeldRecord[] | undefined;
  /** Whether all of `before` is deleted, and all of `after` made anew. */
  readonly isReplaced?: boolean;
  /** Whether these are records of a set, which deletes nothing that the program wants, as far as its apply is told of it. */
  readonly isSet?: boolean;
  /** What an exclusive set removes as nobody's. */
  readonly unmanaged?: readonly HeldRecord[];
  /** Of an exclusive set: what it removes as soon as it is there. */
  readonly exclusive?: Exclusive | undefined;
}

interface Exclusive {
  readonly title: string;
  clears(record: HeldRecord): boolean;
}

/** A plan of another block that is over has left word only that it `wants` the record, makes or destroys it. */
type Action = "keeps" | "deletes" | "creates" | "clears" | "wants";

interface PlanEffect {
  readonly action: Action;
  readonly by: string;
  /** That, and what the state has for it. */
  readonly who: string;
  readonly change: Change;
}

/** The resource stays, and goes to another record (`place`) or loses one of many (`member`); or it goes itself. */
type Change = "place" | "member" | "whole";

/** The journal has what the plans of other `provider` blocks make of them: in full as long as their processes run. */
export function createPlanEffects(journal: Journal = ALONE): PlanEffects {
  const effects = new Map<string, PlanEffect[]>();
  const [exclusives, made] = [[] as Exclusive[], [] as HeldRecord[]];
  return {
    note(resource) {
      const { by, before, after, isReplaced = false } = resource;
      const isInPlace = before.length > 0 && after !== undefined && !isReplaced;
      const change: Change = isInPlace ? (resource.isSet ? "member" : "place") : "whole";
      const planned = actionsOf(resource);
      const who = JSON.stringify([by, ...before.map(({ key }) => key)]);
      // Before the look: of two processes at the same moment, one sees the other.
      tell(journal, planned, change);
      if (after === undefined) leave(journal, "destroys", planned, "deletes");
      if (before.length === 0) leave(journal, "makes", planned, "creates");
      const others = effectsElsewhere(journal, planned);
      for (const [record, action] of planned) {
        const own = record.keys.flatMap((key) => effects.get(key) ?? []);
        for (const first of [...new Set([...own, ...others(record, action)])]) {
          const both = [first, { action, by, who, change }] as const;
          const reason = isHandedOver(journal, both) ? undefined : refusal(record, both);
          if (reason !== undefined) throw new ProviderError("InputError", reason);
        }
      }
      const own = resource.exclusive ? [resource.exclusive] : [];
      const makes = planned.flatMap(([record, action]) => (action === "creates" ? [record] : []));
      assertNamed(own, made);
      assertNamed(exclusives, makes);
      exclusives.push(...own);
      made.push(...makes);
      for (const [{ keys }, action] of planned) {
        const effect = { action, by, who, change };
        for (const key of keys) {
          const known = effects.get(key) ?? [];
          if (known.some((each) => each.action === action && each.who === who)) continue;
          effects.set(key, [...known, effect]);
        }
      }
    },
    clear() {
      effects.clear();
      for (const known of [exclusives, made]) known.length = 0;
    },
  };
}

/** Throws where the plan makes a record that such a set removes in the next run: each later plan would be refused. */
function assertNamed(exclusives: readonly Exclusive[], made: readonly HeldRecord[]): void {
  for (const { title, clears } of exclusives) {
    const record = made.find(clears);
    if (record === undefined) continue;
    const what = `this plan would make ${record.title} (${record.id}), which an exclusive set does not name, and ${title} would delete it in each later plan`;
    throw new ProviderError("InputError", `${what}. ${TO_NAME}`);
  }
}

const TO_NAME = "Name it in `ignore` of the set, or take it into the set and the other resource out of the program.";

function leave(journal: Journal, entry: "makes" | "destroys", planned: readonly Planned[], of: Action): void {
  const keys = planned.flatMap(([record, action]) => (action === of ? record.keys : []));
  if (keys.length > 0) journal.note(entry, keys);
}

function tell(journal: Journal, planned: readonly Planned[], change: Change): void {
  for (const [action, those] of Map.groupBy(planned, ([, action]) => action)) {
    const keys = those.flatMap(([record]) => record.keys);
    journal.note(`plans:${action}:${change}`, keys);
  }
}

function effectsElsewhere(journal: Journal, planned: readonly Planned[]) {
  const isTold = journal.told(planned.flatMap(([{ keys }]) => keys)).size > 0;
  return ({ keys, id }: HeldRecord, action: Action): readonly PlanEffect[] => {
    const told = isTold ? [...journal.told(keys)] : [];
    const plans = saidIn(told, "plans").map((plan): PlanEffect => {
      const [action, change] = plan.split(":") as [Action, Change];
      // Nobody looks up the address of what is new.
      return { action, by: action === "creates" ? "" : id, who: "", change };
    });
    // What an exclusive set removes, a saved plan removes without a look at other blocks: it is refused also after their end.
    const left: [JournalEntry, Action] = action === "clears" ? ["wants", "wants"] : ["clears", "clears"];
    const other = OTHER_HALF[action];
    for (const [entry, theirs] of other ? [left, other] : [left]) {
      if (!told.includes(entry)) continue;
      plans.push({ action: theirs, by: theirs === "deletes" ? id : "", who: "", change: "whole" });
    }
    return plans;
  };
}

/**
 * Whether a set loses a record that another resource keeps: an apply that failed has made it for that one before the set could
 * let it go. The apply is told that the program wants it, unless the plan is saved, or nobody can see how the CLI was called.
 */
function isHandedOver(journal: Journal, effects: readonly PlanEffect[]): boolean {
  const isLost = effects.some(({ action, change }) => action === "deletes" && change === "member");
  return isLost && effects.some(({ action }) => action === "keeps") && journal.reachesApply();
}

/** What a plan that is over may have left word of: together, the two make a record anew. */
const OTHER_HALF: { readonly [action in Action]?: [JournalEntry, Action] } = {
  creates: ["destroys", "deletes"],
  deletes: ["makes", "creates"],
};

type Planned = readonly [HeldRecord, Action];

function actionsOf({ before, after = [], isReplaced = false, unmanaged = [] }: PlannedResource): Planned[] {
  const keysOf = (records: readonly HeldRecord[]) => new Set(isReplaced ? [] : records.map(({ key }) => key));
  const [had, has] = [keysOf(before), keysOf(after)];
  const actions = [
    // They come first: a refresh takes them into the set's state, but the state does not have them twice because of that.
    ...unmanaged.map((record) => [record, "clears"] as const),
    ...before.map((record) => [record, has.has(record.key) ? "keeps" : "deletes"] as const),
    ...after.filter(({ key }) => !had.has(key)).map((record) => [record, "creates"] as const),
  ];
  // What is only forgotten is no loss to another resource.
  return actions.filter(([{ isDeletable }, action]) => isDeletable || action !== "deletes");
}

/**
 * Why not both; undefined where both can be. What one deletes another may make, as its address has changed: unless what
 * cannot be made again would go with it.
 */
function refusal({ title, id, loses }: HeldRecord, effects: readonly [PlanEffect, PlanEffect]): string | undefined {
  const [one, other] = effects;
  const record = `${title} (${id})`;
  const listed = (those: readonly PlanEffect[]) =>
    [...new Set(those.map(({ by }) => `\`terraform state list -id='${by}'\``))].join(" and ");
  const kept = effects.filter(({ action }) => action === "keeps");
  const has = (action: Action) => effects.some((each) => each.action === action);
  if (has("keeps") && has("deletes")) {
    const what = `the state has ${record} twice, and this plan would delete for one address what the other one keeps`;
    const todo = `Take the address that is too many out of the state with \`terraform state rm\`: the server does not notice`;
    return `${what}. ${todo}, and a record that the program has is taken over by the next apply. ${listed(effects)} shows the addresses.`;
  }
  // A plan can ask twice for one resource. Two sets of a mount have one id, and are told apart by what they have.
  if (one.by === other.by && !(has("clears") && one.who !== other.who)) return undefined;
  if (has("clears") && (has("keeps") || has("creates") || has("wants"))) {
    const verb = has("wants") ? "keep or create" : kept.length > 0 ? "keep" : "create";
    const what = `this plan would delete ${record}, which an exclusive set does not name, and ${verb} it for another resource`;
    const shown = kept.length > 0 ? ` ${listed(kept)} shows the address that has it.` : "";
    return `${what}. ${TO_NAME}${shown}`;
  }
  if (loses !== undefined && has("deletes") && has("creates") && effects.every(({ change }) => change === "whole")) {
    const what = `this plan would destroy ${record} for one address, ${loses}, and make it anew for another one`;
    const todo =
      "Say in a `moved` block that the address has changed: `moved { from = <the old address> to = <the new one> }`. To have it made anew, destroy it in an apply of its own first";
    return `${what}. ${todo}. ${listed(effects.filter(({ action }) => action === "deletes"))} shows the old address.`;
  }
  const todo = "Give one of the two another name, or take one of them out of the program";
  if (has("creates") && has("keeps")) {
    const what = `the state has ${record} for one resource, and this plan would create it for another one as well, so that each undoes what the other one sets`;
    return `${what}. ${todo}. ${listed(kept)} shows the address that has it.`;
  }
  if (one.action === "creates" && other.action === "creates") {
    return `this plan would create ${record} for two resources, so that each undoes what the other one sets. ${todo}.`;
  }
  return undefined;
}
