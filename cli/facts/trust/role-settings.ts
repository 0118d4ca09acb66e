import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { formatDuration, parseDuration } from "../../../provider/core/duration";
import { hasUnknown } from "../../../provider/core/unknowns";
import type { TrustChange } from "./report";
import { listOf } from "./sentences";
import { LIFETIME_NAMES, lifetimeChanges } from "./token-lifetimes";
import { code, hiddenText, listed } from "./trust-change";

type Said = Omit<TrustChange, "by">;

/** Seconds that the server gives where a role says nothing, or 0. */
const LEEWAYS = { clockSkewLeeway: 60, expirationLeeway: 150, notBeforeLeeway: 150 } as const;

/** Whom a role takes a login for, where a browser is sent, which times it forgives, how long its tokens live. */
export function settingChanges(before: Values, after: Values, differing: readonly string[]): readonly Said[] {
  const names = [
    "userClaim",
    "userClaimJsonPointer",
    "allowedRedirectUris",
    ...Object.keys(LEEWAYS),
    ...LIFETIME_NAMES,
  ];
  const changed = names.filter(
    (name) => canonicalText(before[name] ?? "") !== canonicalText(after[name] ?? "") || differing.includes(name),
  );
  const unclear = changed.filter((name) => hasUnknown(before[name]) || hasUnknown(after[name]));
  const known = (name: string) => changed.includes(name) && !unclear.includes(name);
  return [
    ...(unclear.length === 0
      ? []
      : [{ effect: "unclear", sentence: `What changes cannot be told: ${hiddenText(unclear.map(code))}.` } as const]),
    ...(known("userClaim") || known("userClaimJsonPointer") ? userChange(before, after) : []),
    // Where there was no login through a browser, there was no such address.
    ...(known("allowedRedirectUris") && before["roleType"] === after["roleType"] ? redirectChanges(before, after) : []),
    ...Object.entries(LEEWAYS).flatMap(([name, usual]) =>
      known(name) ? leewayChange(name, usual, [before, after]) : [],
    ),
    ...lifetimeChanges(before, after, known),
    ...switchChanges(before, after),
  ];
}

/** What the server adds to the policies, and where their names come from. */
function switchChanges(before: Values, after: Values): readonly Said[] {
  const turned = (name: string) =>
    (before[name] === true) !== (after[name] === true) ? after[name] === true : undefined;
  const [bare, filled] = [turned("tokenNoDefaultPolicy"), turned("tokenPoliciesTemplateClaims")];
  return [
    ...(filled === true
      ? [
          {
            effect: "opens",
            sentence:
              "Whoever can choose a claim of the token can now choose its policies: their names are filled in from claims.",
          } as const,
        ]
      : []),
    ...(bare === false
      ? [{ effect: "gains", sentence: "Issued tokens now also have the policy `default`." } as const]
      : []),
    ...(bare === true
      ? [{ effect: "loses", sentence: "Issued tokens no longer have the policy `default`." } as const]
      : []),
  ];
}

/** Whoever can choose the claim's value is that person to the server. */
function userChange(before: Values, after: Values): readonly Said[] {
  const claimOf = ({ userClaim, userClaimJsonPointer }: Values) =>
    `${userClaimJsonPointer === true ? "what is at" : "the claim"} ${code(userClaim)}`;
  const [then, now] = [claimOf(before), claimOf(after)];
  if (then === now) return [];
  const sentence = `Who somebody is, with the groups of that person, is now decided by ${now}; before, by ${then}.`;
  return [{ effect: "gains", sentence }];
}

function redirectChanges(before: Values, after: Values): readonly Said[] {
  const [olds, news] = [before, after].map(({ allowedRedirectUris }) => listOf(allowedRedirectUris).map(String).sort());
  const only = (these: readonly string[] = [], those: readonly string[] = []) =>
    these.filter((each) => !those.includes(each)).map(code);
  const [come, gone] = [only(news, olds), only(olds, news)];
  const logins = "Logins through a browser";
  return [
    ...(come.length === 0
      ? []
      : [{ effect: "gains", sentence: `${logins} may now lead to ${listed(come, "or")}.` } as const]),
    ...(gone.length === 0
      ? []
      : [{ effect: "loses", sentence: `${logins} may no longer lead to ${listed(gone, "or")}.` } as const]),
  ];
}

function leewayChange(name: string, usual: number, sides: readonly [Values, Values]): readonly Said[] {
  const [then, now] = sides.map((values) => secondsOf(values[name], usual));
  if (then === undefined || now === undefined || then === now) return [];
  const shown = (seconds: number) => (seconds === 0 ? "none" : formatDuration(seconds));
  const effect = now > then ? "gains" : "loses";
  const word = now > then ? "more" : "less";
  return [
    {
      effect,
      sentence: `Tokens are forgiven ${word} time: ${code(name)} is now ${shown(now)}; before, ${shown(then)}.`,
    },
  ];
}

/** What the server counts: less than nothing is none. */
function secondsOf(value: unknown, usual: number): number | undefined {
  if (isEmpty(value)) return usual;
  if (String(value).startsWith("-")) return 0;
  const seconds = parseDuration(typeof value === "number" ? value : String(value));
  if (typeof seconds !== "number") return undefined;
  return seconds === 0 ? usual : seconds;
}
