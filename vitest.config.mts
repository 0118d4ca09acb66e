import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

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
    include: ["test/**/*.test.ts"],
    // Those against real servers run with `npm run test:live`.
    exclude: [...configDefaults.exclude, "test/live/**"],
    testTimeout: 30_000,
  },
});
