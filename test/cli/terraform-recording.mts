import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fittedJson } from "../wire/fitted-json.mts";

export const terraformRecordings = join(import.meta.dirname, "../fixtures/terraform");

/** One recorded plan is whole, so that tests see that its program is not looked at. The others have what the command reads. */
const WHOLE = "change.json";
const UNREAD = ["planned_values", "resource_drift", "configuration", "relevant_attributes"];

/** What Terraform printed, as it is kept. */
export function terraformRecordingText(file: string, text: string): string {
  const members = Object.entries(JSON.parse(text));
  if (file === WHOLE) return fittedJson(Object.fromEntries(members));
  return fittedJson(Object.fromEntries(members.filter(([name]) => !UNREAD.includes(name))));
}

/** Writes each recording as it is kept: `npm run record -- --format`. */
export function formatTerraformRecordings(): void {
  for (const name of recordedFiles()) {
    const file = join(terraformRecordings, name);
    writeFileSync(file, terraformRecordingText(name, readFileSync(file, "utf8")));
  }
}

/** Not those of `test/replay`, which writes its own. */
export function recordedFiles(): readonly string[] {
  return readdirSync(terraformRecordings).filter((name) => name !== "recorded-states.json");
}
