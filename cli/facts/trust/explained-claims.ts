import { isEmpty } from "../../../provider/core/canonical";
import { claimAt } from "../../../provider/core/claim-at";
import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { ALGORITHMS } from "../../../provider/resources/jwt/config";

/** One demand of a role, and how a token meets it. Never holds the token. */
export interface ExplainedDemand {
  readonly property: string;
  readonly expected: string;
  readonly actual: string;
  readonly met: boolean;
  /** Of one that is not met: what the token has beside the nearest value that the role accepts. */
  readonly miss?: string;
}

type Claims = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === "string";
const isTexts = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText));

/** Demands that a role does not write down: what it reads of a token must have a form, and an audience must be bound. Only those that are missed. */
export function missedForms(role: Values, claims: Claims): readonly ExplainedDemand[] {
  const { userClaim, userClaimJsonPointer, groupsClaim, claimMappings, boundAudiences } = role;
  const found: ExplainedDemand[] = [];
  const demand = (property: string, expected: string, value: unknown, miss: string) =>
    found.push({ property, expected, actual: JSON.stringify(value) ?? "not there", met: false, miss });
  const user = userClaimJsonPointer ? claimAt(claims, String(userClaim)) : claims[String(userClaim)];
  if (!isText(user)) demand("userClaim", "a text", user, `\`${String(userClaim)}\` must be a text`);
  const groups = isEmpty(groupsClaim) ? [] : claimAt(claims, String(groupsClaim));
  if (!isTexts(groups)) {
    const elsewhere = isElsewhere(claims, groupsClaim)
      ? ": the token says by `_claim_names` that it is elsewhere, as Entra does for a person in many groups. The method asks there where `providerConfig` has `provider: azure`"
      : "";
    demand("groupsClaim", "a list of texts", groups, `\`${String(groupsClaim)}\` must be there${elsewhere}`);
  }
  for (const claim of isRecord(claimMappings) ? Object.keys(claimMappings) : []) {
    const value = claimAt(claims, claim);
    if (value !== undefined && !isText(value))
      demand(`claimMappings.${claim}`, "a text, or nothing", value, `\`${claim}\` must be a text where it is there`);
  }
  if (isEmpty(boundAudiences) && !isEmpty(claims["aud"]))
    demand("boundAudiences", "no audience", claims["aud"], "`aud` must not be there: the role binds no audience");
  return found;
}

/** A distributed claim (OpenID Connect Core, 5.6.2). */
function isElsewhere({ _claim_names: names }: Claims, claim: unknown): boolean {
  return isRecord(names) && String(claim).replace(/^\//, "") in names;
}

export const verdict = (met: boolean, miss: () => string) => (met ? { met } : { met, miss: miss() });

export const shown = (value: unknown) => (value === undefined ? "not there" : JSON.stringify(value));

/** Dates end: a number beyond them is shown as it is. */
export function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString();
}

/** An algorithm that the auth method does not take. @param accepted Empty for the server's default; undefined where the stack does not say. */
export function missedAlgorithm(
  algorithm: unknown,
  accepted: readonly string[] | undefined,
  isBrowser: boolean,
): readonly ExplainedDemand[] {
  const usual = isBrowser && accepted !== undefined ? ["RS256"] : ALGORITHMS;
  const known: readonly string[] = accepted !== undefined && accepted.length > 0 ? accepted : usual;
  if (known.includes(String(algorithm))) return [];
  const expected = known.join(" or ");
  const actual = JSON.stringify(algorithm) ?? "not there";
  const miss = `the token's header has the algorithm ${actual}, which the server does not take`;
  return [{ property: "jwtSupportedAlgs", expected, actual, met: false, miss }];
}
