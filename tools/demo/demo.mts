// `npm run demo`: what trustplane is for, in one run of the real Pulumi CLI against the embedded server.
// `npm run demo -- --keep` leaves the server and the stack running.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createPulumiSandbox, type PulumiSandbox } from "../pulumi/sandbox.mts";
import { elapsed } from "../steps/elapsed.mjs";
import { onInterrupt } from "../steps/interrupt.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { type ServerAddresses, startEmbeddedServer } from "./embedded-server.mts";
import { explainKept } from "./kept-demo.mts";
import { createNarrator } from "./narrator.mts";
import { addCloudUser, platformStack } from "./platform-stack.mts";
import { changeFor, changeRole, readRole, roleIn } from "./role-on-server.mts";

/** Pulumi's exit code when `--expect-no-changes` found some. */
const changesFound = 7;

const isKept = process.argv.includes("--keep");
const narrator = createNarrator({ steps: 8 });
const startedAt = Date.now();
const folder = mkdtempSync(join(tmpdir(), "trustplane-demo-"));
const removeFolder = () => rmSync(folder, { recursive: true, force: true });
const undo: (() => unknown)[] = [removeFolder];
const release = onInterrupt(removeFolder);

try {
  await tell();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
} finally {
  while (undo.length > 0) await undo.pop()?.();
  release();
}
process.exit();

async function tell(): Promise<void> {
  const { ours, partner, sandbox } = await prepare();

  narrator.introduce("Create all that the program declares. Wrong input would be refused before anything is sent.");
  await pulumi(sandbox, ["up", "--yes", "--skip-preview"], { expected: 0 });

  narrator.introduce("Preview: what was written reads back as what was asked for, so there is nothing to do.");
  await pulumi(sandbox, ["preview", "--expect-no-changes"], { expected: 0 });

  await driftAndRepair(sandbox, ours);

  process.stdout.write(`\nAll of it worked, in ${elapsed(Date.now() - startedAt)}.\n${explainNext()}`);
  if (!isKept) return;
  undo.length = 0;
  for (const server of [ours, partner]) server.keep();
  process.stdout.write(explainKept([ours, partner], sandbox));
}

async function prepare() {
  narrator.introduce("Servers to try this on: embedded ones speak for Vault, Consul and HCP Terraform, in memory.");
  const start = (name: string) =>
    narrator.run("trustplane serve --json", async () => {
      const server = await startEmbeddedServer(name, { folder, mayBeKept: isKept });
      undo.push(() => server.stop());
      return server;
    });
  const ours = await start("ours");
  await addCloudUser(ours);
  const { secrets, cluster, policy } = ours;
  narrator.say(`Vault at ${secrets.address}, Consul at ${cluster.address}, HCP Terraform at ${policy.address}`);
  const partner = await start("partner");
  narrator.say(`and a second Consul, to peer with, at ${partner.cluster.address}`);

  narrator.introduce("A stack of its own with the packed package: your Pulumi login and stacks are not touched.");
  const sandbox = await narrator.run("pulumi stack select --create dev", () =>
    createPulumiSandbox({ ...platformStack(ours, partner), folder }),
  );
  undo.push(() => sandbox.close());
  return { ours, partner, sandbox };
}

async function driftAndRepair(sandbox: PulumiSandbox, server: ServerAddresses): Promise<void> {
  const path = roleIn(await sandbox.export());
  const before = await readRole(server, path);
  const change = changeFor(before);
  narrator.introduce("Somebody changes a role on the server by hand, behind Pulumi's back.");
  await narrator.run(`curl -X PUT $VAULT_ADDR/v1/${path} -d '${JSON.stringify(change)}'`, () =>
    changeRole(server, path, change),
  );

  narrator.introduce("Drift: a refresh reads every resource and shows what differs, property by property.");
  const find = ["refresh", "--preview-only", "--diff", "--expect-no-changes"];
  const lastLines = (await pulumi(sandbox, find, { expected: changesFound })).split("\n");
  for (const property of ["tokenTtl", "tokenPolicies"]) {
    const isShown = lastLines.some((line) => line.includes(property));
    if (!isShown) throw new StepError(`the drift of ${property} was not shown`, { lastLines });
  }
  narrator.say(`exit code ${changesFound}: with this command a nightly job finds drift`);

  narrator.introduce("Repair: the program is the truth, and the server ends as it says.");
  await pulumi(sandbox, ["up", "--refresh", "--yes", "--skip-preview"], { expected: 0 });
  const after = await readRole(server, path);
  if (!isDeepStrictEqual(after, before)) {
    const both = [before, after].map((record) => JSON.stringify(record));
    throw new StepError("the role on the server is not what it was before", { lastLines: both });
  }

  narrator.introduce("Proof: read from the server again, and nothing differs.");
  await pulumi(sandbox, ["preview", "--refresh", "--expect-no-changes"], { expected: 0 });
}

/** Runs Pulumi and demands the exit code that proves what the step says. */
function pulumi(sandbox: PulumiSandbox, args: readonly string[], { expected }: { expected: number }): Promise<string> {
  return narrator.run(`pulumi ${args.join(" ")}`, async (print) => {
    const { code, stdout, stderr } = await sandbox.run([...args, "--suppress-progress"], { onLine: print });
    const output = stdout + stderr;
    if (code === expected) return output;
    const lastLines = output
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-25);
    throw new StepError(`pulumi ended with code ${code}, and ${expected} was expected`, { lastLines });
  });
}

function explainNext(): string {
  const keep = isKept
    ? []
    : ["  npm run demo -- --keep    the same, and the server and the stack stay for you to play with"];
  return [
    "",
    "Where to go next:",
    ...keep,
    "  examples/platform         the program that was run",
    "  README.md                 how to point it at a real server",
    "  npm test                  everything that is promised, tested",
    "",
  ].join("\n");
}
