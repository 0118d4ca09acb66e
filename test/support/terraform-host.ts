import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../provider/engine/engine.ts";
import { NO_UNMANAGED } from "../../provider/engine/foreseen-unmanaged.ts";
import { functions } from "../../provider/functions/index.ts";
import type { Host } from "../../provider/hosts/terraform/call.ts";
import { createLeases } from "../../provider/hosts/terraform/leases.ts";
import { createPlanEffects } from "../../provider/hosts/terraform/plan-effects.ts";
import { type PackageSchema, tablesOf } from "../../provider/hosts/terraform/table.ts";
import { definitions } from "../../provider/resources/index.ts";

const schema = JSON.parse(readFileSync(join(__dirname, "../../schema/schema.json"), "utf8")) as PackageSchema;

/** What the host makes of every table. */
export const terraformTables = tablesOf(Object.values(definitions), schema, Object.values(functions));

/** Of a resource that is alone, on a server that nobody knows. */
const ALONE: Partial<Engine> = {
  records: () => [],
  unmanaged: async () => NO_UNMANAGED,
  server: async () => undefined,
  foresee: async () => {},
  holds: () => {},
};

/** A host whose engine answers what a test says. Nothing else of it may be asked for. */
export function hostWith(engine: Partial<Engine>, { keepsSecrets = false } = {}): Host {
  return {
    tables: terraformTables,
    session: {
      configure: () => undefined,
      refuse: () => undefined,
      isReady: () => true,
      isDestroying: () => false,
      // A test that asks for more fails.
      engine: () => ({ ...ALONE, ...engine }) as Engine,
      within: (work) => work({}),
      inTurn: (_turns, work) => work(),
      listening: async (work) => ({ answer: await work(), warnings: [] }),
      leftovers: new Map(),
      keepsSecrets,
      declarer: { by: "terraform" },
      effects: createPlanEffects(),
      leases: createLeases(),
      stop: () => undefined,
      end: async () => undefined,
    },
  };
}
