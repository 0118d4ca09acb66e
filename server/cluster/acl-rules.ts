import { type HclItem, type HclNode, readHcl } from "../secrets/hcl-reader";
import { HclFailure } from "../secrets/hcl-scanner";
import { itemsOf } from "../secrets/hcl-values";

export type Permission = "peering:read" | "peering:write" | "agent:read" | "acl:read" | "acl:write";

/** Whether policies with these rules grant it together: `deny` in one of them beats the others. */
export function isGranted(permission: Permission, policies: readonly string[], nodeName: string): boolean {
  const [resource = "", level = ""] = permission.split(":");
  const granted = policies.map((rules) => levelOf(resource, bodyOf(rules), nodeName));
  if (granted.includes("deny")) return false;
  return granted.includes("write") || (level === "read" && granted.includes("read"));
}

type Items = readonly HclItem[];

/** Without a rule for peerings the operator's rule decides. */
function levelOf(resource: string, items: Items, nodeName: string): string | undefined {
  if (resource === "peering") return assigned(items, "peering") ?? assigned(items, "operator");
  if (resource === "agent") return labelled(items, "agent", nodeName) ?? labelled(items, "agent_prefix", "");
  return assigned(items, resource);
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
