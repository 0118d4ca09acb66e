import type { Question } from "./dialect";

/** A rule that an ACL policy of Consul needs. */
export interface AclRule {
  readonly of: "peering" | "mesh" | "intention";
  readonly access: "read" | "write";
  /** Of intentions, the called service; undefined for any. */
  readonly service?: string | undefined;
}

/**
 * The rule for a request. Undefined where every config entry is written: which kind it is stands in the body only, and the
 * other requests of the record name it.
 */
export function ruleFor({ method, path }: Question): AclRule | undefined {
  const access = method === "GET" ? "read" : "write";
  const [kind, name] = /^v1\/config(?:\/([^/?]+)(?:\/([^?[]+))?)?/.exec(path)?.slice(1) ?? ["peering"];
  if (kind === "service-intentions") return { of: "intention", access, service: exactName(name) };
  if (kind === "peering") return { of: "peering", access };
  return kind === undefined ? undefined : { of: "mesh", access };
}

/** The rule that the token lacks, as the server says. */
export function lackedRule(text: string): AclRule | undefined {
  const [, of, access, name] =
    /lacks permission '(peering|mesh|intention):(read|write)'(?: on "([^"]*)")?/.exec(text) ?? [];
  // The pattern has no other words.
  return of ? { of: of as AclRule["of"], access: access as AclRule["access"], service: exactName(name) } : undefined;
}

/** Rules as a policy has them, each once, and with write where one of them needs it. */
export function rulesText(rules: readonly AclRule[], separator = "\n"): string {
  const writes = new Set(rules.filter(({ access }) => access === "write").map(keyOf));
  const all = new Map(rules.map((rule) => [keyOf(rule), rule]));
  return [...all]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, rule]) => ruleLine({ ...rule, access: writes.has(key) ? "write" : rule.access }))
    .join(separator);
}

/** Rules for a partition that a record names; those of none are for the token's own. A block has lines where rules have. */
export function partitionRules(partition: string | undefined, rules: readonly AclRule[], separator = "\n"): string {
  if (partition === undefined || rules.length === 0) return rulesText(rules, separator);
  const [start, between, end] = separator === "\n" ? ["\n  ", "\n  ", "\n"] : [" ", " ", " "];
  return `partition ${JSON.stringify(partition)} {${start}${rulesText(rules, between)}${end}}`;
}

/** Consul refuses a rule about a service without `policy`. */
function ruleLine({ of, access, service }: AclRule): string {
  if (of !== "intention") return `${of} = "${access}"`;
  const head = service === undefined ? 'service_prefix ""' : `service ${JSON.stringify(service)}`;
  return `${head} { policy = "read" intentions = "${access}" }`;
}

function keyOf({ of, service }: AclRule): string {
  return JSON.stringify([["peering", "mesh", "intention"].indexOf(of), service ?? ""]);
}

/** The name of one service: neither any, nor unknown, nor a template. */
function exactName(name: string | undefined): string | undefined {
  return name === undefined || name === "*" || name === "+" || name.startsWith("{") ? undefined : name;
}
