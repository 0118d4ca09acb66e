import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { liveBinaryPath, terraformPath } from "./tools/live/live-binaries.mts";
import { type ContractServer, type TestFile, testFiles } from "./tools/test/test-files.mts";

// Which file is in which run is said by its folder or by itself: `tools/test/test-files.mts`, and the page `test/README.md`.

/** The run; none for a part of the tests that somebody names by its path. */
const run = process.env["TRUSTPLANE_TEST_RUN"];
const isWhole = run === "whole";
const isLive = run === "live" || isWhole;

/** As many files at once as there are cores; vitest leaves one of them idle, which on two is half of the machine. */
const workers = availableParallelism();

/** How much is tried of what could be tried without end. */
const extent = isWhole ? "whole" : run === "quick" ? "quick" : "usual";

const isInRun = {
  quick: (file: TestFile) => file.run === "quick",
  test: (file: TestFile) => file.run === "quick" || file.run === "test",
  live: (file: TestFile) => file.run === "live",
  whole: () => true,
  part: () => true,
}[run ?? "part"];
if (isInRun === undefined) throw new Error(`TRUSTPLANE_TEST_RUN is ${run}`);

const files = testFiles();
const isReal = ({ path }: TestFile) => path.startsWith("test/live/");
const isContract = ({ path }: TestFile) => path.startsWith("test/contract/");
const embedded = files.filter((file) => isInRun(file) && !isReal(file));
const contract = files.filter(isContract);
const fields = "test/contract/fields.test.ts";

interface ProjectOptions {
  readonly env?: Record<string, string>;
  readonly isolate?: boolean;
  readonly maxWorkers?: number;
  /** Tries once more what fails so. Nothing else is repeated here: `npm test` does that for a whole file. */
  readonly retry?: { readonly count: number; readonly delay: number; readonly condition: RegExp };
  readonly setupFiles?: readonly string[];
}

/** Files that run alike. Those of a project with another number of workers wait for the ones before. */
function project(name: string, include: readonly string[], options: ProjectOptions = {}) {
  const { env, maxWorkers = workers, setupFiles = [], ...more } = options;
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      exclude: [...configDefaults.exclude, ...(include.length === 0 ? ["**"] : [])],
      passWithNoTests: true,
      env: { TRUSTPLANE_TEST_EXTENT: extent, ...env },
      maxWorkers,
      sequence: { groupOrder: maxWorkers },
      setupFiles: [...setupFiles],
      ...more,
    },
  };
}

const pathsOf = (of: readonly TestFile[]) => of.map(({ path }) => path);

/** The embedded server, and what needs no server. */
const ours = [
  project("shared", pathsOf(embedded.filter(({ isAlone }) => !isAlone)), { isolate: false }),
  project("alone", pathsOf(embedded.filter(({ isAlone }) => isAlone))),
];

/** What depends on the product is which fields there are: their tests run against every profile of the embedded server. */
const profiles = ["embedded-1.19", "embedded-openbao", "embedded-enterprise"].map((name) =>
  project(name, [fields], { env: { TRUSTPLANE_CONTRACT_SERVER: name } }),
);

/**
 * The contract suite on one kind of real servers: through the engine alone, as what a host adds does not depend on the server.
 * Most of the time is waiting for these, so there are more workers than cores.
 */
function against(name: string, server: ContractServer, options: ProjectOptions = {}) {
  const about = contract.filter(({ servers, run: first }) => servers.includes(server) && first !== "live");
  const env = { TRUSTPLANE_CONTRACT_SERVER: name, TRUSTPLANE_TEST_EXTENT: isWhole ? "whole" : "quick" };
  return project(name, pathsOf(about), { maxWorkers: 4, isolate: false, env, ...options });
}

/** Consul 1.22 can panic (`startLiveConsul` says when), and is started again: the tests that met it are repeated, and no others. */
const crashed = { count: 3, delay: 3_000, condition: /closed the connection|connection was refused|fetch failed/ };

const real = [
  against("vault-1.21", "vault"),
  // A peering takes up to five seconds to become ACTIVE, whatever the machine does.
  against("consul", "consul", { maxWorkers: 10, retry: crashed }),
  project("live", pathsOf(files.filter((file) => isReal(file) && isInRun(file))), { maxWorkers: 4 }),
];

/**
 * The contract suite with Terraform's CLI in place of the driver that does what its core does. Each command is a process: what is
 * tried without end is tried as often as in `npm test`.
 */
function throughTerraform(name: string, include: readonly string[], cli?: string) {
  const env = {
    TRUSTPLANE_TERRAFORM_CORE: "cli",
    TRUSTPLANE_TEST_EXTENT: "usual",
    ...(cli !== undefined && { TRUSTPLANE_TERRAFORM_CLI: cli }),
  };
  return project(name, include, { env, setupFiles: ["test/support/skip-without-terraform.ts"] });
}

const throughCli = pathsOf(
  contract.filter(({ hasTerraform, servers }) => hasTerraform && servers.includes("embedded")),
);
const terraformStories = pathsOf(files.filter(({ path }) => path.startsWith("test/e2e/terraform")));
/** Stories of the dynamic classes that the plugin must tell, too. */
const pluginStories = ["connections", "failures", "functions", "functions-issue", "interruption", "lookup", "sets"].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/** Releases beside the newest, and every resource and promise through every host and CLI. */
const rest = () => [
  against("vault-1.19", "vault"),
  project("plugin", pluginStories, { env: { TRUSTPLANE_E2E_LIBRARY: "trustplane/native" } }),
  throughTerraform("terraform", throughCli),
  throughTerraform("opentofu", [...throughCli, ...terraformStories], liveBinaryPath("opentofu")),
  project("terraform-1.15", terraformStories, { env: { TRUSTPLANE_TERRAFORM_CLI: terraformPath("terraform") } }),
];

export default defineConfig({
  resolve: {
    // The package's own name leads to `dist/`, which tests must not depend on.
    alias: [
      { find: /^trustplane$/, replacement: join(import.meta.dirname, "sdk/index.ts") },
      { find: /^trustplane\/native$/, replacement: join(import.meta.dirname, "sdk/native/index.ts") },
      {
        find: /^trustplane\/dynamic\/(.*)$/,
        replacement: join(import.meta.dirname, "provider/hosts/dynamic/modules/$1.ts"),
      },
    ],
  },
  test: {
    // What a test closes at its end may take its time beside other work.
    testTimeout: isLive ? 60_000 : 30_000,
    hookTimeout: 60_000,
    maxWorkers: workers,
    projects: [
      ...ours,
      ...(run === "quick" || run === "live" ? [] : profiles),
      ...(isLive ? real : []),
      ...(isWhole ? rest() : []),
    ],
  },
});
