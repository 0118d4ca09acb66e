import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { hasUnknown } from "../../../provider/core/unknowns";
import { setDifference } from "../../text/lists";
import { policyWords } from "./gain-words";
import { HIDDEN_NOW } from "./not-shown";
import { filledNames, listOf } from "./sentences";
import { amountOf, LIFETIME_NAMES, lifetimeChanges } from "./token-lifetimes";
import { code, listed, type Said } from "./trust-change";

/** Seconds that the server gives where a role says nothing, or 0. */
const LEEWAYS = {
  clockSkewLeeway: { usual: 60, what: "Where clocks differ, tokens now count longer than they say by" },
  expirationLeeway: { usual: 150, what: "Tokens without `exp` now count for" },
  notBeforeLeeway: { usual: 150, what: "Tokens with neither `nbf` nor `iat` now count before their end for" },
} as const;

/** Whom a role takes a login for, where a browser is sent, which times it forgives, how long its tokens live. */
export function settingChanges(before: Values, after: Values, differing: readonly string[]): readonly Said[] {
  const changed = Object.keys(DECIDED).filter(
    (name) => canonicalText(before[name] || "") !== canonicalText(after[name] || "") || differing.includes(name),
  );
  const unclear = changed.filter((name) => hasUnknown(before[name]) || hasUnknown(after[name]));
  const known = (name: string) => changed.includes(name) && !unclear.includes(name);
  return [
    ...(unclear.length === 0 ? [] : [unclearChange(unclear)]),
    ...(known("userClaim") || known("userClaimJsonPointer") ? userChange(before, after) : []),
    // Where there was no login through a browser, there was no such address.
    ...(known("allowedRedirectUris") && before["roleType"] === after["roleType"] ? redirectChanges(before, after) : []),
    ...Object.entries(LEEWAYS).flatMap(([name, leeway]) =>
      known(name) ? leewayChange(leeway, [before[name], after[name]]) : [],
    ),
    ...lifetimeChanges(before, after, known),
    ...(known("tokenNoDefaultPolicy") ? defaultPolicyChange(after) : []),
    ...templateChange(before, after),
  ];
}

/** What each setting decides, in words: the names of properties differ between Pulumi and Terraform. */
const DECIDED: Readonly<Record<string, string>> = {
  userClaim: "which claim says who somebody is",
  userClaimJsonPointer: "which claim says who somebody is",
  allowedRedirectUris: "where logins through a browser lead",
  ...Object.fromEntries([...Object.keys(LEEWAYS), ...LIFETIME_NAMES].map((name) => [name, "how long tokens count"])),
  tokenNoDefaultPolicy: "which policies tokens have",
  tokenPoliciesTemplateClaims: "which policies tokens have",
};

function unclearChange(names: readonly string[]): Said {
  const what = listed([...new Set(names.map((name) => DECIDED[name] ?? name))], "and");
  const sentence = `It cannot be told ${what}: a setting of the role is ${HIDDEN_NOW}.`;
  return { effect: "unclear", sentence };
}

function defaultPolicyChange({ tokenNoDefaultPolicy }: Values): readonly Said[] {
  return tokenNoDefaultPolicy === true
    ? [{ effect: "loses", sentence: "Issued tokens no longer have the policy `default`." }]
    : [{ effect: "gains", sentence: "Issued tokens now also have the policy `default`." }];
}

/** Of OpenBao. */
function templateChange(before: Values, after: Values): readonly Said[] {
  const { more } = setDifference(filledNames(after), filledNames(before));
  if (more.length === 0) return [];
  const why = "whoever can choose that claim can choose the policy";
  return [{ effect: "opens", sentence: `Claims of the token now fill in the name of ${policyWords(more)}: ${why}.` }];
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
  const { more, missing } = setDifference(news, olds);
  const [come, gone] = [more.map(code), missing.map(code)];
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

function leewayChange(
  { usual, what }: (typeof LEEWAYS)[keyof typeof LEEWAYS],
  sides: readonly [unknown, unknown],
): readonly Said[] {
  const [then, now] = sides.map((value) => secondsOf(value, usual));
  if (then === undefined || now === undefined || then === now) return [];
  const shown = (seconds: number) => (seconds === 0 ? "no time" : formatDuration(seconds));
  const sentence = `${what} ${shown(now)}; before, ${shown(then)}.`;
  return [{ effect: now > then ? "gains" : "loses", sentence }];
}

/** What the server counts: less than nothing is none. */
function secondsOf(value: unknown, usual: number): number | undefined {
  if (String(value).startsWith("-")) return 0;
  const seconds = amountOf(value);
  return seconds === 0 ? usual : seconds;
}
