import type { Values } from "../../../provider/core/definition";
import { hasUnknown, isRecord, UNKNOWN } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { type PathRule, readPolicy } from "../../../provider/resources/sys/policy-text";
import { NOT_SHOWN } from "../trust/not-shown";
import { listOf } from "../trust/sentences";
import { authPath, roleNode } from "./add-logins";
import type { About, MapGraph, Place } from "./map-graph";
import type { PlacedRecord } from "./placed-records";

/** A policy whose rules are known, by the id of its node. */
export type KnownRules = ReadonlyMap<string, { readonly rules: readonly PathRule[]; readonly place: Place }>;

/** Who has which policy, and the paths of each. Answers the rules that are known. */
export function addPolicies(
  graph: MapGraph,
  records: readonly PlacedRecord[],
  groupIds: ReadonlyMap<string, string>,
): KnownRules {
  const known = new Map<string, { readonly rules: readonly PathRule[]; readonly place: Place }>();
  for (const { definition, values, place, resource } of records)
    if (definition.token === definitions.sysPolicy.token) {
      const read = values["policy"] === UNKNOWN ? "it is not known" : readPolicy(String(values["policy"] ?? ""));
      const rules = typeof read === "string" ? [] : read;
      const denied = rules.filter(isDenial).map(({ path }) => `It denies ${path}.`);
      const facts = typeof read === "string" ? [`What it allows cannot be read: ${read}.`] : denied;
      const policy = policyNode(graph, values["name"], place, { facts, resource });
      known.set(policy, { rules, place });
      for (const rule of rules.filter((each) => !isDenial(each)))
        graph.edge(policy, graph.node("path", rule.path, place), { capabilities: rule.capabilities });
    } else if (definition.token === definitions.jwtRole.token)
      for (const name of listOf(values["tokenPolicies"]))
        graph.edge(roleNode(graph, values, place), policyNode(graph, name, place));
  for (const record of records)
    if (record.definition.token === definitions.identityGroup.token) addGroup(graph, record, { records, groupIds });
  return known;
}

/** The server takes names in any case, and without the spaces around them. */
function policyNode(graph: MapGraph, name: unknown, place: Place, about?: About): string {
  return graph.node("policy", name === UNKNOWN ? UNKNOWN : String(name).trim().toLowerCase(), place, about);
}

interface Others {
  readonly records: readonly PlacedRecord[];
  /** The node of a group, by the server's id of the group. */
  readonly groupIds: ReadonlyMap<string, string>;
}

function addGroup(graph: MapGraph, { values, place, resource }: PlacedRecord, { records, groupIds }: Others): void {
  const group = graph.node("group", groupName(values), place, { facts: groupFacts(values), resource });
  for (const name of listOf(values["policies"])) graph.edge(group, policyNode(graph, name, place));
  for (const id of listOf(values["memberGroupIds"])) {
    const urn = groupIds.get(String(id));
    const member = records.find((each) => each.resource.urn === urn);
    if (member) graph.edge(graph.node("group", groupName(member.values), member.place), group);
  }
  const { alias } = values;
  if (!isRecord(alias)) return;
  const { mount, name } = alias;
  const isThere = (each: PlacedRecord) =>
    each.definition.token === definitions.jwtRole.token &&
    each.values["mount"] === mount &&
    JSON.stringify(each.place) === JSON.stringify(place);
  const naming = records.filter((each) => isThere(each) && String(each.values["groupsClaim"] ?? "") !== "");
  for (const each of naming) {
    const text = `${String(each.values["groupsClaim"])} has ${JSON.stringify(name)}`;
    graph.edge(roleNode(graph, each.values, place), group, { bounds: [{ property: "alias", text }] });
  }
  // What else logs in there may name groups in its own way; the roles of a stack say all about their own.
  if (naming.length === 0 && !records.some(isThere)) {
    const bounds = [{ property: "alias", text: `its groups have ${JSON.stringify(name)}` }];
    graph.edge(graph.node("mount", authPath(mount), place), group, { bounds });
  }
}

function groupName(values: Values): string {
  return String(values["name"]);
}

function groupFacts({ type, memberEntityIds, memberGroupIds, alias }: Values): readonly string[] {
  if (isRecord(alias) && type === "external") return [];
  if (hasUnknown([type, alias, memberEntityIds, memberGroupIds])) return [`Who is in it cannot be told: ${NOT_SHOWN}.`];
  if (type === "external") return ["It has no alias: no login puts anybody into it."];
  const [people, groups] = [listOf(memberEntityIds).length, listOf(memberGroupIds).length];
  return [`It has ${people} entities and ${groups} groups as members.`];
}

function isDenial({ capabilities }: PathRule): boolean {
  return capabilities.length === 0 || capabilities.includes("deny");
}
