import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { type CreateOutcome, keyOf, type TrustRecord } from "./trust-record";

/** A record before and after a change; undefined where it is not there. */
export interface RecordPair {
  readonly was: Values | undefined;
  readonly is: Values | undefined;
  /** Properties that are hidden on both sides and have not the same value. */
  readonly differing: readonly string[];
  /** Of the record after. */
  readonly outcome?: CreateOutcome | undefined;
  /** The record before stays on the server, although it is deleted. */
  readonly isLeft?: boolean | undefined;
}

interface Changed {
  readonly before: readonly TrustRecord[];
  readonly after: readonly TrustRecord[];
}

/** The records of one class that change, those of one name together. */
export function recordPairs(
  { token }: { readonly token: string },
  names: readonly string[],
  { before, after }: Changed,
): readonly RecordPair[] {
  const keyed = (records: readonly TrustRecord[]) =>
    Map.groupBy(
      records.filter(({ definition }) => definition.token === token),
      ({ values }) => keyOf(values, names),
    );
  const [olds, news] = [keyed(before), keyed(after)];
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((key) => paired(olds.get(key), news.get(key)));
}

/** The records of one name, before and after: those of one resource belong together, then those that come and go. */
function paired(olds: readonly TrustRecord[] = [], news: readonly TrustRecord[] = []) {
  const sourceOf = ({ urn, of }: TrustRecord) => canonicalText([urn, of?.name ?? ""]);
  const bySource = new Map(news.map((each) => [sourceOf(each), each]));
  const stay = new Set(olds.map(sourceOf).filter((source) => bySource.has(source)));
  const [left, come] = [olds, news].map((all) => all.filter((each) => !stay.has(sourceOf(each))));
  const others = Array.from({ length: Math.max(left?.length ?? 0, come?.length ?? 0) }, (_, at) => [
    left?.[at],
    come?.[at],
  ]);
  const same = olds.filter((each) => stay.has(sourceOf(each))).map((each) => [each, bySource.get(sourceOf(each))]);
  return [...same, ...others].map(
    ([was, is]): RecordPair => ({
      was: was?.values,
      is: is?.values,
      differing: was?.differing ?? [],
      outcome: is?.outcome,
      isLeft: was?.isLeft,
    }),
  );
}
