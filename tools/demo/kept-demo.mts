import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PulumiSandbox } from "../pulumi/sandbox.mts";
import type { EmbeddedServer } from "./embedded-server.mts";

/** Says how to go on with a demo that was kept, and leaves the same variables in a file that a shell can read. */
export function explainKept(
  servers: readonly EmbeddedServer[],
  { folder, programFolder, ownEnv, command }: PulumiSandbox,
): string {
  const pids = servers.map(({ pid }) => pid).join(" ");
  const path = `export PATH="${dirname(command)}:${dirname(process.execPath)}:$PATH"`;
  const lines = [...Object.entries(ownEnv).map(([name, value]) => `export ${name}='${value}'`), path];
  const file = join(folder, "env.sh");
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return [
    "",
    `The servers (processes ${pids}) and the stack stay. In a shell:`,
    "",
    `  cd ${programFolder}`,
    ...lines.map((line) => `  ${line}`),
    "",
    `(or, instead of these exports: source ${file})`,
    "",
    "  pulumi preview --diff                        after a change to the program",
    "  pulumi up                                    do it",
    "  pulumi refresh --preview-only --diff         what was changed on the server",
    `  curl -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/auth/jobs/role?list=true"`,
    "",
    "To stop the servers and remove everything:",
    "",
    `  kill ${pids}; rm -rf ${folder}`,
    "",
  ].join("\n");
}
