import { isEmpty } from "../../provider/core/canonical";
import type { Values } from "../../provider/core/definition";
import { isRecord } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import { readPolicy } from "../../provider/resources/sys/policy-text";
import type { JudgedRecord } from "../lint/judged-records";

/** One demand of a role on tokens: the property, the claim that it is about, and what the claim must be. */
export interface Demand {
  readonly property: string;
  readonly claim: string;
  readonly accepted: readonly unknown[];
  readonly isGlob: boolean;
}

/** What a role demands of the claims of a token, property by property. */
export function demandsOf(role: Values): readonly Demand[] {
  const { boundAudiences, boundSubject, boundClaims, boundClaimsType } = role;
  const isGlob = boundClaimsType === "glob";
  const claims = isRecord(boundClaims) ? Object.entries(boundClaims) : [];
  return [
    ...(isEmpty(boundAudiences)
      ? []
      : [{ property: "boundAudiences", claim: "aud", accepted: listOf(boundAudiences), isGlob: false }]),
    ...(isEmpty(boundSubject)
      ? []
      : [{ property: "boundSubject", claim: "sub", accepted: [boundSubject], isGlob: false }]),
    ...claims.map(([claim, value]) => ({ property: `boundClaims.${claim}`, claim, accepted: listOf(value), isGlob })),
  ];
}

/** Who can log in with a role, in one sentence. */
export function whoSentence(role: Values, issuer: string | undefined): string {
  const who = role["roleType"] === "jwt" ? "Every token" : "Everybody who logs in through a browser";
  const demands = demandsOf(role).map(
    ({ claim, accepted, isGlob }) => `whose ${claim} is ${isGlob ? "like " : ""}${oneOf(accepted)}`,
  );
  const cidrs = listOf(role["tokenBoundCidrs"]);
  const from = cidrs.length === 0 ? "" : ` from ${oneOf(cidrs)}`;
  const of = issuer === undefined ? "" : ` of ${issuer}`;
  return `${who}${of}${from}${demands.length === 0 ? "" : ` ${demands.join(", and ")}`}.`;
}

/** Who can have a policy: by a role, and by a group. */
export function holdersOf(policy: string, records: readonly JudgedRecord[]): readonly string[] {
  const issuers = issuersOf(records);
  const ofToken = (token: string) => records.filter(({ definition }) => definition.token === token);
  const byRole = ofToken(definitions.jwtRole.token)
    .filter(({ values }) => listOf(values["tokenPolicies"]).includes(policy))
    .map(({ values }) => `${titleOf(values)}: ${whoSentence(values, issuers.get(String(values["mount"])))}`);
  const byGroup = ofToken("identity:Group")
    .filter(({ values }) => listOf(values["policies"]).includes(policy))
    .map(({ values }) => {
      const alias = isRecord(values["alias"]) ? values["alias"] : undefined;
      const people = alias
        ? `Everybody whom auth/${String(alias["mount"])} names in the group ${String(alias["name"])}.`
        : "Its members.";
      return `Group ${String(values["name"])}: ${people}`;
    });
  return [...byRole, ...byGroup];
}

/** What a policy allows, a line for each path. */
export function abilitiesOf(policy: string | undefined): readonly string[] {
  const read = readPolicy(policy ?? "");
  return typeof read === "string" ? [] : read.map(({ path, capabilities }) => `${path}: ${capabilities.join(", ")}`);
}

/** The issuer of each auth method. */
export function issuersOf(records: readonly JudgedRecord[]): ReadonlyMap<string, string> {
  const configurations = records.filter(({ definition }) => definition.token === definitions.jwtConfig.token);
  return new Map(
    configurations.flatMap(({ values: { mount, boundIssuer, oidcDiscoveryUrl, jwksUrl } }) => {
      const issuer = [boundIssuer, oidcDiscoveryUrl, jwksUrl].find((each) => typeof each === "string" && each !== "");
      return issuer === undefined ? [] : [[String(mount), String(issuer)] as const];
    }),
  );
}

export const titleOf = ({ mount, name }: Values) => `Role ${String(name)} of auth/${String(mount)}`;

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isEmpty(value) ? [] : [value];

export function oneOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(" or ");
}
