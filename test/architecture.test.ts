// @run quick

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** What a folder's files may import: other folders of ours, and packages. `node:*` and the like stand for all of them. */
interface Layer {
  readonly folder: string;
  readonly ours: readonly string[];
  readonly packages: readonly string[];
}

/** The table of DESIGN §3. The first row whose folder holds a file is the file's. */
const LAYERS: readonly Layer[] = [
  { folder: "provider/core", ours: [], packages: ["zod", "node:crypto", "node:util"] },
  { folder: "provider/resources", ours: ["provider/core"], packages: ["zod"] },
  // A function that reads a record has the rows of its resource.
  { folder: "provider/functions", ours: ["provider/core", "provider/resources"], packages: ["zod"] },
  { folder: "provider/dialects", ours: ["provider/core"], packages: [] },
  { folder: "provider/http", ours: ["provider/core"], packages: ["undici", "node:*"] },
  {
    folder: "provider/auth",
    ours: ["provider/core", "provider/http"],
    packages: ["zod", "jose", "aws4fetch", "@aws-sdk/credential-provider-node", "node:*"],
  },
  {
    folder: "provider/engine",
    ours: ["provider/core", "provider/dialects", "provider/http", "provider/auth"],
    packages: ["zod", "node:*"],
  },
  {
    folder: "provider/hosts/dynamic",
    ours: ["provider/core", "provider/engine", "provider/resources/index", "provider/functions/index"],
    packages: ["@pulumi/pulumi"],
  },
  {
    folder: "provider/hosts/plugin",
    ours: ["provider/core", "provider/engine", "provider/resources/index", "provider/functions/index"],
    packages: ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf", "node:*"],
  },
  {
    folder: "provider/hosts/terraform",
    ours: ["provider/core", "provider/engine", "provider/resources/index", "provider/functions/index"],
    packages: ["@pulumi/pulumi", "@grpc/grpc-js", "@msgpack/msgpack", "node:*"],
  },
  {
    folder: "schema",
    // The page of coverage is made of the tests' own table, and the policies of the pages of what a dialect needs.
    ours: [
      ...["provider/core", "provider/dialects", "provider/resources", "provider/functions", "test/coverage"],
      "cli/commands/options/commands",
      "cli/facts/lint",
      "cli/views/lint",
    ],
    packages: ["typescript", "typescript-json-schema", "node:*"],
  },
  // The native classes look whether the project names the plugin.
  { folder: "sdk", ours: [], packages: ["@pulumi/pulumi", "trustplane/dynamic/*", "node:*"] },
  // The imitated cloud stands outside the secrets server: it knows nothing of the engine that asks it.
  { folder: "server/cloud", ours: ["server/data"], packages: ["node:*"] },
  { folder: "server", ours: [], packages: ["hono", "jose", "zod", "node:*"] },
  // From a source to a stack, to facts, to a view: a command puts them together. What makes the schema is not in the package.
  { folder: "cli/text", ours: ["provider"], packages: [] },
  { folder: "cli/io", ours: ["provider", "cli/text"], packages: ["node:*"] },
  { folder: "cli/stack", ours: ["provider", "cli/text", "cli/io/package-manifest"], packages: ["*"] },
  { folder: "cli/sources", ours: ["provider", "cli/text", "cli/io", "cli/stack"], packages: ["*"] },
  { folder: "cli/facts", ours: ["provider", "server", "cli/text", "cli/stack"], packages: ["*"] },
  { folder: "cli/views", ours: ["provider", "cli/text", "cli/io", "cli/stack", "cli/facts"], packages: ["*"] },
  { folder: "cli", ours: ["provider", "server"], packages: ["*"] },
];

/** Folders of which one must not know another: families of resources, hosts, and commands. */
const STRANGERS = ["provider/resources", "provider/hosts", "provider/functions", "cli/commands"];
/** Flags that several commands have. */
const KNOWN_TO_ALL = "cli/commands/options";

/** Names that say nothing. `index` is the edge of a package, and the list of what lies beside it. */
const EMPTY_NAMES = ["util", "utils", "helper", "helpers", "common", "misc", "shared", "types"];
const INDEXES = ["provider/resources", "provider/functions", "provider/dialects", "sdk"];

const root = join(__dirname, "..");
const committed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const isCode = (file: string) => /\.[cm]?tsx?$/.test(file);
const isGenerated = (file: string) => /\bgenerated\b/i.test(textOf(file).split("\n").slice(0, 3).join());
const isWithin = (file: string, folder: string) => `${file}/`.startsWith(`${folder}/`);
const code = committed.filter(isCode);
const layerOf = (file: string) => LAYERS.find(({ folder }) => isWithin(file, folder));
const layered = code.filter((file) => layerOf(file) !== undefined);

/** What a file imports: `ours` as paths from the root without ending, packages as written. */
function importsOf(file: string): { ours: string[]; packages: string[] } {
  const found = ts.preProcessFile(textOf(file), true, true).importedFiles.map(({ fileName }) => fileName);
  const relative = found.filter((name) => name.startsWith("."));
  return {
    ours: relative.map((name) => posix.join(dirname(file), name).replace(/\.[cm]?[jt]s$/, "")).map(withIndex),
    packages: found.filter((name) => !name.startsWith(".")),
  };
}

/** `provider/resources` is what `provider/resources/index` exports. */
function withIndex(path: string): string {
  return existsSync(join(root, path, "index.ts")) ? `${path}/index` : path;
}

function isAllowed(name: string, allowed: readonly string[]): boolean {
  return allowed.some((each) =>
    each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : name === each || name.startsWith(`${each}/`),
  );
}

