import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "../steps/run-tool.mjs";
import type { BenchContext } from "./section.mts";

/** What a peer is asked for, in this order. */
export const peerOperations = ["up", "preview", "refresh", "change all", "change one", "destroy"] as const;
export type PeerOperation = (typeof peerOperations)[number];

/**
 * Another provider, as a shell command that is run once for each operation, in a folder that stays for the whole life. The
 * environment says what to do: `OPERATION` (one of those above), `ROLES` (how many there are), `VAULT_ADDR` and `VAULT_TOKEN`.
 * Every role has the properties that `sample-resources.mts` gives a set's; "change all" changes one of each, and "change one"
 * one of a single role on top of that.
 */
export function openPeer({ peer = "", folder }: BenchContext, roles: number, env: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(folder, "peer-"));
  return {
    run: (operation: PeerOperation) =>
      runTool("sh", ["-c", peer], {
        cwd,
        env: { ...process.env, ...env, OPERATION: operation, ROLES: String(roles) },
        next: "run the command of --peer by hand, with OPERATION, ROLES, VAULT_ADDR and VAULT_TOKEN in the environment",
      }),
  };
}
