import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import { bundle } from "../bundles/bundle.mts";
import { repository } from "../steps/repository.mjs";

/** The provider in one script, and the licences of all that is in it. */
export interface ProviderBundle {
  readonly script: string;
  readonly licences: string;
}

const here = join(repository, "tools/terraform");

export async function bundleProvider(): Promise<ProviderBundle> {
  const schema = JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8"));
  const message = (await schemaWriter())(schema).toString("base64");
  const { script, licences } = await bundled("bundled-provider.ts", { json: JSON.stringify(schema), message });
  return { script, licences };
}

/** The function of `schema-message.ts`, which can be loaded by its bundle only: it is written as the package's sources are. */
async function schemaWriter(): Promise<(schema: object) => Buffer> {
  const { script } = await bundled("schema-message.ts");
  const exported: { schemaMessage?: (schema: object) => Buffer } = {};
  compileFunction(script, ["exports", "require"])(exported, createRequire(import.meta.url));
  if (exported.schemaMessage) return exported.schemaMessage;
  throw new Error("the bundle of schema-message.ts exports no schemaMessage");
}

async function bundled(file: string, schema: object = {}) {
  const { scripts, licences } = await bundle({
    input: { entry: join(here, file) },
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
  return { script: scripts["entry.js"] ?? "", licences };
}
