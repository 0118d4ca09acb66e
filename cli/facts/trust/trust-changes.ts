import { canonicalText } from "../../../provider/core/canonical";
import type { Values } from "../../../provider/core/definition";
import { tenantIn } from "../../../provider/core/tenant";
import { hasUnknown } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { wordsFor } from "../../stack/attribute-words";
import type { JudgedRecord } from "../../stack/judged-records";
import { allowedChanges } from "./allowed-changes";
import { denialChanges, denialsIn } from "./denial-changes";
import { groupChanges } from "./group-changes";
import type { TrustChange } from "./report";
import { policiesOf, roleChanges } from "./role-changes";
import { issuerOf, issuersOf, listOf } from "./sentences";
import { code, hiddenText, inOrderOfWeight, listed, policiesText } from "./trust-change";

/** A record, and the resource that has it: the same name may stand for records of two servers. */
export interface TrustRecord extends JudgedRecord {
  readonly urn: string;
}

/** The records that decide about trust, before and after a change. */
export interface TrustSides {
  readonly before: readonly TrustRecord[];
  readonly after: readonly TrustRecord[];
  /** Those that stay as they are. */
  readonly beside: readonly TrustRecord[];
  /** Roles that the stack does not manage. */
  readonly others?: readonly TrustRecord[];
}

/** Who gains or loses which policy by a change, the worst first. */
export function trustChanges({ before, after, beside, others = [] }: TrustSides): readonly TrustChange[] {
  const all = [...beside, ...after];
  const issuers = new Map(
    [...Map.groupBy([...before, ...all], ({ values }) => placeOf(values))].map(([place, its]) => [
      place,
      issuersOf(its),
    ]),
  );
  const pairsOf = ({ token }: { readonly token: string }, names: readonly string[]) => {
    const keyed = (records: readonly TrustRecord[]) =>
      Map.groupBy(
        records.filter(({ definition }) => definition.token === token),
        ({ values }) => keyOf(values, names),
      );
    const [olds, news] = [keyed(before), keyed(after)];
    return [...new Set([...olds.keys(), ...news.keys()])].flatMap((key) => paired(olds.get(key), news.get(key)));
  };
  const holders = holdersIn(all);
  const denials = denialsIn(
    [...all, ...before].filter(({ definition }) => definition.token === definitions.sysPolicy.token),
  );
  const found: readonly TrustChange[] = [
    ...pairsOf(definitions.jwtRole, ["mount", "name"]).flatMap(([was, is]) => {
      const values = is ?? was ?? {};
      const issuer = issuers.get(placeOf(values))?.get(String(values["mount"]));
      const said = [
        ...roleChanges({ before: was, after: is, issuer }),
        ...denialChanges({ before: was, after: is, property: "tokenPolicies" }, denials),
      ];
      return said.map((each) => ({ ...each, by: [roleName(values)] }));
    }),
    ...pairsOf(definitions.identityGroup, ["name"]).flatMap(([was, is]) =>
      [...groupChanges(was, is), ...denialChanges({ before: was, after: is, property: "policies" }, denials)].map(
        (said) => ({ ...said, by: [groupName(is ?? was ?? {})] }),
      ),
    ),
    ...pairsOf(definitions.jwtConfig, ["mount"]).flatMap(([was, is]) => methodChange(was, is, all)),
    ...pairsOf(definitions.sysPolicy, ["name"]).flatMap(([was, is]) => {
      const by = holders(String((is ?? was)?.["name"]));
      // A new policy that nobody of the stack has gives nobody anything.
      if (was === undefined && by.length === 0) return [];
      return allowedChanges(was, is).map((said) => ({ ...said, by }));
    }),
  ];
  const foreign = others.flatMap(({ values }) => {
    const issuer = issuers.get(placeOf(values))?.get(String(values["mount"]));
    const said = roleChanges({ before: undefined, after: values, issuer, isOthers: true });
    return said.map((each) => ({ ...each, by: [`somebody else's ${roleName(values)}`] }));
  });
  return [foreign, found].flatMap((each) =>
    inOrderOfWeight(each.map((change) => inWords(change, [...all, ...before]))),
  );
}

/** Only a sentence about what is not known names properties. */
function inWords(change: TrustChange, [first]: readonly TrustRecord[]): TrustChange {
  return change.effect === "unclear"
    ? { ...change, sentence: wordsFor(first?.urn ?? "").text(change.sentence) }
    : change;
}

