import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import base, { alone, sharing, stories, timeouts, workers } from "./vitest.config.mts";

/** The embedded server's own tests, cancellations of every call, and policies of which every word is taken away. */
const slow = ["test/server/**", "test/contract/abort.test.ts", "test/contract/printed-policy.test.ts"];

/**
 * What `npm run test:quick` runs: what of `npm test` needs no build, no Pulumi CLI and no Go; the contract suite on the
 * engine alone, and less of what is tried many times (`test/support/test-extent.ts`).
 */
export default mergeConfig(
  { resolve: base.resolve ?? {} },
  defineConfig({
    test: {
      // One more than cores: some files wait for a clock.
      maxWorkers: workers + 1,
      ...timeouts,
      isolate: false,
      include: sharing,
      exclude: [...configDefaults.exclude, ...alone, ...stories, ...slow],
      env: { TRUSTPLANE_TEST_EXTENT: "quick" },
    },
  }),
);
