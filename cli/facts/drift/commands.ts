import { isAddress } from "../../stack/address";
import type { ResourceReport } from "./report";

/** How to end the drift: `up` writes the program's values again, `refresh` takes the servers' values into the state. */
export interface Remedy {
  readonly by: "up" | "refresh";
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
}

/** The commands for a shell, with each resource that differs as a target. None when nothing differs. */
export function commandsFor(resources: readonly ResourceReport[], { by, stack, cwd }: Remedy): string[] {
  const targets = resources.filter(({ status }) => status === "changed" || status === "missing").map(({ urn }) => urn);
  if (targets.length === 0) return [];
  if (targets.every(isAddress)) return [terraformCommand(targets, by)];
  const words = [
    "pulumi",
    // The state still has the old values: without a refresh `up` would see no difference.
    ...(by === "up" ? ["up", "--refresh"] : ["refresh"]),
    ...(stack === undefined ? [] : ["--stack", quoted(stack)]),
    ...(cwd === undefined ? [] : ["--cwd", quoted(cwd)]),
  ];
  return [[words.join(" "), ...targets.map((urn) => `  --target ${quoted(urn)}`)].join(" \\\n")];
}

/** Terraform looks at the servers in every plan. */
function terraformCommand(targets: readonly string[], by: Remedy["by"]): string {
  const command = by === "up" ? "terraform apply" : "terraform apply -refresh-only";
  return [command, ...targets.map((address) => `  -target ${quoted(address)}`)].join(" \\\n");
}

/** The text, quoted for a shell: the URN of a resource with a parent contains `$`. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