/** The records of one name, before and after: those of one resource belong together, then those that come and go. */
function paired(olds: readonly TrustRecord[] = [], news: readonly TrustRecord[] = []) {
  const sourceOf = ({ urn, of }: TrustRecord) => canonicalText([urn, of?.name ?? ""]);
  const bySource = new Map(news.map((each) => [sourceOf(each), each]));
  const stay = new Set(olds.map(sourceOf).filter((source) => bySource.has(source)));
  const [left, come] = [olds, news].map((all) => all.filter((each) => !stay.has(sourceOf(each))));
  const others = Array.from({ length: Math.max(left?.length ?? 0, come?.length ?? 0) }, (_, at) => [
    left?.[at],
    come?.[at],
  ]);
  const same = olds.filter((each) => stay.has(sourceOf(each))).map((each) => [each, bySource.get(sourceOf(each))]);
  return [...same, ...others].map(([was, is]) => [was?.values, is?.values] as const);
}

function placeOf(values: Values): string {
  return canonicalText([values["connection"] ?? "", tenantIn("vault", values) ?? ""]);
}

function keyOf(values: Values, names: readonly string[]): string {
  return canonicalText([placeOf(values), ...names.map((name) => values[name])]);
}

function roleName(values: Values): string {
  return `role ${code(values["name"])} of ${code(`auth/${String(values["mount"])}`)}${namespaceText(values)}`;
}

function groupName(values: Values): string {
  return `group ${code(values["name"])}${namespaceText(values)}`;
}

function namespaceText(values: Values): string {
  const namespace = tenantIn("vault", values);
  return namespace === undefined ? "" : ` in the namespace ${code(namespace)}`;
}

/** Who of these gives a policy. The server takes names of policies in any case. */
function holdersIn(records: readonly JudgedRecord[]): (policy: string) => readonly string[] {
  const given = records.flatMap(({ definition, values }): [string, string][] => {
    const [names, holder] =
      definition.token === definitions.jwtRole.token
        ? [listOf(values["tokenPolicies"]), roleName(values)]
        : definition.token === definitions.identityGroup.token
          ? [listOf(values["policies"]), groupName(values)]
          : [[], ""];
    return names.map((name) => [String(name).toLowerCase(), holder]);
  });
  const byPolicy = Map.groupBy(given, ([name]) => name);
  return (policy) => (byPolicy.get(policy.toLowerCase()) ?? []).map(([, holder]) => holder);
}

/** By which an auth method knows whose tokens it may believe. */
const SOURCES = ["boundIssuer", "oidcDiscoveryUrl", "jwksUrl", "jwksPairs", "jwtValidationPubkeys"];

function methodChange(
  was: Values | undefined,
  is: Values | undefined,
  all: readonly JudgedRecord[],
): readonly TrustChange[] {
  // The API cannot delete the record, and what a new one takes is said with its roles.
  if (was === undefined || is === undefined) return [];
  const textOf = (values: Values, name: string) => canonicalText(values[name] ?? "");
  const changed = SOURCES.filter((name) => textOf(was, name) !== textOf(is, name));
  if (changed.length === 0) return [];
  const mount = String(is["mount"]);
  const roles = all.filter(
    ({ definition, values }) =>
      definition.token === definitions.jwtRole.token && values["mount"] === mount && placeOf(values) === placeOf(is),
  );
  const policies = [...new Set(roles.flatMap(({ values }) => policiesOf(values)))].sort();
  const given = policies.length === 0 ? "" : ` Its roles give ${policiesText(policies)}.`;
  const name = code(`auth/${mount}`);
  if (changed.some((source) => hasUnknown(was[source]) || hasUnknown(is[source]))) {
    const sentence = `Whose tokens ${name} takes cannot be told: ${hiddenText(changed.map(code))}.${given}`;
    return [{ effect: "unclear", sentence, by: [] }];
  }
  const [before, after] = [issuerOf(was), issuerOf(is)];
  const of = (issuer: string | undefined) => (issuer === undefined ? "any issuer whose keys it has" : code(issuer));
  const sentence =
    before === after
      ? `${name} now believes other keys: ${listed(changed.map(code), "and")} ${changed.length === 1 ? "changes" : "change"}.${given}`
      : `${name} now takes tokens of ${of(after)}; before of ${of(before)}.${given}`;
  return [{ effect: "opens", sentence, by: [] }];
}
