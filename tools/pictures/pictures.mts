// `npm run pictures`: the pictures of README and docs, made of what the commands print: the real Pulumi CLI runs
// examples/review against the embedded server, a change is previewed, and somebody changes the server by hand. No test compares
// them, because fonts differ from machine to machine: look at them after a change of what they show.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedServer } from "../demo/embedded-server.mts";
import { createPulumiSandbox, type PulumiSandbox } from "../pulumi/sandbox.mts";
import { onInterrupt } from "../steps/interrupt.mjs";
import { repository } from "../steps/repository.mjs";
import { reportFailure, StepError } from "../steps/step-error.mjs";
import { openChromium } from "./chromium.mts";
import { commentPage } from "./comment-page.mts";

const pictures = join(repository, "docs", "pictures");

const folder = mkdtempSync(join(tmpdir(), "trustplane-pictures-"));
const removeFolder = () => rmSync(folder, { recursive: true, force: true });
const undo: (() => unknown)[] = [removeFolder];
const release = onInterrupt(removeFolder);

try {
  const server = await startEmbeddedServer("server", { folder, mayBeKept: false });
  undo.push(() => server.stop());
  const { address, token } = server.secrets;
  const sandbox = await createPulumiSandbox({
    program: "examples/review",
    stack: "production",
    env: { VAULT_ADDR: address, VAULT_TOKEN: token },
    folder: join(folder, "stack"),
  });
  undo.push(() => sandbox.close());

  await pulumi(sandbox, ["up", "--yes", "--skip-preview"]);
  const comment = await previewComment(sandbox);
  await changeByHand(address, token);
  const report = trustplane(sandbox, ["drift", "--html", "--unmanaged"], { code: 2 });
  await takePictures({ comment: await commentPage(comment), drift: report });
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
} finally {
  while (undo.length > 0) await undo.pop()?.();
  release();
}
process.exit();

/** What a pull request is told that renames a role and widens another one. */
async function previewComment(sandbox: PulumiSandbox): Promise<string> {
  const before = readFileSync(join(sandbox.programFolder, "index.js"), "utf8");
  const after = before
    .replace('ref: ["main", "release"] },', 'ref: ["main", "*-release"] },\n  boundClaimsType: "glob",')
    .replace('name: "lint"', 'name: "checks"');
  sandbox.write("index.js", after);
  const preview = await pulumi(sandbox, ["preview", "--json", "--show-sames"]);
  sandbox.write("index.js", before);
  return trustplane(sandbox, ["comment", "--dry-run"], { input: preview });
}

/** Somebody widens a role, deletes another one, and leaves a third behind. */
async function changeByHand(address: string, token: string): Promise<void> {
  const ask = async (method: string, path: string, record?: object) => {
    const body = record === undefined ? {} : { body: JSON.stringify(record) };
    const answer = await fetch(`${address}/v1/${path}`, { method, headers: { "x-vault-token": token }, ...body });
    if (!answer.ok) throw new StepError(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  const bound = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://vault.example.com"] };
  await ask("POST", "auth/jobs/role/deploy", { ...bound, token_policies: ["deploy", "admin"], token_ttl: "12h" });
  await ask("DELETE", "auth/jobs/role/lint");
  await ask("POST", "auth/jobs/role/debug", bound);
  // The embedded server has it from the start, which would be one more record that the stack does not manage.
  await ask("DELETE", "sys/auth/jwt");
}

async function takePictures(pages: Readonly<Record<string, string>>): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const browser = await openChromium();
  undo.push(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1040, height: 200 }, deviceScaleFactor: 1.2 });
  for (const [name, html] of Object.entries(pages)) {
    await page.setContent(html);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    process.stdout.write(`wrote docs/pictures/${name}.png\n`);
  }
}

async function pulumi(sandbox: PulumiSandbox, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.run([...args, "--suppress-progress"]);
  if (code !== 0) throw new StepError(`pulumi ${args[0]} ended with code ${code}`, { lastLines: stderr.split("\n") });
  return stdout;
}

function trustplane(sandbox: PulumiSandbox, args: readonly string[], { code = 0, input = "" }): string {
  const command = join(sandbox.programFolder, "node_modules/trustplane/dist/cli/trustplane.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: sandbox.programFolder,
    env: sandbox.env,
    encoding: "utf8",
    input,
  });
  if (status !== code)
    throw new StepError(`trustplane ${args[0]} ended with code ${status}`, { lastLines: stderr.split("\n") });
  return stdout;
}
