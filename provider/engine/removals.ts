import type { Values } from "../core/definition";
import { ProviderError } from "../core/errors";
import { type Records, recordsIn } from "../core/members";
import { CLAIMED } from "../core/state-names";
import type { Operation, SetOperation } from "./operation";
import { isOfProgram, isPerhapsOfProgram, recordKeys, wantedNames } from "./run-notes";
import { isIgnored, type Listed, refusalOf, someOf, unmanagedAmong, unmanagedRecords } from "./unmanaged";

/** What becomes of the records that a set is not to have. */
export interface Removals {
  /** Of the set's own records, those that the program does not name any more, and that go. */
  readonly own: readonly string[];
  /** Of these, those that stay: the program ignores them now, or another resource has them. */
  readonly handedOver: readonly string[];
  /** Records that nobody of the program has, and that go. */
  readonly others: Records;
  /** Those of them that stay for now, and why. */
  readonly unmanaged: readonly string[];
  /** Records of other resources of the program. */
  readonly claimed: readonly string[];
}

interface Given {
  readonly olds: Values;
  readonly news: Values;
  /** Of the set's own records, those that the program does not name any more. */
  readonly unnamed: readonly string[];
  /** What the server has; undefined where it was not listed. */
  readonly listed: Listed | undefined;
  /** Whether such a record is in a mount that another hand has made anew: until the set is recorded there, it is not its matter. */
  readonly isStrange: (one: Operation, record: Values) => Promise<boolean>;
}

/**
 * The one answer to what a set may remove: nothing that it ignores; nothing that another resource of the program has; and
 * of what it has never had, only what a preview of the whole program has shown.
 */
export async function removalsOf(
  operation: SetOperation,
  { olds, news, unnamed, listed, isStrange }: Given,
): Promise<Removals> {
  const { set, members } = operation;
  const { definition, log } = set;
  const one = { ...set, definition: members.of };
  const known = recordsIn(definition, members, olds);
  const isKept = (name: string) => {
    const record = known.get(name);
    return isIgnored(definition, news, name) || (record !== undefined && isOfProgram(one, record));
  };
  const [own, handedOver] = parted(unnamed, (name) => !isKept(name));
  const extra: Records =
    news["exclusive"] === true && listed ? unmanagedRecords(definition, members, news, listed) : new Map();
  const found = new Map([...extra].filter(([name]) => !known.has(name)));
  const [free, claimed] = parted([...found.keys()], (name) => !isOfProgram(one, found.get(name) ?? {}));
  const isTheirs = free.length > 0 && (await isStrange(one, found.get(free[0] ?? "") ?? {}));
  const reasons = new Map(
    free.map((name) => [name, isTheirs ? THEIRS : reasonToWait(one, name, found.get(name) ?? {})]),
  );
  const [going, unmanaged] = parted(free, (name) => reasons.get(name) === undefined);
  if (unmanaged.length > 0) {
    const why = [...new Set(unmanaged.map((name) => reasons.get(name)))].join("; ");
    log(
      "warning",
      `${countOf(unmanaged)} that the program does not name ${unmanaged.length === 1 ? "stays" : "stay"}: ${why}`,
    );
  }
  if (handedOver.length > 0)
    log("info", `${countOf(handedOver)} left the set and ${handedOver.length === 1 ? "is" : "are"} not deleted`);
  const refusal = news["exclusive"] === true ? refusalOf(news, [...own, ...going]) : undefined;
  if (refusal !== undefined) throw new ProviderError("InputError", refusal);
  if (going.length > 0)
    log(
      "info",
      `${countOf(going, going.length)} that the program does not name ${going.length === 1 ? "is" : "are"} removed`,
    );
  const others = new Map(going.map((name) => [name, found.get(name) ?? {}]));
  // What is made after this set is not unmanaged for it in the next preview.
  const wanted = news["exclusive"] === true ? unmanagedAmong(definition, wantedNames(one, news), news) : [];
  return { own, handedOver, others, unmanaged, claimed: [...new Set([...claimed, ...wanted])] };
}

const THEIRS = "it is in a mount that another hand has made anew; the next one does, once the set is in it";

// The next run sees no more of it.
const UNSEEN =
  "the provider cannot see how the CLI was called (on Windows, or where the CLI has another name), and removes";
const UNSEEN_PLAN = `${UNSEEN} nothing of this kind by a saved plan; an \`apply\` that makes its own plan removes what that shows`;
const UNSEEN_CALL = `${UNSEEN} nothing of this kind; delete it on the server, or name it in \`ignore\``;

/** Why a record that nobody of the program is known to have is not removed by this run; undefined where it is. */
function reasonToWait(one: Operation, name: string, record: Values): string | undefined {
  const { run, removable } = one;
  if (isPerhapsOfProgram(one, record)) {
    return "another resource of the program may have it, whose place was not known in the preview; the next run tells";
  }
  const sight = run.sight();
  const hasShown = () => run.said.hadBefore("clears", recordKeys(one, record));
  if (sight === "part") return "this run knows only a part of the program (--target); a run without it removes it";
  // Terraform plans once more in the apply, which shows nobody anything.
  if (removable !== undefined) {
    if (removable.includes(name) && (sight === "saved" || hasShown())) return undefined;
    return sight === "unknown" ? UNSEEN_PLAN : "the plan did not show it; the next one of the whole program does";
  }
  if (sight === "unknown") return UNSEEN_CALL;
  if (sight === "none")
    return "this run had no preview, which tells what other resources have; a run with its preview removes it";
  return hasShown() ? undefined : "the preview did not show it; the next one does";
}

/** What a state says of the records beside the set's own. */
export function withOthers(state: Values, { unmanaged, claimed }: Pick<Removals, "unmanaged" | "claimed">): Values {
  const { unmanaged: _, [CLAIMED]: __, ...rest } = state;
  return {
    ...rest,
    ...(unmanaged.length > 0 ? { unmanaged: [...unmanaged].sort() } : {}),
    ...(claimed.length > 0 ? { [CLAIMED]: [...claimed].sort() } : {}),
  };
}

/** The records that a state knows as those of other resources. */
export function claimedIn(state: Values): readonly string[] {
  return namesIn(state[CLAIMED]);
}

/** The records that a state knows as nobody's. */
export function unmanagedIn({ unmanaged }: Values): readonly string[] {
  return namesIn(unmanaged);
}

function namesIn(names: unknown): readonly string[] {
  return Array.isArray(names) ? names.map(String) : [];
}

export function countOf(names: readonly string[], most?: number): string {
  return `${names.length === 1 ? "1 record" : `${names.length} records`} (${someOf(names, most)})`;
}

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
