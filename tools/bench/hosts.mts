import { figure } from "./markdown.mts";

/** What runs the provider for Pulumi. */
export type HostName = "dynamic" | "plugin";

export const hostNames: readonly HostName[] = ["dynamic", "plugin"];

/** What a program imports to have its resources on this host. */
export const libraryOf: Readonly<Record<HostName, string>> = {
  dynamic: "trustplane",
  plugin: "trustplane/native",
};

/** The plugin's figure as a share of the dynamic host's, both of the same run. */
export function shareOf({ dynamic, plugin }: Readonly<Record<HostName, number>>): string {
  return `× ${figure(plugin / dynamic)}`;
}
