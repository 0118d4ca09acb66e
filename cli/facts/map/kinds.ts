import type { NodeKind } from "./trust-map";

/** How a kind of node is called, and its column on the map, from who is trusted to what is reached. */
export interface KindWords {
  readonly one: string;
  readonly many: string;
  readonly column: number;
}

export const KINDS: Readonly<Record<NodeKind, KindWords>> = {
  issuer: { one: "issuer", many: "issuers", column: 0 },
  mount: { one: "auth method", many: "auth methods", column: 1 },
  role: { one: "role", many: "roles", column: 2 },
  group: { one: "group", many: "groups", column: 3 },
  policy: { one: "policy", many: "policies", column: 4 },
  engine: { one: "secrets engine", many: "secrets engines", column: 4 },
  peer: { one: "peer", many: "peers", column: 4 },
  caller: { one: "caller", many: "callers", column: 4 },
  path: { one: "path", many: "paths", column: 5 },
  cloudRole: { one: "cloud role", many: "cloud roles", column: 5 },
  service: { one: "service", many: "services", column: 5 },
  cloudPermission: { one: "cloud permission", many: "cloud permissions", column: 6 },
};

/** In the order of the map. */
export const KIND_NAMES = Object.keys(KINDS) as readonly NodeKind[];

/** `1 role`, `12 roles`. */
export function counted(kind: NodeKind, count: number): string {
  return `${count} ${count === 1 ? KINDS[kind].one : KINDS[kind].many}`;
}
