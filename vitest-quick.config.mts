import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import base, { timeouts, workers } from "./vitest.config.mts";

/** They install the packed package, or run whole jobs of a continuous integration. */
const slow = ["test/sdk/loading.test.ts", "test/cli/ci-*.test.ts", "test/contract/silence.test.ts"];

/** Its modules keep what they have loaded, for a process that serves one program. */
const alone = "test/contract/hosts.test.ts";

const env = { TRUSTPLANE_CONTRACT_HOSTS: "engine", TRUSTPLANE_CONTRACT_FAULTS: "telling" };

/**
 * What `npm run test:quick` runs: all that needs no build, no Pulumi CLI and no Go; the contract suite on the engine alone.
 * Its files share their modules, as loading these for each would take as long as the tests; `npm test` keeps them apart.
 */
export default mergeConfig(
  { resolve: base.resolve ?? {} },
  defineConfig({
    test: {
      maxWorkers: workers,
      ...timeouts,
      projects: [
        {
          extends: true,
          test: {
            name: "quick",
            isolate: false,
            include: ["test/{unit,wire,cli,sdk,coverage,contract}/**/*.test.ts", "test/architecture.test.ts"],
            exclude: [...configDefaults.exclude, ...slow, alone],
            env,
          },
        },
        { extends: true, test: { name: "alone", include: [alone], env } },
      ],
    },
  }),
);
