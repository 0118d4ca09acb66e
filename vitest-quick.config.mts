import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import base, { alone, sharing, stories, timeouts, workers } from "./vitest.config.mts";

/**
 * The embedded server's own tests, every call, every fault, every unknown value and every word of a policy in turn, and files
 * that mostly wait for a clock.
 */
const slow = [
  "test/server/**",
  "test/contract/{abort,desired-state,faults-*,login*,peer*,permissions,printed-policy,spellings,unknowns}.test.ts",
  // Of other hosts than the engine.
  "test/contract/{record-secrets,terraform-lists}.test.ts",
  "test/unit/engine/{login-session,until-ready,validity}.test.ts",
  "test/cli/drift-failures.test.ts",
];

/**
 * What `npm run test:quick` runs: what of `npm test` needs no build, no Pulumi CLI and no Go; the contract suite on the
 * engine alone, and less of what is tried many times (`test/support/test-extent.mts`).
 */
export default mergeConfig(
  { resolve: base.resolve ?? {} },
  defineConfig({
    test: {
      maxWorkers: workers,
      ...timeouts,
      isolate: false,
      include: sharing,
      exclude: [...configDefaults.exclude, ...alone, ...stories, ...slow],
      env: { TRUSTPLANE_TEST_EXTENT: "quick" },
    },
  }),
);
