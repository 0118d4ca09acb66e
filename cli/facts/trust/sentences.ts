import { isEmpty } from "../../../provider/core/canonical";
import { didYouMean, nearest } from "../../../provider/core/check";
import type { Definition, Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { readPolicy } from "../../../provider/resources/sys/policy-text";
import type { EvaluatedRecord } from "../../stack/evaluated-records";
import { BUILT_IN } from "../../stack/known-policies";
import { shownAddress } from "../../text/shown-address";
import { NOT_SHOWN, shownName, shownValue } from "./not-shown";
import { isTemplatedName, mayBecome } from "./templated-rules";
import { recordsAt } from "./test-places";
import { hiddenText } from "./trust-change";
import { asServerNames, lowerName } from "./vault-names";

/** One demand of a role on tokens: the property, the claim that it is about, and what the claim must be. */
export interface Demand {
  readonly property: string;
  readonly claim: string;
  readonly accepted: readonly unknown[];
  readonly isGlob: boolean;
}

/** What a role demands of the claims of a token, property by property. Claims that are hidden as a whole are one demand. */
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
    ...(boundClaims === UNKNOWN
      ? [{ property: "boundClaims", claim: "claims", accepted: [UNKNOWN], isGlob: false }]
      : []),
    // An empty text is a value as any other.
    ...claims.map(([claim, value]) => ({ property: `boundClaims.${claim}`, claim, accepted: [value].flat(), isGlob })),
  ];
}

/** The role's values without one of its demands, named by its property. */
export function withoutDemand(role: Values, property: string): Values {
  const [first = "", claim = ""] = property.split(/\.(.*)/s);
  if (first !== "boundClaims" || !isRecord(role["boundClaims"])) return { ...role, [first]: undefined };
  const { [claim]: _, ...others } = role["boundClaims"];
  return { ...role, boundClaims: others };
}

/** Who can log in with a role, in one sentence. */
export function whoSentence(role: Values, issuer: string | undefined): string {
  const hidden = ["roleType", "boundClaimsType"].filter((name) => hasUnknown(role[name]));
  const demands = demandsOf(role).map((demand) => `whose ${demandText(demand)}`);
  const cidrs = listOf(role["tokenBoundCidrs"]);
  const from = cidrs.length === 0 ? "" : ` from ${oneOf(cidrs)}`;
  const of = issuer === undefined ? "" : ` of ${shownAddress(issuer).replace(UNKNOWN, `an issuer ${NOT_SHOWN}`)}`;
  const sentence = `${whoOf(role)}${of}${from}${demands.length === 0 ? "" : ` ${demands.join(", and ")}`}.`;
  return hidden.length === 0 ? sentence : `${sentence} This may not be exact: ${hiddenText(hidden)}.`;
}

function whoOf({ roleType }: Values): string {
  if (hasUnknown(roleType)) return "Whoever logs in";
  return roleType === "jwt" ? "Every token" : "Everybody who logs in through a browser";
}

/** A demand without its property: `ref is like "release/*"`. */
export function demandText({ property, claim, accepted, isGlob }: Demand): string {
  if (accepted.length === 0) return `${claim} is one of none, which no token can have`;
  return `${claim} ${property === "boundClaims" ? "are" : "is"} ${isGlob ? "like " : ""}${oneOf(accepted)}`;
}

/** The names of policies that claims of the token fill in, on OpenBao. */
export function filledNames({ tokenPoliciesTemplateClaims: isOn, tokenPolicies }: Values): readonly string[] {
  return isOn === true ? listOf(tokenPolicies).map(String).filter(isTemplatedName) : [];
}

interface WhoOptions {
  readonly groupNames?: ReadonlyMap<string, string>;
  /** Of servers, which share nothing. The connections of a stack may be one server with several credentials. */
  readonly isLive?: boolean | undefined;
}

/** Who can have a policy, in any letter case: by a role, and by a group. */
export function holdersOf(
  asked: string,
  given: readonly EvaluatedRecord[],
  { groupNames = new Map(), isLive = false }: WhoOptions = {},
): readonly string[] {
  const [policy, records] = [lowerName(asked), given.map(asServerNames)];
  const ofKind = ({ token }: Definition) => records.filter(({ definition }) => definition.token === token);
  const held = (values: Values, property: string, sentence: string): readonly string[] => {
    if (listOf(values[property]).includes(policy)) return [sentence];
    if (filledNames(values).some((name) => mayBecome(name, policy)))
      return [
        `${sentence} Whether it gives ${policy} cannot be told: claims of the token fill in the name of a policy.`,
      ];
    return hasUnknown(values[property])
      ? [`${sentence} Whether it gives ${policy} cannot be told: ${hiddenText([property])}.`]
      : [];
  };
  const methods = ofKind(definitions.jwtConfig);
  const byRole = ofKind(definitions.jwtRole).flatMap(({ values }) => {
    const there = isLive ? recordsAt(methods, { connection: String(values["connection"] ?? "") }) : methods;
    const sentence = `${titleOf(values)}: ${whoSentence(values, trustedIssuer(values, there))}`;
    const { tokenNoDefaultPolicy: refusesDefault } = values;
    if (policy !== "default" || refusesDefault === true) return held(values, "tokenPolicies", sentence);
    return hasUnknown(refusesDefault)
      ? [`${sentence} Whether it gives ${policy} cannot be told: ${hiddenText(["tokenNoDefaultPolicy"])}.`]
      : [sentence];
  });
  const byGroup = ofKind(definitions.identityGroup).flatMap(({ values }) =>
    held(
      values,
      "policies",
      `Group ${shownName(values["name"])}${ofServer(values)}: ${membersSentence(values, groupNames)}`,
    ),
  );
  return [...(policy === "default" ? [EVERY_LOGIN] : []), ...byRole, ...byGroup];
}

