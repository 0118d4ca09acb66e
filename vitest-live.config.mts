import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import { liveBinaryPath, terraformPath } from "./tools/live/live-binaries.mts";
import base, { otherProfiles, stories, workers } from "./vitest.config.mts";

const contract = "test/contract/**/*.test.ts";

/**
 * How much a run tries. CI's has a limit of time, and is the usual one; before a release it is whole:
 * `TRUSTPLANE_TEST_EXTENT=whole npm run test:live`, two hours on two cores.
 */
const extent = process.env["TRUSTPLANE_TEST_EXTENT"] ?? "usual";
const isWhole = extent === "whole";

/** Tests that are not about the servers of a run. */
const elsewhere = {
  // The tables of the suite; the embedded server's own faults, seal and log; the policy API, of which no server can be run.
  always: [
    "test/contract/completeness.test.ts",
    "test/contract/embedded-server.test.ts",
    "test/contract/import.test.ts",
    "test/contract/policy-set.test.ts",
    "test/contract/record-secrets.test.ts",
  ],
  // What was seen of the other services.
  vault: [
    "test/contract/traps/cluster-and-policy.test.ts",
    "test/contract/login-cluster.test.ts",
    "test/contract/peering-life.test.ts",
    "test/contract/peering-wait.test.ts",
  ],
  consul: [
    "test/contract/login.test.ts",
    "test/contract/login-approle.test.ts",
    "test/contract/traps/secrets-server.test.ts",
    "test/contract/peers.test.ts",
    "test/contract/held-results.test.ts",
    "test/contract/inhabited.test.ts",
    "test/contract/policies.test.ts",
    "test/contract/root-rotation.test.ts",
    "test/contract/program-secrets.test.ts",
    "test/contract/sets.test.ts",
    "test/contract/mount-moves.test.ts",
    "test/contract/mounts-at-once.test.ts",
    "test/contract/sys-mount-properties.test.ts",
    "test/contract/tenants.test.ts",
    "test/contract/group-alias.test.ts",
  ],
  // The proxy is silent, not the server, and every call costs a wait: once is enough, beside Vault 1.21.
  older: ["test/contract/silence.test.ts"],
  // What Terraform's CLI has no part in: they ask the engine or Pulumi's hosts, whatever runs the others.
  terraform: [
    "test/contract/traps/*.test.ts",
    "test/contract/abort.test.ts",
    "test/contract/completeness.test.ts",
    "test/contract/function-permissions.test.ts",
    "test/contract/functions.test.ts",
    "test/contract/held-results.test.ts",
    "test/contract/hosts.test.ts",
    "test/contract/login-approle.test.ts",
    "test/contract/login-cluster.test.ts",
    "test/contract/mounts-at-once.test.ts",
    "test/contract/permissions.test.ts",
    "test/contract/printed-policy.test.ts",
    "test/contract/program-secrets.test.ts",
    "test/contract/silence.test.ts",
    // It asks for lists by the protocol, and has no part that the CLI could run.
    "test/contract/terraform-lists.test.ts",
    // Generated values by the dozen are the provider's matter, and the driver without the CLI has them.
    "test/contract/desired-state.test.ts",
    // In the extent of these runs, which is never whole, they have no test for Terraform's host.
    "test/contract/faults-{delete,read}.test.ts",
  ],
} as const;

/** The stories of the dynamic classes that the plugin must tell, too. */
const pluginStories = ["connections", "failures", "functions", "functions-issue", "interruption", "lookup", "sets"].map(
  (name) => `test/e2e/${name}.test.ts`,
);

/**
 * What the real Terraform CLI does with the provider; a newer one and OpenTofu must do it, too. A thousand records
 * (`many-records`) are left to the first: what is asked of the provider for each is the same, and they take minutes.
 */
const terraformLives = ["test/e2e/terraform{,-*}.test.ts"];

const unlessWhole = (...files: readonly string[]) => (isWhole ? [] : files);

/** What the usual run leaves out, as another run tries it. */
const leftOut = {
  // `npm test`, on the embedded server: they are about what is decided before a server, or what stands between.
  real: unlessWhole("test/contract/{abort,faults-delete,faults-read,hosts,silence,unknowns}.test.ts"),
  // Vault 1.21: what fails does so whatever the release.
  older: unlessWhole(
    "test/contract/{desired-state,faults-*,group-alias,inhabited,partial,peers,requests,root-rotation,spellings,wrong-server}.test.ts",
  ),
  // `npm test`, with the driver that does what Terraform's core does: values, calls and faults by the dozen.
  cli: unlessWhole("test/contract/{faults-create,faults-update,fields,requests,spellings,wrong-server}.test.ts"),
  // Terraform 1.11 and OpenTofu: the provider's part in them is the same for every release.
  newer: unlessWhole(
    "test/e2e/terraform-{adopt,commands,interruption,platform,taken-over,timeouts,twice-in-state,wrong-state}.test.ts",
  ),
  // The plugin's classes or `test/live` tell them, too, or they take long for what they find.
  stories: unlessWhole(
    ...pluginStories,
    "test/e2e/{adopt,oldest-sdk,trust-tests}.test.ts",
    "test/package-schema/adopted-programs.test.ts",
    "test/tools/demo-interrupt.test.ts",
  ),
};

