import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

type Files = Readonly<Record<string, string>>;

/** The files as Biome wants them, so that generated code passes the same check as any other. */
export function formatted(files: Files, repository: string): Files {
  const folder = mkdtempSync(join(tmpdir(), "trustplane-generate-"));
  const place = (path: string) => join(folder, path);
  try {
    copyFileSync(join(repository, "biome.json"), place("biome.json"));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(place(path)), { recursive: true });
      writeFileSync(place(path), content);
    }
    const biome = join(repository, "node_modules", "@biomejs", "biome", "bin", "biome");
    execFileSync(process.execPath, [biome, "format", "--write", "."], { cwd: folder, stdio: "pipe" });
    return Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(place(path), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
