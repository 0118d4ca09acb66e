import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { withNodeHosts } from "../../tools/pulumi/bin-folder.mjs";
import { buildPulumiCli } from "../../tools/pulumi/build-pulumi-cli.mjs";
import { isUsableVersion, pinnedVersion } from "../../tools/pulumi/cli-version.mjs";
import { ensurePulumiCli, existingPulumiCli } from "../../tools/pulumi/ensure-pulumi-cli.mjs";
import { findPulumiCli } from "../../tools/pulumi/find-pulumi-cli.mjs";
import { createProgress } from "../../tools/steps/progress.mjs";
import { writeGo, writeScript } from "../support/fake-program.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trustplane-cli-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fakePulumi = (path: string, version: string) => writeScript(path, `echo v${version}`);
const system = "/usr/bin:/bin";
const environment = () => ({
  PATH: `${join(folder, "bin")}:${system}`,
  PULUMI_HOME: join(folder, "home"),
  HOME: folder,
});
const onPath = () => join(folder, "bin", "pulumi");
const inVersions = () => join(folder, "home", "versions", pinnedVersion, "bin", "pulumi");

describe("the version of a CLI that is found", () => {
  it.each([
    ["3.250.0", true],
    ["v3.250.1", true],
    ["3.300.0", true],
    ["3.251.0-alpha.x1234", true],
    ["3.249.9", false],
    ["2.999.0", false],
    ["4.0.0", false],
    ["", false],
    ["unknown", false],
  ])("%s: usable is %s", (version, expected) => {
    expect(isUsableVersion(version)).toBe(expected);
  });
});

describe("looking for the CLI", () => {
  it("takes the one on PATH before the one of the versions folder", () => {
    fakePulumi(onPath(), "3.260.0");
    fakePulumi(inVersions(), pinnedVersion);
    expect(findPulumiCli(environment()).found).toEqual({ command: onPath(), version: "3.260.0" });
  });

  it("passes over one that is too old, and says so", () => {
    fakePulumi(onPath(), "3.100.0");
    fakePulumi(inVersions(), pinnedVersion);
    const { found, tried } = findPulumiCli(environment());
    expect(found?.command).toBe(inVersions());
    expect(tried).toEqual([`${onPath()}: is 3.100.0; 3.250.0 or newer (and 3.x) is needed`]);
  });

  it("passes over one that does not run", () => {
    writeScript(onPath(), "exit 1");
    expect(findPulumiCli(environment()).tried[0]).toBe(`${onPath()}: does not run`);
  });

  it("uses ~/.pulumi without PULUMI_HOME", () => {
    const command = fakePulumi(join(folder, ".pulumi", "versions", pinnedVersion, "bin", "pulumi"), pinnedVersion);
    const { HOME, PATH } = environment();
    expect(findPulumiCli({ HOME, PATH }).found?.command).toBe(command);
  });

  it("says where it looked when there is none", () => {
    expect(findPulumiCli(environment())).toEqual({
      tried: ["PATH: there is no pulumi", `${inVersions()}: does not exist`],
    });
  });

  it("takes TRUSTPLANE_PULUMI as it is, and refuses it when it does not run", () => {
    const chosen = fakePulumi(join(folder, "mine", "pulumi"), "3.1.0");
    writeScript(join(folder, "mine", "pulumi-language-nodejs"), "exit 0");
    expect(existingPulumiCli({ ...environment(), TRUSTPLANE_PULUMI: chosen }).command).toBe(chosen);
    expect(() => existingPulumiCli({ ...environment(), TRUSTPLANE_PULUMI: join(folder, "none") })).toThrow(
      "does not run",
    );
  });
});

