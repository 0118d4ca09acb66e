// @ts-check
// Loaded with --require before a measured program: writes its highest resident memory, in KiB, to the file named by PEAK_MEMORY_FILE.
const { writeFileSync } = require("node:fs");

process.once("exit", () => {
  const file = process.env["PEAK_MEMORY_FILE"];
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS));
});
