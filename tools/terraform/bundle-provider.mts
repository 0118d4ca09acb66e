import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bundles/bundle.mts";
import { repository } from "../steps/repository.mjs";

/** The provider in one script, and the licences of all that is in it. */
export interface ProviderBundle {
  readonly script: string;
  readonly licences: string;
}

const here = join(repository, "tools/terraform");

export async function bundleProvider(): Promise<ProviderBundle> {
  const schema = JSON.stringify(JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")));
  const { scripts, licences } = await bundle({
    input: { provider: join(here, "bundled-provider.ts") },
    isOneFile: true,
    plugins: [
      {
        name: "trustplane",
        resolveId: (path) => (path === "./libraries" ? join(here, "bundled-libraries.ts") : null),
        load: (path) =>
          path.endsWith("bundled-schema.ts") ? `export const schema = ${JSON.stringify(schema)};` : null,
      },
    ],
  });
  return { script: scripts["provider.js"] ?? "", licences };
}
