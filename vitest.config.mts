import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** As many files at once as there are cores; vitest leaves one of them idle, which on two is half of the machine. */
export const workers = availableParallelism();

/** What a test closes at its end may take its time beside other work. */
export const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

/** Folders whose files share their modules: loading these for each file would take as long as the tests. */
const folders = ["cli", "contract", "coverage", "sdk", "server", "unit", "wire"];
export const sharing = [`test/{${folders}}/**/*.test.ts`, "test/architecture.test.ts"];

/** Files of these folders that do not share. */
export const alone = [
  // Its modules keep what they have loaded, for a process that serves one program.
  "test/contract/hosts.test.ts",
  // It sends the process a signal, which the dynamic host of another file would hear.
  "test/unit/engine/before-signal-ends.test.ts",
  // They install the packed package, or run whole jobs of a continuous integration.
  "test/sdk/loading.test.ts",
  "test/cli/ci-*.test.ts",
];

/**
 * What `npm test` leaves to `npm run test:live`, because it takes long for what it finds: most stories with the real Pulumi
 * CLI, the HTML site, attacks on the embedded server, and what depends on releases of others.
 */
export const stories = [
  "test/contract/silence.test.ts",
  "test/docs/site.test.ts",
  "test/e2e/!(platform|plugin-role|terraform|terraform-*).test.ts",
  "test/package-schema/adopted-programs.test.ts",
  "test/package/oldest-sdk-types.test.ts",
  "test/package/terraform-package.test.ts",
  "test/server/abuse-*.test.ts",
  "test/server/data-kill.test.ts",
  "test/server/model.test.ts",
  "test/tools/demo-interrupt.test.ts",
  "test/tools/terraform-demo.test.ts",
  "test/tools/pulumi-sandbox.test.ts",
];

/** Profiles of the embedded server beside that of Vault 1.21. */
export const otherProfiles = ["embedded-1.19", "embedded-openbao", "embedded-enterprise"];

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
    ...timeouts,
    maxWorkers: workers,
    projects: [
      {
        extends: true,
        test: {
          name: "main",
          isolate: false,
          include: sharing,
          exclude: [...configDefaults.exclude, ...alone, ...stories],
        },
      },
      { extends: true, test: { name: "alone", include: alone } },
      {
        extends: true,
        // Those against real servers run with `npm run test:live`.
        test: {
          name: "apart",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...sharing, "test/live/**", ...stories],
        },
      },
      // A whole `npm test` leaves it out; it is here for `npm test -- test/e2e/failures.test.ts`.
      { extends: true, test: { name: "stories", include: stories } },
      // What depends on the product is which fields there are: their tests run against every profile, the others once.
      ...otherProfiles.map((name) => ({
        extends: true as const,
        test: { name, include: ["test/contract/fields.test.ts"], env: { TRUSTPLANE_CONTRACT_SERVER: name } },
      })),
    ],
  },
});