describe("the hosts beside the CLI", () => {
  const prepare = (command: string) =>
    withNodeHosts({ command, version: "3.250.0" }, environment(), { cache: join(folder, "cache") });

  it("a released CLI, which brings its language host, is used where it is", () => {
    const command = fakePulumi(onPath(), pinnedVersion);
    writeScript(join(folder, "bin", "pulumi-language-nodejs"), "exit 0");
    expect(prepare(command)).toBe(command);
    expect(existsSync(join(folder, "cache"))).toBe(false);
  });

  it("a CLI without one is linked into a folder of the project, with both hosts beside it", () => {
    const command = fakePulumi(inVersions(), pinnedVersion);
    const ours = prepare(command);
    expect(statSync(ours).ino).toBe(statSync(command).ino);
    expect(readdirSync(dirname(ours)).sort()).toEqual([
      "pulumi",
      "pulumi-language-nodejs",
      "pulumi-resource-pulumi-nodejs",
    ]);
    expect(readFileSync(join(dirname(ours), "pulumi-language-nodejs"), "utf8")).toContain(`exec '${process.execPath}'`);
    expect(readdirSync(dirname(command))).toEqual(["pulumi"]);
  });

  it("follows when the CLI is built again", () => {
    const command = fakePulumi(inVersions(), pinnedVersion);
    prepare(command);
    rmSync(command);
    fakePulumi(command, "3.250.0 # another build");
    expect(statSync(prepare(command)).ino).toBe(statSync(command).ino);
  });
});

const fakeGo = (body: string, version?: string) => writeGo(join(folder, "bin"), body, version);
const goThatBuilds = (version: string) => `printf '#!/bin/sh\\necho v${version}\\n' > "$7"; chmod +x "$7"`;

describe("downloading the CLI", () => {
  it("asks the proxy of the environment, and builds the CLI when that cannot reach the installer", async () => {
    const asked: string[] = [];
    const proxy = createServer().on("connect", (request, socket) => {
      asked.push(String(request.url));
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    proxy.listen(0, "127.0.0.1");
    onTestFinished(() => void proxy.close());
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    fakeGo(goThatBuilds(pinnedVersion));
    // Without it, the built CLI would get hosts beside it in the folder of the repository.
    writeScript(join(folder, "bin", "pulumi-language-nodejs"), "exit 0");

    const command = await ensurePulumiCli({
      progress: createProgress({ stream: { write: () => true }, live: false }),
      env: { ...environment(), HTTPS_PROXY: `http://127.0.0.1:${port}` },
    });

    expect(asked).toEqual(["get.pulumi.com:443"]);
    expect(command).toBe(inVersions());
  });
});

describe("building the CLI", () => {
  const build = () => buildPulumiCli({ env: environment() });

  it("puts the binary into the versions folder, and nothing else", async () => {
    fakeGo(goThatBuilds(pinnedVersion));
    expect(await build()).toBe(inVersions());
    expect(readdirSync(dirname(inVersions()))).toEqual(["pulumi"]);
  });

  it("two builds at the same time end with one whole binary", async () => {
    fakeGo(`sleep 0.1; ${goThatBuilds(pinnedVersion)}`);
    await Promise.all([build(), build()]);
    expect(readdirSync(dirname(inVersions()))).toEqual(["pulumi"]);
    expect(findPulumiCli(environment()).found?.command).toBe(inVersions());
  });

  it("an old Go is refused before it builds", async () => {
    fakeGo(goThatBuilds(pinnedVersion), "go1.25.9");
    await expect(build()).rejects.toThrow("is go1.25.9; go1.26 or newer is needed");
  });

  it("a build that fails half-way leaves nothing", async () => {
    fakeGo(`echo half > "$7"; echo 'no space left' >&2; exit 1`);
    await expect(build()).rejects.toMatchObject({ lastLines: ["no space left"] });
    expect(readdirSync(dirname(inVersions()))).toEqual([]);
  });

  it("a binary that does not say the right version is not used", async () => {
    fakeGo(goThatBuilds("3.249.0"));
    await expect(build()).rejects.toThrow('says that it is "3.249.0"');
    expect(readdirSync(dirname(inVersions()))).toEqual([]);
  });
});
