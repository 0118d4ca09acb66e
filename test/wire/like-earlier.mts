import { isDeepStrictEqual } from "node:util";
import type { Answer, Exchange } from "./exchange.mts";
import { changesBetween, type ExchangeChanges, withChanges } from "./exchange-changes.mts";
import { usualAnswers } from "./usual-answers.mts";

/** An exchange as the difference from an earlier one of its recording, or from a usual answer. */
export interface LikeEarlier extends ExchangeChanges {
  readonly like: string;
  /** Where it is not that of the earlier one. */
  readonly request?: Exchange["request"];
}

/** The exchange as it is, or as the difference that takes the least text. */
export function shortestEntry(exchange: Exchange, earlier: readonly Exchange[]): Exchange | LikeEarlier {
  const entries = [exchange, ...[...usualAnswers, ...earlier].map((each) => entryLike(each, exchange))];
  return entries.reduce((best, each) => (lengthOf(each) < lengthOf(best) ? each : best));
}

/** @throws Error when there is no such earlier one. */
export function exchangeLike(entry: LikeEarlier, earlier: ReadonlyMap<string, Exchange>): Exchange {
  const like: (Answer & Partial<Exchange>) | undefined =
    earlier.get(entry.like) ?? usualAnswers.find(({ title }) => title === entry.like);
  const request = entry.request ?? like?.request;
  if (like === undefined || request === undefined) throw new Error(`"${entry.title}" is like nothing before it`);
  const { status, headers, body } = withChanges(like, entry);
  return { title: entry.title, request, status, headers, body };
}

function entryLike(like: Answer & Partial<Exchange>, exchange: Exchange): LikeEarlier {
  const { title, request, ...answer } = exchange;
  const { request: asked, ...other } = like;
  return {
    title,
    ...(isDeepStrictEqual(asked, request) ? {} : { request }),
    like: like.title,
    ...changesBetween({ ...other, title }, { ...answer, title }),
  };
}

function lengthOf(entry: object): number {
  return JSON.stringify(entry).length;
}
