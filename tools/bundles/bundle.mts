import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type InputOptions, rolldown } from "rolldown";

/** Scripts by name, and the licences of all that is in them. */
export interface Bundle {
  readonly scripts: Readonly<Record<string, string>>;
  readonly licences: string;
}

/**
 * The entries, and what they have in common, as CommonJS modules in ASCII: V8 reads a text of one byte a character fastest.
 * @param options.isOneFile puts what is loaded later into the file of its entry as well
 */
export async function bundle({
  isOneFile = false,
  ...options
}: InputOptions & { readonly isOneFile?: boolean }): Promise<Bundle> {
  const made = await rolldown({ platform: "node", ...options });
  const { output } = await made.generate({
    format: "cjs",
    minify: true,
    comments: false,
    entryFileNames: "[name].js",
    ...(isOneFile ? { codeSplitting: false } : { chunkFileNames: "bundled/[name].js" }),
  });
  await made.close();
  const chunks = output.flatMap((each) => (each.type === "chunk" ? [each] : []));
  return {
    scripts: Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, ascii(code)])),
    licences: licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)),
  };
}

function ascii(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
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
