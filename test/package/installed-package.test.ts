import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPackedPackage } from "../../tools/pulumi/packed-package.mts";
import { repository } from "../../tools/steps/repository.mjs";
import { runNpm } from "../../tools/steps/run-npm.mjs";

/** A program folder into which the packed package was installed, as users have it. */
describe("the installed package", { timeout: 120_000 }, () => {
  let folder: string;
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });
  /** What the compiler complains about. */
  const complaintsAbout = (files: readonly string[], options: object = {}) => {
    write("tsconfig.json", JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files }));
    return node(join(repository, "node_modules/typescript/bin/tsc"), "--pretty", "false").then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "trustplane-installed-"));
    write("package.json", JSON.stringify({ name: "program", private: true, dependencies: { trustplane: "*" } }));
    write("esm/package.json", JSON.stringify({ type: "module" }));
    await installPackedPackage(folder);
    // An example of the pages is a test of vitest, which is no dependency of the package.
    symlinkSync(join(repository, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  }, packingMs);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("type-checks in a CommonJS and in an ESM program, its own declarations included", async () => {
    write("program.ts", rightProgram);
    write("esm/program.ts", rightProgram);

    expect(await complaintsAbout(["program.ts", "esm/program.ts"], { skipLibCheck: false })).toBe("");
  });

  test("type-checks in a program with the module resolution of old, as Pulumi's templates have it", async () => {
    write("program.ts", rightProgram);
    write("native.ts", rightProgram.replaceAll(`from "trustplane"`, `from "trustplane/native"`));
    const options = { module: "commonjs", moduleResolution: "node10", skipLibCheck: false };

    expect(await complaintsAbout(["program.ts", "native.ts"], options)).toBe("");
  });

  test("refuses a wrong name, a wrong type and a missing property at compile time", async () => {
    write("esm/wrong.ts", wrongProgram);

    const complaints = await complaintsAbout(["esm/wrong.ts"]);

    expect(complaints).toMatch(/wrong\.ts\(2,\d+\): error TS2345: .*\n +Property 'userClaim' is missing/);
    expect(complaints).toMatch(/wrong\.ts\(3,\d+\): error .*'nme' does not exist/);
    expect(complaints).toMatch(/wrong\.ts\(4,\d+\): error .*Type '"saml"' is not assignable/);
    expect(complaints).toMatch(/wrong\.ts\(5,\d+\): error .*Type 'true' is not assignable/);
  });

  test("offers the same modules and classes to require and to import", async () => {
    // What Node adds to the import of a CommonJS module is left out.
    const shown =
      "Object.fromEntries(Object.keys(t).filter((n) => /^[a-z]+$/.test(n) && n !== 'default').map((n) => [n, Object.keys(t[n]).sort()]))";
    write("names.cjs", `const t = require("trustplane"); console.log(JSON.stringify(${shown}));`);
    write("names.mjs", `import * as t from "trustplane"; console.log(JSON.stringify(${shown}));`);

    const [required, imported] = await Promise.all([node("names.cjs"), node("names.mjs")]);

    expect(JSON.parse(required.stdout)).toMatchObject(classes);
    expect(JSON.parse(imported.stdout)).toEqual(JSON.parse(required.stdout));
  });

  test("compiles every TypeScript block of README, tutorial, reviews and guides, as CommonJS and as ESM", async () => {
    const installed = join(folder, "node_modules/trustplane");
    const guides = readdirSync(join(installed, "docs/guides")).filter((name) => name !== "index.md");
    const pages = [
      "README.md",
      "docs/index.md",
      "docs/pull-requests.md",
      "docs/trust-tests.md",
      ...guides.map((name) => `docs/guides/${name}`),
    ];
    const files = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), "utf8");
      const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
      expect(blocks, page).not.toEqual([]);
      return blocks.flatMap((code, index) => {
        const paths = [`${page}.${index}.ts`, `esm/${page}.${index}.ts`];
        for (const path of paths) write(path, code);
        return paths;
      });
    });

    expect(await complaintsAbout(files)).toBe("");
  });

  test("runs trust tests for a program, and refuses tests of another form at compile time", async () => {
    write("trust-tests.ts", trustTests);
    write("esm/trust-tests.ts", trustTests);
    write("old/trust-tests.ts", trustTests);
    write("esm/wrong-tests.ts", trustTests.replace('"refused"', '"allowed"'));
    const old = { module: "commonjs", moduleResolution: "node10", skipLibCheck: false };

    expect(await complaintsAbout(["trust-tests.ts", "esm/trust-tests.ts"], { skipLibCheck: false })).toBe("");
    expect(await complaintsAbout(["old/trust-tests.ts"], old)).toBe("");
    expect(await complaintsAbout(["esm/wrong-tests.ts"])).toMatch(
      /wrong-tests\.ts.*Type '"allowed"' is not assignable/,
    );
    // The login is not refused, so the test of it fails.
    const { stdout } = await node("--experimental-strip-types", "--no-warnings", "esm/trust-tests.ts");
    expect(JSON.parse(stdout)).toMatchObject({
      result: "failed",
      tests: [{ name: "a", problems: [expect.any(String)] }],
    });
  });

  test("says what a login by AWS needs, where AWS's own package is not installed", async () => {
    const keys = join(folder, "node_modules/trustplane/dist/provider/auth/aws-keys.js");
    write("keys.cjs", `require(${JSON.stringify(keys)}).awsKeys({}).catch(({ message }) => console.log(message));`);

    expect((await node("keys.cjs")).stdout).toContain("`npm install @aws-sdk/credential-provider-node`");
  });

  test("serves from npx", async () => {
    // What `npm install` does at its end: links for the commands of packages.
    await runNpm(["rebuild", "trustplane", "--ignore-scripts", "--offline"], { cwd: folder });
    const trustplane = async (...args: string[]) =>
      (await node(join(folder, "node_modules/.bin/trustplane"), ...args)).stdout;

    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    expect(await trustplane("--version")).toBe(`${version}\n`);
    expect(await trustplane("serve", "--help")).toMatch(/--json/);
  });
});

