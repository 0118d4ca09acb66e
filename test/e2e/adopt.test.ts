import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { defaultPolicySet } from "../../server/serve.ts";
import { type KeptResource, pulumiState } from "../support/old-states.ts";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { adopted, openFurnished, rootKey, sensitive, writes } from "./adopt-harness.ts";
import { tracesIn } from "./needle.ts";
import { openingMs, type Story } from "./pulumi-story.ts";
import { runDrift, runProgram, runTrustplane } from "./run-drift.ts";

describe("trustplane adopt, and an import with the plugin", needsPulumi(), () => {
  let story: Story;

  beforeAll(async () => {
    story = await openFurnished();
    return story.close;
  }, openingMs);

  test("only reads, and writes no secret", async () => {
    writes(story);
    const { code, out, err } = await adopted(story);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/: 23 resources\. README\.md/);
    expect(writes(story)).toEqual([]);
    const folder = join(story.sandbox.folder, "story");
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(tracesIn(texts.join("\n"), { rootKey, sensitive })).toEqual([]);
  });

  test("compiles as its own tsconfig.json says", () => {
    const folder = story.sandbox.programFolder;
    const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
    const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
    const program = ts.createProgram(fileNames, options);
    expect(options.strict).toBe(true);
    expect(
      program.getSourceFiles().filter(({ fileName }) => !fileName.includes("node_modules")).length,
    ).toBeGreaterThan(3);
    const problems = ts.getPreEmitDiagnostics(program);
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });

  test("as its README says, to the letter: nothing is written, there is no drift, and destroy is refused", async () => {
    const before = JSON.stringify(story.ours.records());
    const commands = commandsIn(story, "Next commands");
    expect(commands.map((command) => command.split(" ")[0])).toEqual(["import", "preview", "up"]);
    const texts = [];
    for (const command of commands) texts.push((await story.pulumi(command)).text);
    expect(texts[1]).not.toContain("protect");
    expect(await runDrift(story, "--no-unmanaged")).toMatchObject({ code: 0 });
    // Of all updates that follow, none takes the protection away.
    await story.pulumi("up --yes --skip-preview");
    await story.pulumi("destroy --yes", { code: 1 });
    expect(writes(story)).toEqual([]);
    expect(JSON.stringify(story.ours.records())).toBe(before);
  });

  test("with its values, the update manages what hides something", async () => {
    await story.pulumi("config set --secret cloudSecretKey", { input: rootKey });
    await story.pulumi("config set --secret tokenValue", { input: sensitive });
    const before = story.ours.records();
    writes(story);
    await story.pulumi("up --yes --skip-preview");
    expect(writes(story).map((line) => line.replace(/var-\w+/, "var"))).toEqual(
      expect.arrayContaining(["POST cloud/config/root", `PATCH policy-sets/${defaultPolicySet}/parameters/var`]),
    );
    expect(story.ours.records()).toEqual(before);
    await story.pulumi("preview --expect-no-changes --diff");
    expect(await runDrift(story, "--no-unmanaged")).toMatchObject({ code: 0 });
  });

  test("without them again, the records stay", async () => {
    const before = story.ours.records();
    await story.pulumi("config rm cloudSecretKey");
    await story.pulumi("config rm tokenValue");
    writes(story);
    await story.pulumi("up --yes --skip-preview");
    expect(writes(story)).toEqual([]);
    expect(story.ours.records()).toEqual(before);
  });

  test("given up again as its README says, every record stays as it is", async () => {
    const before = story.ours.records();
    writes(story);
    for (const command of commandsIn(story, "Give it up again")) await story.pulumi(command);
    expect((await story.pulumi("stack ls")).text).not.toContain("dev");
    expect(writes(story)).toEqual([]);
    expect(story.ours.records()).toEqual(before);
  });
});

/** The block of commands of a section of the README. */
function blockIn(folder: string, section: string): string {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  return /```sh\n(.*?)\n```/s.exec(text.split(`## ${section}\n`)[1] ?? "")?.[1] ?? "";
}

