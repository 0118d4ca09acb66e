// `npm run generate:sdks`: the SDKs that Pulumi's own generators write from schema/schema.json. It needs Go; what it writes is
// committed, so that nobody else does.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureLiveBinary } from "../live/ensure-live-binary.mts";
import { createProgress } from "../steps/progress.mjs";
import { repository } from "../steps/repository.mjs";
import { generatedSdk, type LanguageName, languages } from "./sdk-files.mts";

const program = await ensureLiveBinary("package-schema", { progress: createProgress() });
for (const language of Object.keys(languages) as LanguageName[]) {
  const files = await generatedSdk(program, language);
  rmSync(join(repository, languages[language]), { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  process.stdout.write(`wrote ${Object.keys(files).length} files of ${languages[language]}\n`);
}
