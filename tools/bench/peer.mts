import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../steps/run-tool.mjs";
import type { BenchContext } from "./section.mts";

/** Operations of which a life is made, in this order. */
export const peerOperations = {
  sets: ["up", "preview", "refresh", "change all", "change one", "destroy"],
  terraform: ["prepare", "plan", "apply", "no-op plan", "change all", "destroy"],
} as const;
export type PeerSection = keyof typeof peerOperations;

/**
 * Another provider, as a shell command that is run once for each operation, in a folder that stays for the whole life. The
 * environment says what to do: `SECTION` and `OPERATION` (one of those above), `ROLES` (how many there are), `VAULT_ADDR` and
 * `VAULT_TOKEN`. Every role has the properties that `sample-resources.mts` gives a set's; "change all" changes one of each,
 * and "change one" one of a single role on top of that. "prepare" is not measured: it writes the program, and fails where
 * there is none for Terraform. "plan" and "no-op plan" write nothing, and the second fails where there is something to do.
 */
export function openPeer<Section extends PeerSection>(
  { peer = "", folder }: BenchContext,
  { section, roles, env }: { section: Section; roles: number; env: Readonly<Record<string, string>> },
) {
  const cwd = mkdtempSync(join(folder, "peer-"));
  return {
    run: (operation: (typeof peerOperations)[Section][number]) =>
      runTool("sh", ["-c", peer], {
        cwd,
        env: { ...process.env, ...env, SECTION: section, OPERATION: operation, ROLES: String(roles) },
        next: "run the command of --peer by hand, with SECTION, OPERATION, ROLES, VAULT_ADDR and VAULT_TOKEN in the environment",
      }),
  };
}
