import { type HclItem, type HclNode, readHcl } from "../secrets/hcl-reader";
import { HclFailure } from "../secrets/hcl-scanner";
import { itemsOf } from "../secrets/hcl-values";

type Level = "read" | "write";

export type Permission = `${"peering" | "mesh" | "intention" | "acl"}:${Level}` | "agent:read";

/** Whether policies with these rules grant it together: `deny` in one of them beats the others. */
export function isGranted(permission: Permission, policies: readonly string[], on = ""): boolean {
  const [resource = "", level = ""] = permission.split(":");
  const granted = policies.map((rules) => levelOf(resource, level, bodyOf(rules), on));
  if (granted.includes("deny")) return false;
  return granted.includes("write") || (level === "read" && granted.includes("read"));
}

type Items = readonly HclItem[];

/** Without a rule for peerings or the mesh the operator's rule decides. */
function levelOf(resource: string, level: string, items: Items, on: string): string | undefined {
  if (resource === "peering" || resource === "mesh") return assigned(items, resource) ?? assigned(items, "operator");
  if (resource === "agent") return labelled(items, "agent", on) ?? labelled(items, "agent_prefix", "");
  return resource === "intention" ? intentionLevel(items, level, on) : assigned(items, resource);
}

/** The intentions of `*` can be read with a right on any, and written with one on all. */
function intentionLevel(items: Items, level: string, service: string): string | undefined {
  const rules = items.flatMap(({ keys: [kind, name = ""], value }) => {
    if (kind !== "service" && kind !== "service_prefix") return [];
    const rule = itemsOf(value);
    return [{ isExact: kind === "service", name, level: assigned(rule, "intentions") ?? impliedBy(rule) }];
  });
  if (service !== "*") {
    const own = rules.filter(({ isExact, name }) => (isExact ? name === service : service.startsWith(name)));
    const [first] = own.sort((a, b) => Number(b.isExact) - Number(a.isExact) || b.name.length - a.name.length);
    return first?.level;
  }
  const levels = rules.map((rule) => rule.level);
  if (level === "read") return levels.find((each) => each !== "deny");
  const isAll = rules.some(({ isExact, name }) => !isExact && name === "") && levels.every((each) => each === "write");
  return isAll ? "write" : undefined;
}

/** A right on a service lets its intentions be read. */
function impliedBy(rule: Items): string {
  return ["read", "write"].includes(assigned(rule, "policy") ?? "") ? "read" : "deny";
}

function assigned(items: Items, name: string): string | undefined {
  return textIn(items.find(({ keys }) => keys.join() === name)?.value);
}

function labelled(items: Items, name: string, label: string): string | undefined {
  const block = items.find(({ keys }) => keys[0] === name && keys[1] === label)?.value;
  return block === undefined ? undefined : assigned(itemsOf(block), "policy");
}

function textIn(node: HclNode | undefined): string | undefined {
  return node?.kind === "literal" && node.type === "STRING" ? node.text : undefined;
}

/** Rules that cannot be read grant nothing: the real server takes them too, and looks at them only when they are used. */
function bodyOf(rules: string): Items {
  try {
    return readHcl(rules, { takesRepeatedKeys: true }).items;
  } catch (error) {
    if (error instanceof HclFailure) return [];
    throw error;
  }
}
