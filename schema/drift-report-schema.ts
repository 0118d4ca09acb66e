import { join } from "node:path";
import * as typescriptJsonSchema from "typescript-json-schema";

/** The JSON schema of what `trustplane drift --json` prints, from the type that it is written as. */
export function driftReportSchema(repository: string): string {
  const file = join(repository, "cli", "drift", "report.ts");
  const program = typescriptJsonSchema.getProgramFromFiles([file], { strict: true }, repository);
  const schema = typescriptJsonSchema.generateSchema(program, "DriftReport", { required: true, noExtraProps: true });
  if (schema === null) throw new Error(`no schema can be made of DriftReport in ${file}`);
  return JSON.stringify({ ...schema, title: "Report of trustplane drift" }, undefined, 2);
}
