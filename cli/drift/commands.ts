import type { ResourceReport } from "./report";

/** What to do about what differs: write the program's values again, or take the servers' over into the state. */
export interface Remedy {
  readonly by: "up" | "refresh";
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
}

/** The commands for a shell, with each resource as a target. None where nothing differs. */
export function commandsFor(resources: readonly ResourceReport[], { by, stack, cwd }: Remedy): string[] {
  const targets = resources.filter(({ status }) => status === "changed" || status === "missing").map(({ urn }) => urn);
  if (targets.length === 0) return [];
  const words = [
    "pulumi",
    // The state does not know yet what differs.
    ...(by === "up" ? ["up", "--refresh"] : ["refresh"]),
    ...(stack === undefined ? [] : ["--stack", quoted(stack)]),
    ...(cwd === undefined ? [] : ["--cwd", quoted(cwd)]),
  ];
  return [[words.join(" "), ...targets.map((urn) => `  --target ${quoted(urn)}`)].join(" \\\n")];
}

/** A URN holds `$` where a resource has a parent. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
