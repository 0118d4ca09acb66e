import { openBenchStack, commands } from "./bench-program.mts";
import { withServer } from "./bench-server.mts";
import { sampleRoleSet } from "./sample-resources.mts";
import { sampleMemory } from "./memory-sampler.mts";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
const count = Number(process.argv[2] ?? 1000), host = (process.argv[3] ?? "plugin") as "plugin";
await withServer(async (server) => {
  const stack = await openBenchStack({ roles: [], roleSet: sampleRoleSet(count) }, server.env, host);
  const t = async (n: string, a: readonly string[]) => { const m = sampleMemory({ without: [server.pid] }); const s = await stack.run(a, process.env.PROF ? { NODE_OPTIONS: process.env.PROF } : {}); const q=await server.takeRequests(); console.log(n, s.toFixed(2), Math.round(m.stop() ?? 0), "MiB", q.length, "requests"); };
  try {
    await t("up", commands.up); await t("preview", commands.preview); await t("refresh", commands.refresh);
    stack.declare({ roles: [], roleSet: sampleRoleSet(count, { revision: 1 }) }); await t("change all", commands.up);
    stack.declare({ roles: [], roleSet: sampleRoleSet(count, { revision: 1, changed: 1 }) }); await t("change one", commands.up);
    const folder = join(stack.sandbox.folder, "backend", ".pulumi", "stacks");
    for (const f of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((x) => x.endsWith(".json"))) console.log(f, statSync(join(folder, f)).size / count);
    await t("destroy", commands.destroy);
  } finally { await stack.sandbox.close(); }
});
process.exit();