/** Property tests look further on each run, but for that of a pull request, which is not red by chance. */
const seeds: Record<string, string> = process.env["CI"] === undefined ? { TRUSTPLANE_RANDOM_SEEDS: "1" } : {};

/**
 * The contract suite against one kind of real servers. Most of the time is waiting for these, so there are more workers
 * than cores. Kinds with other numbers of workers cannot run beside each other.
 */
const against = (name: string, exclude: readonly string[] = [], maxWorkers = 4) => ({
  extends: true as const,
  test: {
    name,
    maxWorkers,
    sequence: { groupOrder: maxWorkers },
    include: [contract],
    exclude: [...configDefaults.exclude, ...elsewhere.always, ...leftOut.real, ...exclude],
    env: { TRUSTPLANE_CONTRACT_SERVER: name, TRUSTPLANE_TEST_EXTENT: extent, ...seeds },
  },
});

/** Consul 1.22 can panic (`startLiveConsul` says when), and is started again: the tests that met it are repeated, and no others. */
const crashed = { count: 3, delay: 3_000, condition: /closed the connection|connection was refused|fetch failed/ };

/** Tests on the embedded servers: what these need of the machine is as much as `npm test` may take. */
const embedded = (
  name: string,
  { include, exclude = [] }: { readonly include: readonly string[]; readonly exclude?: readonly string[] },
  env: Record<string, string> = {},
) => ({
  extends: true as const,
  test: {
    name,
    maxWorkers: workers,
    sequence: { groupOrder: workers },
    include: [...include],
    exclude: [...configDefaults.exclude, ...exclude],
    env: { TRUSTPLANE_TEST_EXTENT: extent, ...env },
  },
});

/**
 * The contract suite with the real CLI in place of the driver that does what Terraform's core does. Each command is a process:
 * the extent is always that of `npm test`, with which a run takes ten minutes.
 */
const throughTerraform = (name: string, more: readonly string[] = [], env: Record<string, string> = {}) =>
  mergeConfig(
    embedded(
      name,
      { include: [contract, ...more], exclude: [...elsewhere.terraform, ...leftOut.cli] },
      { TRUSTPLANE_TERRAFORM_CORE: "cli", TRUSTPLANE_TEST_EXTENT: "usual", ...env },
    ),
    { test: { setupFiles: ["test/support/skip-without-terraform.ts"] } },
  );

/** What `npm test` tries too, but less of it. */
const moreOfTheUsual = [
  embedded("embedded", { include: ["test/contract/{desired-state,faults-*}.test.ts"] }, seeds),
  ...otherProfiles.map((name) =>
    embedded(name, { include: ["test/contract/fields.test.ts"] }, { TRUSTPLANE_CONTRACT_SERVER: name }),
  ),
];

/** What `npm run test:live` runs. */
export default mergeConfig(
  { resolve: base.resolve ?? {}, test: { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 4 } },
  defineConfig({
    test: {
      projects: [
        against("vault-1.21", elsewhere.vault),
        against("vault-1.19", [...elsewhere.vault, ...elsewhere.older, ...leftOut.older]),
        // A peering takes up to five seconds to become ACTIVE, whatever the machine does.
        mergeConfig(against("consul", elsewhere.consul, 10), { test: { retry: crashed } }),
        { extends: true, test: { name: "live", include: ["test/live/**/*.test.ts"], sequence: { groupOrder: 4 } } },
        embedded("stories", { include: stories, exclude: leftOut.stories }),
        embedded("plugin", { include: pluginStories }, { TRUSTPLANE_E2E_LIBRARY: "trustplane/native" }),
        throughTerraform("terraform"),
        throughTerraform("opentofu", terraformLives, { TRUSTPLANE_TERRAFORM_CLI: liveBinaryPath("opentofu") }),
        embedded(
          "terraform-1.15",
          { include: terraformLives, exclude: leftOut.newer },
          { TRUSTPLANE_TERRAFORM_CLI: terraformPath("terraform") },
        ),
        ...(isWhole ? moreOfTheUsual : []),
      ],
    },
  }),
);