/** On a machine that is busy with others. */
const packingMs = 60_000;

const compilerOptions = {
  target: "es2023",
  lib: ["es2024"],
  module: "nodenext",
  moduleResolution: "nodenext",
  skipLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  types: ["node"],
};

const classes = {
  cloud: expect.arrayContaining(["LeaseConfig", "Role", "RootConfig", "RootRotation", "StaticRole"]),
  cluster: expect.arrayContaining(["PeeredClusters", "Peering", "PeeringToken"]),
  jwt: expect.arrayContaining(["Config", "Role"]),
  policy: expect.arrayContaining(["Parameter"]),
  sys: expect.arrayContaining(["AuthMount", "SecretsMount"]),
};

const rightProgram = `import * as pulumi from "@pulumi/pulumi";
import * as trustplane from "trustplane";
import { jwt } from "trustplane";

const mount = new trustplane.sys.AuthMount("jobs", { path: "jobs", type: "jwt" });
const role: jwt.Role = new jwt.Role("ci", {
  mount: mount.path,
  name: "ci",
  roleType: "jwt",
  userClaim: "sub",
  boundClaims: { project: ["a", pulumi.output("b")] },
  tokenTtl: pulumi.output("15m"),
}, { dependsOn: mount });
export const ttl: pulumi.Output<string | number | undefined> = role.tokenTtl;
export const found = jwt.Role.get("found", role.id);
new trustplane.cloud.Role("reader", { name: "reader", credentialType: "iam_user", policyDocument: { Version: "2012-10-17" } });
`;

const trustTests = `import { runTrustTests, type TrustReport, type TrustTests } from "trustplane/trust-tests";

const urn = "urn:pulumi:dev::story::trustplane:jwt/role:Role::a";
const inputs = { mount: "jobs", name: "a", roleType: "jwt", userClaim: "sub", boundAudiences: ["v"] };
const preview = JSON.stringify({ steps: [{ op: "create", urn, newState: { inputs } }] });
const tests: TrustTests = {
  tests: [{ name: "a", login: { mount: "jobs", role: "a", claims: { sub: "x" } }, expect: "refused" }],
};
runTrustTests(preview, tests).then((report: TrustReport) => console.log(JSON.stringify(report)));
`;

const wrongProgram = `import { jwt } from "trustplane";
new jwt.Role("a", { name: "a" });
new jwt.Role("b", { nme: "b", name: "b", userClaim: "sub" });
new jwt.Role("c", { name: "c", userClaim: "sub", roleType: "saml" });
new jwt.Role("d", { name: "d", userClaim: "sub", tokenTtl: true });
`;
