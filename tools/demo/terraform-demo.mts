// `npm run demo -- --terraform`: the demo for who writes HCL, with the Terraform CLI that is on PATH.
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { elapsed } from "../steps/elapsed.mjs";
import { onInterrupt } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { runTool } from "../steps/run-tool.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { which } from "../steps/which.mjs";
import { ownPlatform, platformName } from "../terraform/platforms.mts";
import { type EmbeddedServer, startEmbeddedServer } from "./embedded-server.mts";
import { createNarrator } from "./narrator.mts";
import { changeFor, changeRole, readRole } from "./role-on-server.mts";

/** What the CLI answers with `-detailed-exitcode` when there is something to do. */
const CHANGES_FOUND = 2;
const ROLE = "auth/jobs/role/deploy";
const SOURCE = "registry.terraform.io/trustplane/trustplane";

const NEXT = `
Where to go next:
  examples/terraform        the program that was run
  docs/terraform.md         how to install the provider, and how to point it at a real server

`;

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
  assertTerraform();
  narrator.introduce("A server to try this on: an embedded one speaks for Vault, Consul and HCP Terraform, in memory.");
  const server = await narrator.run("trustplane serve --json", async () => {
    const started = await startEmbeddedServer("server", { folder, mayBeKept: false });
    undo.push(() => started.stop());
    return started;
  });
  const env = environment(server);

  narrator.introduce("A program of its own, and the provider of this package in a mirror.");
  cpSync(join(repository, "examples/terraform"), join(folder, "program"), { recursive: true });
  writeMirror();
  await terraform(["init"], { env, expected: 0 });

  narrator.introduce("Create all that the program declares. Wrong input would be refused before anything is sent.");
  await terraform(["apply", "-auto-approve"], { env, expected: 0 });
  assertNoSecret(env);

  narrator.introduce("Plan: what was written reads back as what was asked for, so there is nothing to do.");
  await terraform(["plan", "-detailed-exitcode"], { env, expected: 0 });

  const before = await readRole(server, ROLE);
  const change = changeFor(before);
  narrator.introduce("Somebody changes a role on the server by hand, behind Terraform's back.");
  await narrator.run(`curl -X PUT $VAULT_ADDR/v1/${ROLE} -d '${JSON.stringify(change)}'`, () =>
    changeRole(server, ROLE, change),
  );

  narrator.introduce("Drift: a plan reads every resource and shows what differs, attribute by attribute.");
  const drift = await terraform(["plan", "-detailed-exitcode"], { env, expected: CHANGES_FOUND });
  for (const attribute of ["token_ttl", "token_policies"]) {
    if (!drift.includes(attribute)) throw new StepError(`the drift of ${attribute} was not shown`);
  }
  narrator.say(`exit code ${CHANGES_FOUND}: with this command a nightly job finds drift`);

  narrator.introduce("Repair: the program is the truth, and the server ends as it says.");
  await terraform(["apply", "-auto-approve"], { env, expected: 0 });
  const after = await readRole(server, ROLE);
  if (!isDeepStrictEqual(after, before)) throw new StepError("the role on the server is not what it was before");

  narrator.introduce("The end: everything that the program declared is deleted.");
  await terraform(["destroy", "-auto-approve"], { env, expected: 0 });
  process.stdout.write(`\nAll of it worked, in ${elapsed(Date.now() - startedAt)}.\n${NEXT}`);
}

function assertTerraform(): void {
  if (ownPlatform() === undefined || process.platform === "win32")
    throw new StepError("the demo with Terraform runs on Linux and macOS only");
  if (which("terraform", process.env) !== undefined) return;
  throw new StepError("there is no terraform on PATH", {
    next: "install Terraform 1.11 or newer and run the command again, or run `npm run demo`, which is the same with Pulumi.",
  });
}

/** As docs/terraform.md says it for a team: a link to the package's executable. */
function writeMirror(): void {
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const platform = ownPlatform();
  const place = join(folder, "mirror", SOURCE, version, platform ? platformName(platform) : "");
  mkdirSync(place, { recursive: true });
  const executable = join(repository, "bin/terraform-provider-trustplane");
  symlinkSync(executable, join(place, `terraform-provider-trustplane_v${version}`));
  const settings = `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, "mirror")}"\n  }\n}\n`;
  writeFileSync(join(folder, "cli.tfrc"), settings);
}

function environment({ secrets, cluster, policy }: EmbeddedServer): NodeJS.ProcessEnv {
  return {
    ...process.env,
    VAULT_ADDR: secrets.address,
    VAULT_TOKEN: secrets.token,
    CONSUL_HTTP_ADDR: cluster.address,
    CONSUL_HTTP_TOKEN: cluster.token,
    TFE_ADDRESS: policy.address,
    TFE_TOKEN: policy.token,
    TF_VAR_policy_set: policy.policySet,
    TF_VAR_webhook_token: randomBytes(12).toString("base64url"),
    TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc"),
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
  };
}

function assertNoSecret(env: NodeJS.ProcessEnv): void {
  const state = readFileSync(join(folder, "program/terraform.tfstate"), "utf8");
  if (state.includes(env["TF_VAR_webhook_token"] ?? "")) throw new StepError("the state has the secret");
  narrator.say("the secret parameter is on the server, and not in the state");
}

interface Expectation {
  readonly env: NodeJS.ProcessEnv;
  readonly expected: number;
}

/** Runs Terraform and demands the exit code that proves what the step says. */
function terraform(args: readonly string[], { env, expected }: Expectation): Promise<string> {
  return narrator.run(`terraform ${args.join(" ")}`, async (print) => {
    const lines: string[] = [];
    const onLine = (line: string) => {
      lines.push(line);
      if (isNews(line)) print(line);
    };
    const code = await runTool("terraform", [...args, "-no-color", "-input=false"], {
      cwd: join(folder, "program"),
      env,
      onLine,
    }).then(
      () => 0,
      (error: unknown) => (error instanceof StepError ? error.exitCode : undefined),
    );
    if (code === expected) return lines.join("\n");
    throw new StepError(`terraform ended with code ${code}, and ${expected} was expected`, {
      lastLines: lines.slice(-25),
    });
  });
}

/** The CLI shows each new attribute before it is written; the result of a resource is enough. */
function isNews(line: string): boolean {
  return /^(trustplane_\S+: (Creation|Modifications|Destruction) complete|Plan:|No changes|Apply complete|Destroy complete|- Installed|Error|Terraform has been)|^\s+~ /.test(
    line,
  );
}
