import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import base, { timeouts, workers } from "./vitest.config.mts";

/** They install the packed package, or run whole jobs of a continuous integration. */
const slow = ["test/sdk/loading.test.ts", "test/cli/ci-*.test.ts", "test/contract/silence.test.ts"];

/** What `npm run test:quick` runs: all that needs no build, no Pulumi CLI and no Go; the contract suite on the engine alone. */
export default mergeConfig(
  { resolve: base.resolve ?? {} },
  defineConfig({
    test: {
      maxWorkers: workers,
      ...timeouts,
      include: ["test/{unit,wire,cli,sdk,coverage,contract}/**/*.test.ts", "test/architecture.test.ts"],
      exclude: [...configDefaults.exclude, ...slow],
      env: { TRUSTPLANE_CONTRACT_HOSTS: "engine", TRUSTPLANE_CONTRACT_FAULTS: "telling" },
    },
  }),
);
