import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PulumiSandbox } from "../pulumi/sandbox.mts";
import type { EmbeddedServer } from "./embedded-server.mts";

/** Says how to go on with a demo that was kept, and leaves the same variables in a file that a shell can read. */
export function explainKept(server: EmbeddedServer, { folder, programFolder, ownEnv, command }: PulumiSandbox): string {
  const path = `export PATH="${dirname(command)}:${dirname(process.execPath)}:$PATH"`;
  const lines = [...Object.entries(ownEnv).map(([name, value]) => `export ${name}='${value}'`), path];
  const file = join(folder, "env.sh");
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return [
    "",
    `The server (process ${server.pid}) and the stack stay. In a shell:`,
    "",
    `  cd ${programFolder}`,
    ...lines.map((line) => `  ${line}`),
    "",
    `(or, instead of these exports: source ${file})`,
    "",
    "  pulumi preview --diff                        after a change to index.ts",
    "  pulumi up                                    do it",
    "  pulumi refresh --preview-only --diff         what was changed on the server",
    `  curl -H "X-Vault-Token: $VAULT_TOKEN" "$VAULT_ADDR/v1/auth/jwt/role?list=true"`,
    "",
    "To stop the server and remove everything:",
    "",
    `  kill ${server.pid}; rm -rf ${folder}`,
    "",
  ].join("\n");
}
