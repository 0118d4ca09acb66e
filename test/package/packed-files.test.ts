import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { packedPackage } from "../../tools/pulumi/packed-package.mts";
import { repository } from "../../tools/steps/repository.mjs";

describe("the packed tarball", { timeout: 60_000 }, () => {
  let folder: string;
  let files: string[];
  const text = (path: string) => readFileSync(join(folder, path), "utf8");

  beforeAll(async () => {
    folder = await packedPackage();
    files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  }, packingMs);

  test("holds what users need and nothing else", () => {
    expect(files.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test.each(needed)("holds %s", (path) => {
    expect(files).toContain(path);
  });

  test("has a command that says in one line that its output cannot be written", () => {
    const full = openSync("/dev/full", "w");
    const command = [join(folder, "dist/cli/trustplane.js"), "serve", "--help"];
    const { status, stderr } = spawnSync(process.execPath, command, {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(status).toBe(1);
    expect(stderr).toBe("trustplane: the output cannot be written: ENOSPC: no space left on device, write.\n");
  });

  test("has every file that its manifest names", () => {
    const { main, types, bin, exports } = JSON.parse(text("package.json"));
    const named: string[] = [main, types, ...Object.values(bin), ...Object.values(exports).flatMap(targetsOf)].map(
      String,
    );

    expect(named.length).toBeGreaterThan(5);
    for (const path of named) {
      const pattern = globPattern(path.replace(/^\.\//, ""));
      expect(files.filter((file) => pattern.test(file)).length, path).toBeGreaterThan(0);
    }
  });

  test("has everything that its pages link to, and no heavy pictures", () => {
    const pages = files.filter((path) => /\.md$/.test(path));
    const links = pages.flatMap((page) => linksIn(text(page)).map((link) => ({ page, link })));
    const missing = links.filter(({ page, link }) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : posix.join(posix.dirname(page), path);
      return !files.includes(target) || (anchor !== undefined && !anchorsIn(text(target)).includes(anchor));
    });

    expect(links.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
    const pictures = files.filter((path) => path.endsWith(".png"));
    expect(pictures.filter((path) => statSync(join(folder, path)).size > 150_000)).toEqual([]);
  });

  test("declares every package that its files import", () => {
    const { dependencies, peerDependencies } = JSON.parse(text("package.json"));
    const declared = { ...dependencies, ...peerDependencies };
    const imported = files.filter((path) => /\.(js|d\.ts)$/.test(path)).flatMap((path) => packagesIn(text(path)));

    expect(imported).toContain("@pulumi/pulumi");
    expect([...new Set(imported)].filter((name) => !(name in declared))).toEqual([]);
  });

  test("takes every Pulumi SDK from the oldest that is tested on, and brings none of its own", () => {
    const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(text("package.json"));
    const oldest = devDependencies["pulumi-sdk-oldest"].replace("npm:@pulumi/pulumi@", "");

    // What few logins need is installed by whoever needs it.
    const optional = { "@aws-sdk/credential-provider-node": "^3.972.0" };
    expect(peerDependencies).toEqual({ "@pulumi/pulumi": `>=${oldest} <4`, ...optional });
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(optional));
    // What the SDK depends on itself: a second copy of it would refuse the first one's messages.
    const ofSdk = ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"];
    expect(Object.keys(dependencies).filter((name) => ofSdk.includes(name))).toEqual([]);
  });

  test("keeps the embedded server and the provider apart, and the command line starts with node", () => {
    const crossing = files.filter(
      (path) => /^dist\/server\/.*\.js$/.test(path) && /require\("[./]*\/provider\//.test(text(path)),
    );

    expect(crossing).toEqual([]);
    expect(text("dist/cli/trustplane.js")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test("says nothing about the machine that it was built on", () => {
    expect(files.filter((path) => text(path).includes(repository))).toEqual([]);
  });
});

/** On a machine that is busy with others. */
const packingMs = 60_000;

const allowed = [
  /^bin\/pulumi-resource-trustplane(\.cmd)?$/,
  /^bin\/terraform-provider-trustplane$/,
  /^schema\/schema\.json$/,
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|action\.yml)$/,
  /^ci-templates\/[a-z-]+\.(sh|yml)$/,
  /^docs\/(?!internals\/)([a-z]+\/)?[a-z-]+\.md$/,
  /^docs\/((doctor|drift|trust)-report\.schema\.json|trust-(map|tests)\.schema\.json|pictures\/[a-z]+\.png)$/,
  /^dist\/(cli|provider|sdk|server)\/([a-z0-9-]+\/)*[A-Za-z0-9-]+\.(js|d\.ts)$/,
  /^dist\/terraform\/(provider\.js|LICENSE-libraries\.txt)$/,
  /^dist\/provider\/hosts\/LICENSE-libraries\.txt$/,
];

const needed = [
  "package.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "docs/doctor-report.schema.json",
  "docs/drift-report.schema.json",
  "docs/trust-map.schema.json",
  "docs/trust-report.schema.json",
  "docs/trust-tests.schema.json",
  "docs/index.md",
  "schema/schema.json",
  "dist/sdk/index.js",
  "dist/sdk/index.d.ts",
  "dist/cli/trustplane.js",
  "dist/sdk/native/index.js",
  ...["commands/test/tests-in-code", "facts/trust/report", "facts/trust/trust-tests"].map(
    (name) => `dist/cli/${name}.d.ts`,
  ),
  "bin/pulumi-resource-trustplane",
  "bin/pulumi-resource-trustplane.cmd",
  "bin/terraform-provider-trustplane",
  "dist/terraform/provider.js",
  "dist/terraform/LICENSE-libraries.txt",
  "action.yml",
  "ci-templates/gitlab-trustplane.yml",
  ...["drift", "job-environment", "preview"].map((name) => `ci-templates/${name}.sh`),
  "dist/provider/hosts/dynamic/modules/functions.js",
  ...Object.keys(definitions).map((name) => `dist/provider/hosts/dynamic/modules/${name}.js`),
];

/** Where a page leads within the package: links and pictures, code left out. */
function linksIn(page: string): string[] {
  const prose = page.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** The names that forges give to a page's headings. */
function anchorsIn(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

/** The files that an entry of `exports` leads to, under whatever conditions. */
function targetsOf(entry: unknown): unknown[] {
  return typeof entry === "object" && entry !== null ? Object.values(entry).flatMap(targetsOf) : [entry];
}

function globPattern(path: string): RegExp {
  return new RegExp(
    `^${path
      .split("*")
      .map((part) => part.replace(/[.]/g, "\\."))
      .join("[^/]+")}$`,
  );
}

/** The packages that a compiled file loads, or its declarations name; itself and Node's own modules left out. */
function packagesIn(code: string): string[] {
  const specifiers = [...code.matchAll(/(?:(?<![.\w])(?:require|import)\(|\bfrom |\bimport )"([^".][^"]*)"/g)];
  return specifiers
    .map(([, specifier = ""]) =>
      specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/"),
    )
    .filter((name) => !isBuiltin(name) && !name.startsWith("node:") && name !== "trustplane");
}
