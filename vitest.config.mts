import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** As many files at once as there are cores; vitest leaves one of them idle, which on two is half of the machine. */
export const workers = availableParallelism();

/** What a test closes at its end may take its time beside other work. */
export const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

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
        // Those against real servers run with `npm run test:live`.
        test: { name: "main", include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, "test/live/**"] },
      },
      // What depends on the product is which fields there are: their tests run against every profile, the others once.
      ...["embedded-1.19", "embedded-openbao", "embedded-enterprise"].map((name) => ({
        extends: true as const,
        test: { name, include: ["test/contract/fields.test.ts"], env: { TRUSTPLANE_CONTRACT_SERVER: name } },
      })),
    ],
  },
});
