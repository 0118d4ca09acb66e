import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    // The package's own name leads to `dist/`, which tests must not depend on.
    alias: [
      { find: /^trustplane$/, replacement: join(import.meta.dirname, "sdk/index.ts") },
      {
        find: /^trustplane\/dynamic\/(.*)$/,
        replacement: join(import.meta.dirname, "provider/hosts/dynamic/modules/$1.ts"),
      },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
  },
});
