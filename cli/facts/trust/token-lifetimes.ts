import { isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { formatDuration, parseDuration } from "../../../provider/core/duration";
import type { Said } from "./trust-change";

interface Lifetime {
  /** The sentence up to the value. */
  readonly text: string;
  /** The sentences where there is such a time now, and where there is none any more; without them, `none` says it. */
  readonly from?: (now: string) => string;
  readonly until?: (then: string) => string;
  /** What nothing, or 0, stands for. */
  readonly none: string;
  /** How much that is; undefined where only the mount says it. */
  readonly noneIs: number | undefined;
  readonly shown: (value: number) => string;
}

const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  tokenTtl: {
    text: "Issued tokens now live",
    none: "as long as the mount says",
    noneIs: undefined,
    shown: formatDuration,
  },
  tokenMaxTtl: {
    text: "Issued tokens can now be renewed for",
    none: "as long as the mount says",
    noneIs: undefined,
    shown: formatDuration,
  },
  tokenExplicitMaxTtl: {
    text: "Issued tokens now end, renewed or not, after",
    from: (now) => `Issued tokens now end after ${now}, renewed or not; before, when they were renewed no more.`,
    until: (then) => `Issued tokens no longer end at a fixed time; before, after ${then}, renewed or not.`,
    none: "no time of their own",
    noneIs: Number.POSITIVE_INFINITY,
    shown: formatDuration,
  },
  tokenPeriod: {
    text: "Issued tokens can now be renewed without end, each time for",
    from: (now) => `Issued tokens can now be renewed without end, each time for ${now}; before, only until they end.`,
    until: (then) => `Issued tokens can no longer be renewed without end; before, each time for ${then}.`,
    none: "no time",
    noneIs: 0,
    shown: formatDuration,
  },
  tokenNumUses: {
    text: "Issued tokens can now be used",
    none: "without limit",
    noneIs: Number.POSITIVE_INFINITY,
    shown: (uses) => (uses === 1 ? "once" : `${uses} times`),
  },
  maxAge: {
    text: "People may now have logged in at the identity provider",
    none: "at any time before",
    noneIs: Number.POSITIVE_INFINITY,
    shown: (seconds) => `${formatDuration(seconds)} before`,
  },
};

export const LIFETIME_NAMES = Object.keys(LIFETIMES);

/** How long, and how often, the tokens of a role can be used. */
export function lifetimeChanges(before: Values, after: Values, isChanged: (name: string) => boolean): readonly Said[] {
  return Object.entries(LIFETIMES).flatMap(([name, { text, from, until, none, noneIs, shown }]): readonly Said[] => {
    if (!isChanged(name)) return [];
    const [was, is] = [before, after].map((values) => amountOf(values[name]));
    if (was === undefined || is === undefined || was === is) return [];
    const [then, now] = [was, is].map((amount) => (amount === 0 ? none : shown(amount)));
    const [less, more] = [was, is].map((amount) => (amount === 0 ? noneIs : amount));
    const effect = less === undefined || more === undefined ? "unclear" : more > less ? "gains" : "loses";
    const own = was === 0 ? from?.(String(now)) : is === 0 ? until?.(String(then)) : undefined;
    return [{ effect, sentence: own ?? `${text} ${now}; before, ${then}.` }];
  });
}

/** Seconds, or a number of times; nothing is 0. Undefined for what is no amount. */
export function amountOf(value: unknown): number | undefined {
  if (isEmpty(value)) return 0;
  const amount = parseDuration(typeof value === "number" ? value : String(value));
  return typeof amount === "number" ? amount : undefined;
}
