import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordedFiles, terraformRecordings, terraformRecordingText } from "./terraform-recording.mts";

it.each(recordedFiles())("%s is kept as `npm run record -- --format` writes it", (name) => {
  const text = readFileSync(join(terraformRecordings, name), "utf8");
  expect(terraformRecordingText(name, text)).toBe(text);
});
