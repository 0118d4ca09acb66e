import { join } from "node:path";
import * as typescriptJsonSchema from "typescript-json-schema";

/** The type of what each command prints for programs. */
const REPORTS = { drift: "DriftReport", doctor: "DoctorReport" } as const;

/** The JSON schemas of what commands print with `--json`, by file. */
export function reportSchemas(repository: string): Record<string, string> {
  const commands = Object.keys(REPORTS) as (keyof typeof REPORTS)[];
  const files = commands.map((command) => join(repository, "cli", command, "report.ts"));
  const program = typescriptJsonSchema.getProgramFromFiles(files, { strict: true }, repository);
  return Object.fromEntries(
    commands.map((command) => {
      const options = { required: true, noExtraProps: true };
      const schema = typescriptJsonSchema.generateSchema(program, REPORTS[command], options);
      if (schema === null) throw new Error(`no schema can be made of ${REPORTS[command]}`);
      const text = JSON.stringify({ ...schema, title: `Report of trustplane ${command}` }, undefined, 2);
      return [`docs/${command}-report.schema.json`, `${text}\n`];
    }),
  );
}
