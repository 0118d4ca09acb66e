import type { Service } from "./connection-entry";

/** The keys of the stack's configuration that this package reads, without its name. */
export const CONFIG_KEYS = ["secrets", "cluster", "policy", "connections"] as const satisfies readonly (
  | Service
  | "connections"
)[];
