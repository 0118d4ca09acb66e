import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.mts";

const contract = "test/contract/**/*.test.ts";

/** The contract suite against one kind of real servers. */
const against = (name: string, exclude: readonly string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [contract],
    exclude: [...configDefaults.exclude, ...exclude],
    env: { TRUSTPLANE_CONTRACT_SERVER: name },
  },
});

/** What `npm run test:live` runs. */
export default mergeConfig(
  { resolve: base.resolve ?? {}, test: { testTimeout: 60_000 } },
  defineConfig({
    test: {
      projects: [
        against("vault-1.21"),
        against("vault-1.19"),
        against("consul"),
        { extends: true, test: { name: "live", include: ["test/live/**/*.test.ts"] } },
      ],
    },
  }),
);
