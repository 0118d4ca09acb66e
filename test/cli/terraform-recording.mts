import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fittedJson } from "../wire/fitted-json.mts";

export const terraformRecordings = join(import.meta.dirname, "../fixtures/terraform");

/** One recorded plan is whole, so that tests see that its program is not looked at. The others have what the command reads. */
const WHOLE = "change.json";
const UNREAD = ["planned_values", "configuration", "relevant_attributes"];

/** What Terraform printed, as it is kept. */
export function terraformRecordingText(file: string, text: string): string {
  const content: object = JSON.parse(text);
  const members = Object.entries(content);
  if (file === WHOLE) return fittedJson(Object.fromEntries(members));
  // A plan without changes is known by what it plans.
  const unread = "resource_changes" in content ? UNREAD : UNREAD.filter((name) => name !== "planned_values");
  return fittedJson(Object.fromEntries(members.filter(([name]) => !unread.includes(name))));
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