/** The commands of Pulumi's in it; the story has a stack already. */
function commandsIn({ sandbox }: Story, section: string): readonly string[] {
  const commands = blockIn(sandbox.programFolder, section)
    .split("\n")
    .map((line) => line.replace(/ #.*/, ""));
  return commands.flatMap((line) => (/^pulumi (?!stack init)/.test(line) ? [line.replace("pulumi ", "")] : []));
}

describe("trustplane adopt, and a take-over with the dynamic classes", needsPulumi(), () => {
  let story: Story;

  beforeAll(async () => {
    story = await openFurnished();
    return story.close;
  }, openingMs);

  test("the first update writes only what hides something, with the values that it has", async () => {
    const { code, out } = await adopted(story, "--classes", "dynamic");
    expect(code).toBe(0);
    expect(out).toMatch(/: 22 resources, 1 left out\./);
    const before = story.ours.records();
    writes(story);
    await story.pulumi("up --yes --skip-preview");
    expect(writes(story)).toEqual(["POST auth/jobs/config"]);
    expect(story.ours.records()).toEqual(before);
  });

  test("then a preview shows no change, and there is no drift", async () => {
    await story.pulumi("preview --expect-no-changes --diff");
    expect(await runDrift(story, "--no-unmanaged")).toMatchObject({ code: 0 });
  });
});

describe("trustplane adopt --from-state, and the stack of another provider", needsPulumi(), () => {
  let story: Story;

  beforeAll(async () => {
    story = await openFurnished();
    return story.close;
  }, openingMs);

  /** What the stack has of the other provider, by name. */
  async function kept(): Promise<readonly string[]> {
    const { deployment } = JSON.parse((await story.pulumi("stack export")).stdout);
    return (deployment.resources as { urn: string }[]).map(({ urn }) => urn.split("::")[3] ?? "");
  }

  test("forgets by the README, to the letter, what was taken over, and nothing else; and comes back to it", async () => {
    const role = (name: string): KeptResource => ({
      type: "vault_jwt_auth_backend_role",
      name,
      dependencies: ["vault_jwt_auth_backend.gitlab"],
      attributes: { id: `auth/jobs/role/${name}`, backend: "jobs", role_name: name },
    });
    const old = pulumiState([
      {
        type: "vault_jwt_auth_backend",
        name: "gitlab",
        isProtected: true,
        attributes: { id: "jobs", path: "jobs", type: "jwt" },
      },
      role("build"),
      role("deploy"),
      { type: "vault_policy", name: 'it\'s "$HOME"', attributes: { id: "build", name: "build" } },
      { type: "vault_kv_secret_v2", name: "app", attributes: { id: "kv/data/app", mount: "kv", name: "app" } },
    ]);
    story.sandbox.write("imported.json", old);
    await story.pulumi("stack import --force --file imported.json");
    const [before, all] = [story.ours.records(), await kept()];
    const out = join(story.sandbox.folder, "taken");
    const exported = (await story.pulumi("stack export")).stdout;
    writes(story);
    const run = await runTrustplane(story, ["adopt", "--from-state", "-", "--out", out], { input: exported });
    expect([run.code, run.err]).toEqual([0, ""]);
    const sh = (section: string) => runProgram(story, ["sh", "-e", "-c", blockIn(out, section)]);
    const { code, err } = await sh("Forget the old records");
    expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
    expect(await kept()).toEqual([expect.stringMatching(/^old-/), "default_7_1_0", "app"]);
    const back = blockIn(out, "Back to the old state").split("\n");
    // A preview of that program needs the other provider.
    expect(back.map((line) => line.replace(/ #.*/, ""))).toEqual([
      expect.stringMatching(/^pulumi stack import/),
      "pulumi preview",
    ]);
    await story.pulumi((back[0] ?? "").replace("pulumi ", ""));
    expect(await kept()).toEqual(all);
    expect(writes(story)).toEqual([]);
    expect(story.ours.records()).toEqual(before);
  });
});
