import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { repository } from "../steps/repository.mjs";

/** The provider in one script, and the licences of all that is in it. */
export interface Bundle {
  readonly script: string;
  readonly licences: string;
}

const here = join(repository, "tools/terraform");

/** The provider for Terraform, with the package's schema inside. */
export function bundleProvider(): Promise<Bundle> {
  const schema = JSON.stringify(JSON.parse(readFileSync(join(repository, "schema/schema.json"), "utf8")));
  return bundleScript({
    input: join(here, "bundled-provider.ts"),
    replaced: { "./libraries": join(here, "bundled-libraries.ts") },
    load: (path) => (path.endsWith("bundled-schema.ts") ? `export const schema = ${JSON.stringify(schema)};` : null),
  });
}

interface ScriptOptions {
  readonly input: string;
  /** Modules that find their libraries in an installed package, and what a bundle has instead. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly load?: (path: string) => string | null;
}

/** The script is a CommonJS module, in ASCII: V8 reads a text of one byte a character fastest. */
export async function bundleScript({ input, replaced, load = () => null }: ScriptOptions): Promise<Bundle> {
  const bundle = await rolldown({
    input,
    platform: "node",
    plugins: [{ name: "trustplane", resolveId: (path) => replaced[path] ?? null, load }],
  });
  const { output } = await bundle.generate({ format: "cjs", minify: true, comments: false, codeSplitting: false });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const ascii = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { script: ascii, licences: licencesOf(moduleIds) };
}

function licencesOf(files: readonly string[]): string {
  const packages = new Set(files.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE"].find((each) => existsSync(join(folder, each)));
    const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder of the installed package that a file is of; undefined for our own. */
function packageFolder(file: string): string | undefined {
  const marker = `${join("/", "node_modules", "/")}`;
  const start = file.lastIndexOf(marker);
  if (start < 0) return undefined;
  let folder = dirname(file);
  while (!isPackage(folder) && folder.length > start + marker.length) folder = dirname(folder);
  return folder;
}

/** Some packages have a package.json without a name in their inner folders. */
function isPackage(folder: string): boolean {
  const file = join(folder, "package.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name !== undefined;
}