/** Says of a policy that no record declares or names that it is unknown, and what could be meant; undefined where one does. */
export function unknownPolicy(
  asked: string,
  given: readonly EvaluatedRecord[],
  { live = false }: { readonly live?: boolean | undefined },
): string | undefined {
  const records = given.map(asServerNames);
  const names = records.flatMap(({ definition, values }) => {
    const property = NAMES_POLICIES.get(definition.token);
    return property === undefined ? [] : listOf(values[property]);
  });
  if ([...BUILT_IN, ...names].includes(lowerName(asked))) return undefined;
  const shown = names.flatMap((name) => (typeof name === "string" && !hasUnknown(name) ? [name] : []));
  const hidden = shown.length < names.length ? ", as far as names are shown" : "";
  const near = didYouMean(nearest(lowerName(asked), shown)) || ".";
  const from = live ? "the servers have" : "the stack has";
  return `${from} no policy ${asked}, and no role or group there names it${hidden}${near}`;
}

/** The property in which a record has names of policies. */
const NAMES_POLICIES: ReadonlyMap<string, string> = new Map<string, string>([
  [definitions.sysPolicy.token, "name"],
  [definitions.jwtRole.token, "tokenPolicies"],
  [definitions.identityGroup.token, "policies"],
]);

const EVERY_LOGIN =
  "Every login, and every token that is created: the server adds the policy where neither the role (tokenNoDefaultPolicy) nor the request says that it must not.";

/** Who is in a group, in one sentence. */
function membersSentence(
  { alias, type, memberEntityIds, memberGroupIds }: Values,
  groupNames: ReadonlyMap<string, string>,
): string {
  if (isRecord(alias) && !isEmpty(alias))
    return `Everybody whose login at auth/${shownName(alias["mount"])} carries the group ${shownName(alias["name"])}.`;
  if (hasUnknown([alias, type, memberEntityIds, memberGroupIds]))
    return "Its members, who are secret, or not known yet.";
  if (type === "external") return "Nobody, because it has no alias.";
  const members = [
    ...listOf(memberEntityIds).map((id) => `the entity ${String(id)}`),
    ...listOf(memberGroupIds).map((id) => `everybody in the group ${groupNames.get(String(id)) ?? String(id)}`),
  ];
  if (members.length === 0) return "Its members, of whom the stack says nothing.";
  return `Its members: ${members.join(", ")}.`;
}

/** What a policy allows, a line for each path. */
export function abilitiesOf(policy: string | undefined): readonly string[] {
  if (policy === UNKNOWN) return [NOT_SHOWN];
  const read = readPolicy(policy ?? "");
  return typeof read === "string"
    ? [`What it allows cannot be read: ${read}.`]
    : read.map(({ path, capabilities }) => `${path}: ${capabilities.join(", ")}`);
}

/** The issuer that tokens must name, with all of its address, by the configuration of an auth method; undefined where any will do. */
export function issuerOf({ boundIssuer, oidcDiscoveryUrl }: Values): string | undefined {
  return [boundIssuer, oidcDiscoveryUrl].filter((each) => !isEmpty(each)).map(String)[0];
}

/** The issuer that tokens for a role must name, with all of its address. With a JWT, Vault never compares it with the discovery URL; through a browser always. */
export function issuerFor({ roleType }: Values, { boundIssuer, oidcDiscoveryUrl }: Values): string | undefined {
  const [issuer] = [roleType === "jwt" ? undefined : oidcDiscoveryUrl, boundIssuer].filter((each) => !isEmpty(each));
  return issuer === undefined ? undefined : String(issuer);
}

/** Whose tokens the auth method of a role takes, as far as its configuration says so; undefined, too, where several could be it. */
export function trustedIssuer(role: Values, records: readonly EvaluatedRecord[]): string | undefined {
  const all = records.filter(
    ({ definition, values }) => definition.token === definitions.jwtConfig.token && values["mount"] === role["mount"],
  );
  const issuers = nearTo(role, all).map(({ values }) => issuerOf(values) ?? values["jwksUrl"]);
  const [issuer, ...others] = new Set(issuers);
  return others.length > 0 || isEmpty(issuer) ? undefined : String(issuer);
}

/** Of records of one name those of the role's own connection and namespace, or all where there is none. */
export function nearTo(role: Values, records: readonly EvaluatedRecord[]): readonly EvaluatedRecord[] {
  const own = records.filter(({ values }) =>
    ["connection", "namespace"].every((word) => isSame(values[word], role[word])),
  );
  return own.length > 0 ? own : records;
}

const isSame = (a: unknown, b: unknown) => (isEmpty(a) && isEmpty(b)) || a === b;

export const titleOf = ({ mount, name, ...place }: Values) =>
  `Role ${shownName(name)} of auth/${shownName(mount)}${ofServer(place)}`;

/** Nothing of a service's own one. */
const ofServer = ({ connection }: Values) => (isEmpty(connection) ? "" : ` of ${shownName(connection)}`);

export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isEmpty(value) ? [] : [value];

export function oneOf(values: readonly unknown[]): string {
  return values.map(shownValue).join(" or ");
}
