import { type HclBody, HclFailure, isHclBody, readHcl } from "../secrets/hcl-reader";

export type Permission = "peering:read" | "peering:write" | "agent:read" | "acl:read" | "acl:write";

/** Whether policies with these rules grant it together: `deny` in one of them beats the others. */
export function isGranted(permission: Permission, policies: readonly string[], nodeName: string): boolean {
  const [resource = "", level = ""] = permission.split(":");
  const granted = policies.map((rules) => levelOf(resource, bodyOf(rules), nodeName));
  if (granted.includes("deny")) return false;
  return granted.includes("write") || (level === "read" && granted.includes("read"));
}

/** Without a rule for peerings the operator's rule decides. */
function levelOf(resource: string, body: HclBody, nodeName: string): string | undefined {
  if (resource === "peering") return assigned(body, "peering") ?? assigned(body, "operator");
  if (resource === "agent") return labelled(body, "agent", nodeName) ?? labelled(body, "agent_prefix", "");
  return assigned(body, resource);
}

function assigned({ items }: HclBody, name: string): string | undefined {
  const value = items.find(({ keys }) => keys.join() === name)?.value;
  return typeof value === "string" ? value : undefined;
}

function labelled({ items }: HclBody, name: string, label: string): string | undefined {
  const block = items.find(({ keys }) => keys[0] === name && keys[1] === label)?.value;
  return block !== undefined && isHclBody(block) ? assigned(block, "policy") : undefined;
}

/** Rules that cannot be read grant nothing: the real server takes them too, and looks at them only when they are used. */
function bodyOf(rules: string): HclBody {
  try {
    return readHcl(rules);
  } catch (error) {
    if (error instanceof HclFailure) return { items: [] };
    throw error;
  }
}
