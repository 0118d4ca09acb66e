import { canonicalText, isEmpty } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord } from "../../../provider/core/unknowns";
import type { TrustChange } from "./report";
import { listOf } from "./sentences";
import { code, listed, policiesText } from "./trust-change";

type Said = Omit<TrustChange, "by">;

const MEMBERS = ["memberEntityIds", "memberGroupIds"];

/** Who gains or loses which policy by a group. */
export function groupChanges(before: Values | undefined, after: Values | undefined): readonly Said[] {
  const isUnclear = ["policies", "alias", ...MEMBERS].some((name) => {
    const [was, is] = [before?.[name], after?.[name]];
    return before && after && hasUnknown(was) !== hasUnknown(is);
  });
  if (isUnclear || hasUnknown((after ?? before)?.["policies"]))
    return [
      {
        effect: "unclear",
        sentence: "Whom the group gives what cannot be told: it is secret, or not known yet.",
      },
    ];
  const [olds, news] = [namesIn(before, "policies"), namesIn(after, "policies")];
  const kept = news.filter((name) => olds.includes(name));
  const gained = news.filter((name) => !olds.includes(name));
  const lost = olds.filter((name) => !news.includes(name));
  return [
    ...(gained.length === 0 || after === undefined
      ? []
      : [{ effect: "gains", sentence: `${whoText(after)} may now become ${policiesText(gained)}.` } as const]),
    ...(lost.length === 0 || before === undefined
      ? []
      : [{ effect: "loses", sentence: `${whoText(before)} may no longer become ${policiesText(lost)}.` } as const]),
    ...(before && after && kept.length > 0 ? memberChanges(before, after, kept) : []),
  ];
}

function memberChanges(before: Values, after: Values, policies: readonly string[]): readonly Said[] {
  if (canonicalText(before["alias"] ?? {}) !== canonicalText(after["alias"] ?? {})) {
    const sentence = `${whoText(after)} may now become ${policiesText(policies)}; before ${whoText(before).replace(/^[ET]/, (first) => first.toLowerCase())}.`;
    return [{ effect: "gains", sentence }];
  }
  const [olds, news] = [before, after].map((values) => MEMBERS.flatMap((name) => namesIn(values, name)));
  const only = (these: readonly string[] = [], those: readonly string[] = []) =>
    these.filter((id) => !those.includes(id)).map(code);
  const [joined, left] = [only(news, olds), only(olds, news)];
  return [
    ...(joined.length === 0
      ? []
      : [
          {
            effect: "gains",
            sentence: `The members ${listed(joined, "and")} may now become ${policiesText(policies)}.`,
          } as const,
        ]),
    ...(left.length === 0
      ? []
      : [
          {
            effect: "loses",
            sentence: `The members ${listed(left, "and")} may no longer become ${policiesText(policies)}.`,
          } as const,
        ]),
  ];
}

function whoText({ alias }: Values): string {
  if (!isRecord(alias) || isEmpty(alias)) return "The members of the group";
  return `Everybody whom ${code(`auth/${String(alias["mount"])}`)} names in the group ${code(alias["name"])}`;
}

function namesIn(values: Values | undefined, property: string): readonly string[] {
  return listOf(values?.[property])
    .map((name) => String(name))
    .sort();
}
