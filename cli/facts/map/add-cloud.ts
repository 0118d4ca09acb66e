import { isEmpty } from "../../../provider/core/canonical";
import { allOfJson } from "../../../provider/core/canonical-json";
import type { Values } from "../../../provider/core/definition";
import { isRecord } from "../../../provider/core/unknowns";
import { definitions } from "../../../provider/resources";
import { firstOf } from "../../text/lists";
import { decisiveRule, fits } from "../lint/policy-reach";
import { listOf } from "../trust/sentences";
import type { KnownRules } from "./add-policies";
import type { MapGraph, Place } from "./map-graph";
import type { PlacedRecord } from "./placed-records";

/** A path at which a cloud role's credentials are asked for. */
interface Issuing {
  readonly node: string;
  readonly path: string;
  /** The capabilities of which one is needed. */
  readonly words: readonly string[];
}

/** Secrets engines, their cloud roles and what these hand out, and the policies that may ask for it. */
export function addCloud(graph: MapGraph, records: readonly PlacedRecord[], policies: KnownRules): void {
  const issuing = new Map<string, Issuing[]>();
  const atPlace = (place: Place) => {
    const key = JSON.stringify(place);
    const list = issuing.get(key) ?? [];
    issuing.set(key, list);
    return list;
  };
  for (const { definition, values, place, resource } of records) {
    const { token } = definition;
    const engine = (path: unknown, facts: readonly string[] = []) =>
      graph.node("engine", String(path), place, { facts, resource });
    const mount = String(values["mount"]);
    if (token === definitions.sysSecretsMount.token) engine(values["path"], [`Its type is ${String(values["type"])}.`]);
    else if (token === definitions.cloudRootConfig.token || token === definitions.cloudRootRotation.token)
      engine(mount, ["It signs with the root credentials that the stack sets."]);
    else if (token === definitions.cloudLeaseConfig.token)
      engine(mount, [`Leases live ${String(values["lease"])}, at most ${String(values["leaseMax"])}.`]);
    else if (token === definitions.cloudRole.token || token === definitions.cloudStaticRole.token) {
      const isStatic = token === definitions.cloudStaticRole.token;
      const name = String(values["name"]);
      const id = `${mount}/${isStatic ? "static-roles" : "roles"}/${name}`;
      const title = `${mount}/${name}`;
      const node = graph.node("cloudRole", id, place, { title, facts: roleFacts(values), resource });
      graph.edge(graph.node("engine", mount, place), node);
      for (const given of isStatic ? [`user ${String(values["username"])}`] : handedOut(values))
        graph.edge(node, graph.node("cloudPermission", given, {}));
      const both = ["read", "update"];
      atPlace(place).push(
        ...(isStatic
          ? [{ node, path: `${mount}/static-creds/${name}`, words: ["read"] }]
          : [
              { node, path: `${mount}/creds/${name}`, words: both },
              { node, path: `${mount}/sts/${name}`, words: both },
            ]),
      );
    }
  }
  const exact = new Map([...issuing].map(([key, list]) => [key, Map.groupBy(list, ({ path }) => path)]));
  for (const [policy, { rules, place }] of policies) {
    const key = JSON.stringify(place);
    const all = issuing.get(key) ?? [];
    const candidates = new Set(
      rules.flatMap(({ path }) => {
        const start = path.split(/[+*]/, 1)[0] ?? "";
        if (start === path) return exact.get(key)?.get(path) ?? [];
        return all.filter((each) => each.path.startsWith(start) && fits(path, each.path));
      }),
    );
    for (const { node, path, words } of candidates) {
      const rule = decisiveRule(rules, path);
      const allowed = words.filter((word) => rule?.capabilities.includes(word));
      if (rule && allowed.length > 0)
        graph.edge(policy, node, {
          bounds: [{ property: "path", text: `by ${rule.path}` }],
          capabilities: allowed,
        });
    }
  }
}

function handedOut({ roleArns, policyArns, iamGroups }: Values): readonly string[] {
  return [
    ...listOf(roleArns).map(String),
    ...listOf(policyArns).map(String),
    ...listOf(iamGroups).map((name) => `group ${String(name)}`),
  ];
}

function roleFacts({ credentialType, policyDocument, maxStsTtl, rotationPeriod, permissionsBoundaryArn }: Values) {
  const document = typeof policyDocument === "string" ? allOfJson(policyDocument) : policyDocument;
  const statements = isRecord(document) ? listOf(document["Statement"]) : [];
  const actions = statements.flatMap((each) =>
    isRecord(each) && listOf(each["Effect"]).includes("Allow") ? listOf(each["Action"]).map(String) : [],
  );
  return [
    ...(isEmpty(credentialType) ? [] : [`It hands out ${String(credentialType)} credentials.`]),
    ...(actions.length === 0 ? [] : [`Its policy document allows ${firstOf(actions)}.`]),
    ...(isEmpty(permissionsBoundaryArn) ? [] : [`Users are bounded by ${String(permissionsBoundaryArn)}.`]),
    ...(isEmpty(maxStsTtl) ? [] : [`Credentials live ${String(maxStsTtl)} at most.`]),
    ...(isEmpty(rotationPeriod) ? [] : [`The key is rotated every ${String(rotationPeriod)}.`]),
  ];
}
