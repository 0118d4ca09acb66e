import { join } from "node:path";
import * as typescriptJsonSchema from "typescript-json-schema";

/** What programs and editors read and write: the type, where it is declared, and the file of its schema. */
const SCHEMAS = [
  {
    type: "DriftReport",
    from: "cli/facts/drift/report.ts",
    to: "docs/drift-report.schema.json",
    title: "Report of trustplane drift",
  },
  {
    type: "DoctorReport",
    from: "cli/commands/doctor/report.ts",
    to: "docs/doctor-report.schema.json",
    title: "Report of trustplane doctor",
  },
  {
    type: "TrustReport",
    from: "cli/facts/trust/report.ts",
    to: "docs/trust-report.schema.json",
    title: "Report of trustplane test",
  },
  {
    type: "TrustTests",
    from: "cli/facts/trust/trust-tests.ts",
    to: "docs/trust-tests.schema.json",
    title: "Tests for trustplane test",
  },
  {
    type: "TrustMap",
    from: "cli/facts/map/trust-map.ts",
    to: "docs/trust-map.schema.json",
    title: "Map of trustplane map",
  },
] as const;

/** The JSON schemas of what commands print with `--json`, and of what they take, by file. */
export function reportSchemas(repository: string): Record<string, string> {
  const files = SCHEMAS.map(({ from }) => join(repository, from));
  const program = typescriptJsonSchema.getProgramFromFiles(files, { strict: true }, repository);
  return Object.fromEntries(
    SCHEMAS.map(({ type, to, title }) => {
      const schema = typescriptJsonSchema.generateSchema(program, type, { required: true, noExtraProps: true });
      if (schema === null) throw new Error(`no schema can be made of ${type}`);
      return [to, `${JSON.stringify({ ...schema, title }, undefined, 2)}\n`];
    }),
  );
}
