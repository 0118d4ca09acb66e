import { type HclBody, HclFailure, isHclBody, readHcl } from "../secrets/hcl-reader";

type Level = "read" | "write";

export type Permission = `${"peering" | "mesh" | "intention" | "acl"}:${Level}` | "agent:read";

/** Whether policies with these rules grant it together: `deny` in one of them beats the others. */
export function isGranted(permission: Permission, policies: readonly string[], on = ""): boolean {
  const [resource = "", level = ""] = permission.split(":");
  const granted = policies.map((rules) => levelOf(resource, level, bodyOf(rules), on));
  if (granted.includes("deny")) return false;
  return granted.includes("write") || (level === "read" && granted.includes("read"));
}

/** Without a rule for peerings or the mesh the operator's rule decides. */
function levelOf(resource: string, level: string, body: HclBody, on: string): string | undefined {
  if (resource === "peering" || resource === "mesh") return assigned(body, resource) ?? assigned(body, "operator");
  if (resource === "agent") return labelled(body, "agent", on) ?? labelled(body, "agent_prefix", "");
  return resource === "intention" ? intentionLevel(body, level, on) : assigned(body, resource);
}

/** The intentions of `*` can be read with a right on any, and written with one on all. */
function intentionLevel({ items }: HclBody, level: string, service: string): string | undefined {
  const rules = items.flatMap(({ keys: [kind, name = ""], value }) =>
    (kind === "service" || kind === "service_prefix") && isHclBody(value)
      ? [{ isExact: kind === "service", name, level: assigned(value, "intentions") ?? impliedBy(value) }]
      : [],
  );
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
function impliedBy(rule: HclBody): string {
  return ["read", "write"].includes(assigned(rule, "policy") ?? "") ? "read" : "deny";
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
