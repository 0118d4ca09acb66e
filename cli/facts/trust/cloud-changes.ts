import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import { losslessJson } from "../../../provider/core/canonical-json";
import type { Values } from "../../../provider/core/definition";
import { formatDuration } from "../../../provider/core/duration";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import type { PathRule } from "../../../provider/resources/sys/policy-text";
import { setDifference } from "../../text/lists";
import { decisiveRule } from "../lint/policy-reach";
import { HIDDEN_NOW } from "./not-shown";
import type { RecordPair } from "./record-pairs";
import { listOf } from "./sentences";
import { rulesOf } from "./templated-rules";
import { amountOf } from "./token-lifetimes";
import { code, listed, type Said } from "./trust-change";
import { newText, placeOf } from "./trust-record";
import { lower } from "./who-words";

/** What each list of a cloud role hands out. */
const LISTS = { roleArns: "the role", policyArns: "the cloud policy", iamGroups: "the cloud group" } as const;

/** What limits the credentials, or says what they are. */
const LIMITS = ["credentialType", "policyDocument", "permissionsBoundaryArn", "externalId"];

/** With one of them, a token gets credentials. */
const ENOUGH = ["read", "update"];

/** What whoever asks for the credentials of a cloud role gets. */
export function cloudRoleChanges({ was: before, is: after, differing, outcome }: RecordPair): readonly Said[] {
  const modern = (values: Values | undefined) => values && (definitions.cloudRole.rewrite?.(values) ?? values);
  const [olds, news] = [modern(before), modern(after)];
  const who = readerOf(after ?? before ?? {});
  if (news === undefined)
    return [{ effect: "loses", sentence: `${who} gets no credentials any more: the cloud role is gone.` }];
  const handed = (values: Values | undefined): readonly string[] =>
    Object.entries(LISTS).flatMap(([property, what]) =>
      listOf(values?.[property]).map((each) => `${what} ${code(each)}`),
    );
  const [was, is] = [handed(olds), handed(news)];
  const { more, missing: less } = setDifference(is, was);
  if (olds === undefined) {
    const what = is.length === 0 ? "what its policy document allows" : listed(is, "and");
    return [
      { effect: "gains", sentence: `${who} now gets credentials with ${what}: ${newText("cloud role", outcome)}.` },
    ];
  }
  const had = was.length === 0 ? "none of these" : `only ${listed(was, "and")}`;
  const isOther = (name: string) => differing.includes(name) || contentOf(olds[name]) !== contentOf(news[name]);
  const limits = LIMITS.filter(isOther);
  const hidden = [...Object.keys(LISTS), ...LIMITS].some(
    (name) => isOther(name) && hasUnknown([olds[name], news[name]]),
  );
  if (hidden)
    return [
      {
        effect: "unclear",
        sentence: `What ${lower(who)} gets cannot be told: it is ${HIDDEN_NOW}.`,
      },
    ];
  return [
    ...(more.length === 0
      ? []
      : [
          {
            effect: "gains",
            sentence: `${who} now ${was.length > 0 && less.length === 0 ? "also " : ""}gets credentials with ${listed(more, "and")}; before, ${had}.`,
          } as const,
        ]),
    ...(less.length === 0
      ? []
      : [{ effect: "loses", sentence: `${who} no longer gets credentials with ${listed(less, "and")}.` } as const]),
    ...(limits.length === 0 ? [] : [limitChange(who, limits, { olds, news })]),
    ...(isOther("maxStsTtl") ? lifetimeChange(who, olds, news) : []),
  ];
}

/** A document of the cloud is not weighed here: what it allows is known to the cloud alone. */
function limitChange(who: string, limits: readonly string[], { olds, news }: { olds: Values; news: Values }): Said {
  const isGone = limits.some((name) => name !== "credentialType" && !isEmpty(olds[name]) && isEmpty(news[name]));
  const words: Readonly<Record<string, string>> = {
    credentialType: "another kind",
    policyDocument: "another policy document",
    permissionsBoundaryArn: isEmpty(news["permissionsBoundaryArn"])
      ? "no permissions boundary"
      : "another permissions boundary",
    externalId: "another external ID",
  };
  const what = limits.map((name) =>
    name === "policyDocument" && isEmpty(news[name]) ? "no policy document" : (words[name] ?? name),
  );
  return { effect: isGone ? "gains" : "unclear", sentence: `${who} now gets credentials with ${listed(what, "and")}.` };
}

function lifetimeChange(who: string, olds: Values, news: Values): readonly Said[] {
  const [was, is] = [olds, news].map(({ maxStsTtl }) => amountOf(maxStsTtl));
  if (was === undefined || is === undefined || was === is) return [];
  const isLonger = is === 0 || (was !== 0 && is > was);
  const shown = (seconds: number) => (seconds === 0 ? "as the mount says" : formatDuration(seconds));
  const sentence = `${who} now gets credentials that live at most ${shown(is)}; before, ${shown(was)}.`;
  return [{ effect: isLonger ? "gains" : "loses", sentence }];
}

/** A document as text that can be compared. */
export const contentOf = (value: unknown) =>
  canonicalText(typeof value === "string" ? (losslessJson(value) ?? value) : (value ?? ""));

/** The keys of a static role are those of a user of the cloud. */
export function staticRoleChanges({ was: before, is: after, outcome }: RecordPair): readonly Said[] {
  const record = after ?? before ?? {};
  const who = readerOf(record);
  const what = `the keys of the cloud user ${code(record["username"])}`;
  if (before === undefined)
    return [{ effect: "gains", sentence: `${who} now gets ${what}: ${newText("static role", outcome)}.` }];
  if (after !== undefined) return [];
  return [{ effect: "loses", sentence: `${who} no longer gets ${what}: the static role is gone.` }];
}

/** A policy, read. A hidden one has no rules. */
export interface NamedRules {
  readonly name: string;
  readonly place: string;
  readonly rules: readonly PathRule[];
}

export function namedRules(values: Values): NamedRules {
  const { name, policy } = values;
  const rules = hasUnknown(policy) ? [] : rulesOf(String(policy ?? ""));
  return { name: String(name), place: placeOf(values), rules };
}

/** The policies with which a token gets the credentials, as far as the stack has them. */
export function askersOf(role: Values, policies: readonly NamedRules[]): readonly string[] {
  const place = placeOf(role);
  return policies
    .filter((policy) => policy.place === place && reachedPathsOf(role, policy).length > 0)
    .map((policy) => policy.name);
}

/** Where a policy lets its holder ask for the credentials. */
export function reachedPathsOf(role: Values, { rules }: NamedRules): readonly string[] {
  return credentialPathsOf(role).filter((path) => {
    const words = decisiveRule(rules, path)?.capabilities ?? [];
    return !words.includes("deny") && words.some((word) => ENOUGH.includes(word));
  });
}

/** Where the credentials of a cloud role, or of a static one, are. Each path of a role hands out the same. */
export function credentialPathsOf({ mount, name, username }: Values): readonly string[] {
  const kinds = isEmpty(username) ? ["creds", "sts"] : ["static-creds"];
  return kinds.map((kind) => `${String(mount)}/${kind}/${String(name)}`);
}

/** Who gets the credentials. */
export function readerOf(role: Values): string {
  return `Whoever may read ${listed(credentialPathsOf(role).map(code), "or")}`;
}
