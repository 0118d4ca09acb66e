import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Running, startServers } from "../../server/serve.ts";
import { liveCacheFolder } from "../../tools/live/live-binaries.mts";
import { findGo } from "../../tools/steps/find-go.mjs";

const run = promisify(execFile);

/** The last release whose module has its integration tests: 1.110 is one file without any. */
const version = "v1.103.0";

/** What go-tfe itself skips, and why it does so here. */
const skips: Readonly<Record<string, string>> = {
  "TestPolicySetParametersList/without_list_options": "go-tfe: paging not supported yet in API",
  "TestPolicySetParametersList/with_list_options": "go-tfe: paging not supported yet in API",
  "TestPolicySetsCreate/with_vcs_policy_set": "needs a repository of a Git host, GITHUB_POLICY_SET_IDENTIFIER",
  "TestPolicySetsCreate/with_vcs_policy_updated": "needs a repository of a Git host, GITHUB_POLICY_SET_IDENTIFIER",
  "TestPolicySetVersionsIngressAttributes/with_vcs": "needs a repository of a Git host, GITHUB_POLICY_SET_IDENTIFIER",
  TestPolicySetOutcomeList_Beta_RunDependent: "needs runs, and ENABLE_BETA",
  TestPolicySetOutcomeRead_Beta_RunDependent: "needs runs, and ENABLE_BETA",
  TestPolicySetsCreateWithGithubApp: "needs an installation of a GitHub app, GITHUB_APP_INSTALLATION_ID",
};

describe("go-tfe's own tests of policy sets, on the embedded server", () => {
  let server: Running;
  let results: readonly { readonly result: string; readonly name: string }[];
  let output: string;

  beforeAll(async () => {
    const { program, sources } = await testProgram();
    server = await startServers();
    const { address, token } = server.policy;
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TFE_ADDRESS: address,
      TFE_TOKEN: token,
      TFE_ADMIN_PROVISION_LICENSES_TOKEN: token,
    };
    const args = ["-test.v", "-test.run", "^TestPolicySet", "-test.timeout", "300s"];
    const ran = await run(program, args, { cwd: sources, env, maxBuffer: 2 ** 26 }).catch(
      // A failed test is an exit code; what failed is in the output.
      (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
    );
    output = ran.stdout;
    const lines = output.matchAll(/^\s*--- (PASS|FAIL|SKIP): (\S+)/gm);
    results = [...lines].map(([, result = "", name = ""]) => ({ result, name }));
  }, 600_000);
  afterAll(() => server?.close());

  const named = (result: string) => results.filter((each) => each.result === result).map(({ name }) => name);

  it("pass", () => {
    expect(named("FAIL"), output.slice(-20_000)).toEqual([]);
    expect(output.trimEnd()).toMatch(/^PASS$/m);
    expect(named("PASS").length).toBeGreaterThanOrEqual(LEAST_PASSED);
  });

  it("skip what needs a Git host, and what go-tfe says that the API cannot do", () => {
    expect(named("SKIP").sort()).toEqual(Object.keys(skips).sort());
  });
});

/** Fewer would mean that go-tfe's tests were not found, or ended early. */
const LEAST_PASSED = 128;

/** Go-tfe's tests as a program, built once, and the folder of the files that they read. */
async function testProgram(): Promise<{ readonly program: string; readonly sources: string }> {
  const go = findGo(process.env);
  const program = join(liveCacheFolder(), `go-tfe-${version}.test`);
  const { stdout } = await run(go, ["mod", "download", "-json", `github.com/hashicorp/go-tfe@${version}`]);
  // What `go help mod download` documents.
  const { Dir: sources } = JSON.parse(stdout) as { Dir: string };
  if (existsSync(program)) return { program, sources };
  await mkdir(dirname(program), { recursive: true });
  await run(go, ["test", "-c", "-o", program, "."], { cwd: sources, maxBuffer: 2 ** 26 });
  return { program, sources };
}
