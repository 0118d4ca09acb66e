import { canonicalText } from "../../provider/core/canonical";
import type { Values } from "../../provider/core/definition";
import { tenantIn } from "../../provider/core/tenant";
import { hasUnknown } from "../../provider/core/unknowns";
import { definitions } from "../../provider/resources";
import type { JudgedRecord } from "../lint/judged-records";
import { allowedChanges } from "./allowed-changes";
import { groupChanges } from "./group-changes";
import type { TrustChange } from "./report";
import { policiesOf, roleChanges } from "./role-changes";
import { issuerOf, issuersOf, listOf } from "./sentences";
import { code, inOrderOfWeight, listed, policiesText } from "./trust-change";

/** The records that decide about trust, before and after a change. */
export interface TrustSides {
  readonly before: readonly JudgedRecord[];
  readonly after: readonly JudgedRecord[];
  /** Those that stay as they are. */
  readonly beside: readonly JudgedRecord[];
}

/** Who gains or loses which policy by a change, the worst first. */
export function trustChanges({ before, after, beside }: TrustSides): readonly TrustChange[] {
  const all = [...beside, ...after];
  const issuers = issuersOf([...before, ...all]);
  const pairsOf = ({ token }: { readonly token: string }, names: readonly string[]) => {
    const keyed = (records: readonly JudgedRecord[]) =>
      new Map(
        records
          .filter(({ definition }) => definition.token === token)
          .map(({ values }) => [keyOf(values, names), values]),
      );
    const [olds, news] = [keyed(before), keyed(after)];
    return [...new Set([...olds.keys(), ...news.keys()])].map((key) => [olds.get(key), news.get(key)] as const);
  };
  const holders = holdersIn(all);
  return inOrderOfWeight([
    ...pairsOf(definitions.jwtRole, ["mount", "name"]).flatMap(([was, is]) => {
      const values = is ?? was ?? {};
      const issuer = issuers.get(String(values["mount"]));
      return roleChanges({ before: was, after: is, issuer }).map((said) => ({ ...said, by: [roleName(values)] }));
    }),
    ...pairsOf(definitions.identityGroup, ["name"]).flatMap(([was, is]) =>
      groupChanges(was, is).map((said) => ({ ...said, by: [groupName(is ?? was ?? {})] })),
    ),
    ...pairsOf(definitions.jwtConfig, ["mount"]).flatMap(([was, is]) => methodChange(was, is, all)),
    ...pairsOf(definitions.sysPolicy, ["name"]).flatMap(([was, is]) => {
      const by = holders(String((is ?? was)?.["name"]));
      // A new policy that nobody of the stack has gives nobody anything.
      if (was === undefined && by.length === 0) return [];
      return allowedChanges(was, is).map((said) => ({ ...said, by }));
    }),
  ]);
}

function keyOf(values: Values, names: readonly string[]): string {
  const place = [values["connection"] ?? "", tenantIn("vault", values) ?? ""];
  return canonicalText([...place, ...names.map((name) => values[name])]);
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
  const roles = all.filter(({ definition, values }) => definition === definitions.jwtRole && values["mount"] === mount);
  const policies = [...new Set(roles.flatMap(({ values }) => policiesOf(values)))].sort();
  const given = policies.length === 0 ? "" : ` Its roles give ${policiesText(policies)}.`;
  const name = code(`auth/${mount}`);
  if (changed.some((source) => hasUnknown(was[source]) || hasUnknown(is[source]))) {
    const sentence = `Whose tokens ${name} takes cannot be told: ${listed(changed.map(code), "and")} is secret, or not known before \`pulumi up\`.${given}`;
    return [{ effect: "unclear", sentence, by: [] }];
  }
  const [before, after] = [issuerOf(was), issuerOf(is)];
  const of = (issuer: string | undefined) => (issuer === undefined ? "any issuer whose keys it has" : code(issuer));
  const sentence =
    before === after
      ? `${name} now believes other keys: ${listed(changed.map(code), "and")} changes.${given}`
      : `${name} now takes tokens of ${of(after)}; before of ${of(before)}.${given}`;
  return [{ effect: "opens", sentence, by: [] }];
}
