import type { Service } from "./connection-entry";

/** The keys of the stack's configuration that this package reads, without its name. */
export const CONFIG_KEYS = [
  "secrets",
  "cluster",
  "policy",
  "connections",
  "takeOver",
  "silence",
] as const satisfies readonly (Service | "connections" | "takeOver" | "silence")[];

/** Whether this is the name of the provider that Pulumi makes by itself, from the stack's configuration. */
export function isDefaultProvider(name: string): boolean {
  return name === "default" || name.startsWith("default_");
}