describe("imports", () => {
  it("are looked at in every folder that the table names and that has code", () => {
    const inProvider = ["core", "resources", "functions", "engine"].map((folder) => `provider/${folder}`);
    const folders = [...inProvider, "sdk", "schema", "server", "cli"];
    for (const folder of folders) expect(layered.some((file) => isWithin(file, folder))).toBe(true);
    const homeless = code.filter((file) => /^(provider|sdk|schema|server|cli)\//.test(file) && !layerOf(file));
    expect(homeless).toEqual([]);
  });

  it.each(LAYERS)("of $folder are of our folders $ours", ({ folder, ours }) => {
    const wrong = layered
      .filter((file) => layerOf(file)?.folder === folder)
      .flatMap((file) => importsOf(file).ours.map((path) => [file, path] as const))
      .filter(([, path]) => !isWithin(path, folder) && !isAllowed(path, ours));
    expect(wrong).toEqual([]);
  });

  it.each(LAYERS)("of $folder are of the packages $packages", ({ folder, packages }) => {
    const wrong = layered
      .filter((file) => layerOf(file)?.folder === folder)
      .flatMap((file) => importsOf(file).packages.map((name) => [file, name] as const))
      .filter(([, name]) => !isAllowed(name, packages));
    expect(wrong).toEqual([]);
  });

  it.each(STRANGERS)("of one folder in %s are not of another", (parent) => {
    const folderIn = (path: string) => path.slice(parent.length + 1).split("/")[0];
    const inFolders = (path: string) => isWithin(path, parent) && path.slice(parent.length + 1).includes("/");
    const wrong = code
      .filter(inFolders)
      .flatMap((file) => importsOf(file).ours.map((path) => [file, path] as const))
      .filter(([, path]) => isWithin(path, parent) && !isWithin(path, KNOWN_TO_ALL))
      .filter(([file, path]) => folderIn(path) !== folderIn(file));
    expect(wrong).toEqual([]);
  });
});

describe("files", () => {
  it.each(["provider", "cli", "schema", "sdk", "server"])(
    "of %s import each other in one direction, types too",
    (folder) => {
      const stem = (file: string) => file.replace(/\.[cm]?tsx?$/, "");
      const files = code.filter((file) => isWithin(file, folder));
      const imports = new Map(files.map((file) => [stem(file), importsOf(file).ours]));
      const leaves = () => [...imports].filter(([, ours]) => !ours.some((path) => imports.has(path)));
      // What imports none of the others is in no circle; what is left in the end is in one, or imports one.
      for (let found = leaves(); found.length > 0; found = leaves()) for (const [file] of found) imports.delete(file);
      expect([...imports.keys()]).toEqual([]);
      expect(files.length).toBeGreaterThan(10);
    },
  );
});

describe("a file", () => {
  it("that is written by hand has at most 300 lines", () => {
    const linesOf = (file: string) => textOf(file).trimEnd().split("\n").length;
    const long = code.filter((file) => !isGenerated(file) && linesOf(file) > 300);
    expect(long.map((file) => `${file}: ${linesOf(file)}`)).toEqual([]);
  });

  it("has a name in kebab-case", () => {
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|case|config|d))?\.[cm]?tsx?$/;
    expect(code.filter((file) => !kebab.test(basename(file)) && !isGenerated(file))).toEqual([]);
  });

  it("has a name that says something", () => {
    const stem = (part: string) => part.replace(/\..*$/, "");
    const empty = code.filter((file) => file.split("/").some((part) => EMPTY_NAMES.includes(stem(part))));
    // `test/types` holds the tests of types.
    expect(empty.filter((file) => !isWithin(file, "test/types"))).toEqual([]);
    const sources = code.filter((file) => layerOf(file) && !isGenerated(file) && stem(basename(file)) === "index");
    expect(sources.filter((file) => !INDEXES.includes(dirname(file)))).toEqual([]);
  });

  it("names no package registry and no machine", () => {
    // In two pieces, so that this file does not name one itself.
    const registry = new RegExp(`https?://[^\\s"'\`]*(regis${"try"}|npm${"js"}|arti${"factory"}|pypi)`);
    const machine = new RegExp(
      `(^|[\\s"'\`(=:])/(ro${"ot"}|ho${"me"}/[a-z]+|Us${"ers"}|wo${"rk"}/(main|shared))/`,
      "m",
    );
    const binary = /\.(png|ico|gz|tgz)$/;
    const naming = committed.filter(
      (file) => !binary.test(file) && (registry.test(textOf(file)) || machine.test(textOf(file))),
    );
    expect(naming).toEqual([]);
  });
});

it.each(["resources", "functions"])("each of the %s has its documentation beside it", (kind) => {
  const tables = importsOf(`provider/${kind}/index.ts`).ours.filter((path) => isWithin(path, `provider/${kind}`));
  expect(tables.length).toBeGreaterThanOrEqual(10);
  expect(tables.filter((path) => !existsSync(join(root, `${path}.md`)))).toEqual([]);
});

it("reviews fold what is generated, and nothing that a person writes", () => {
  const written = committed.filter((file) =>
    /^(docs|provider|schema|server|cli)\/.*\.(ts|md)$|^sdk\/.*\.ts$/.test(file),
  );
  const attributes = execFileSync("git", ["check-attr", "-z", "--stdin", "linguist-generated"], {
    cwd: root,
    encoding: "utf8",
    input: written.join("\0"),
  }).split("\0");
  // Git answers with three texts a file: its path, the attribute, the value.
  const folded = written.filter((_, at) => attributes[3 * at + 2] === "set");
  const generated = written.filter((file) => /^(\/\/|<!--) Generated by schema\//.test(textOf(file)));
  expect(folded).toEqual(generated);
});
