import { didYouMean, nearest } from "../../core/check";
import type { Failure } from "../../core/errors";
import { parseJson } from "../../core/parse-json";
import { step } from "../../core/property-path";
import { isRecord } from "../../core/unknowns";

const MEMBERS = ["Version", "Id", "Statement"];
const OF_STATEMENT = [
  ...["Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource"],
  "Condition",
];
const EFFECTS = ["Allow", "Deny"];

/** What of an IAM policy document is misspelt: the server stores any JSON, and the cloud refuses it when it is used. */
export function misspeltInPolicy(property: string, document: unknown): readonly Failure[] {
  const policy = typeof document === "string" ? parseJson(document) : document;
  if (!isRecord(policy)) return [];
  return [
    ...unknownMembers(property, policy, MEMBERS),
    ...[policy["Statement"]].flat().flatMap((statement, index, { length }) => {
      if (!isRecord(statement)) return [];
      const at = `${property}.Statement${Array.isArray(policy["Statement"]) || length > 1 ? step(index) : ""}`;
      const { Effect: effect } = statement;
      const isEffect = typeof effect !== "string" || EFFECTS.includes(effect);
      const wrong = { property: `${at}.Effect`, reason: `is ${JSON.stringify(effect)}, and must be Allow or Deny` };
      return [...unknownMembers(at, statement, OF_STATEMENT), ...(isEffect ? [] : [wrong])];
    }),
  ];
}

function unknownMembers(at: string, members: Readonly<Record<string, unknown>>, known: readonly string[]): Failure[] {
  return Object.keys(members)
    .filter((name) => !known.some((each) => each.toLowerCase() === name.toLowerCase()))
    .map((name) => ({
      property: at,
      reason: `has the unknown member ${JSON.stringify(name)}${didYouMean(nearest(name, known))}`,
    }));
}
