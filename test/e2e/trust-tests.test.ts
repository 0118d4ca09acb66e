import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import { openingMs, openStory, type Story } from "./pulumi-story.ts";
import { runTrustplane } from "./run-drift.ts";

/** `examples/trust-tests`, run as its README says; the second test changes the program. */
describe("a repository with trust tests in YAML and in vitest", needsPulumi(), () => {
  let story: Story;
  const inProgram = (command: string, ...args: string[]) => {
    const options = { cwd: story.sandbox.programFolder, env: { ...story.sandbox.env, NO_COLOR: "1" } };
    return new Promise<{ code: number; out: string }>((resolve) => {
      execFile(command, args, options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out: out + err }),
      );
    });
  };
  const inYaml = async () => {
    const { stdout } = await story.pulumi("preview --json --show-sames");
    return runTrustplane(story, ["test"], { input: stdout });
  };
  /** What a person sees, and the titles in it. */
  const inVitest = async () => {
    const { code, out } = await inProgram("npm", "test", "--", "--reporter=verbose");
    const titles = (sign: string) =>
      [...out.matchAll(new RegExp(`^ *${sign} .* > (.*?)(?: \\d+ms)?$`, "gm"))].map(([, title]) => title);
    return { code, out, passed: titles("✓"), failed: titles("×") };
  };

  const change = (from: string, to: string) => {
    const before = readFileSync(join(story.sandbox.programFolder, "index.ts"), "utf8");
    expect(before).toContain(from);
    story.sandbox.write("index.ts", before.replace(from, to));
  };

  beforeAll(async () => {
    story = await openStory({ program: "examples/trust-tests" });
    const modules = join(story.sandbox.programFolder, "node_modules");
    symlinkSync(join(repository, "node_modules/vitest"), join(modules, "vitest"));
    symlinkSync(join("..", "vitest/vitest.mjs"), join(modules, ".bin/vitest"));
    return story.close;
  }, openingMs);

  test("passes both, and its files compile", async () => {
    expect(await inProgram("node", "node_modules/typescript/bin/tsc")).toMatchObject({ code: 0, out: "" });

    expect(await inYaml()).toMatchObject({ code: 0, out: expect.stringContaining("3 tests: 3 passed, 0 failed") });
    expect(await inVitest()).toMatchObject({ code: 0, passed: TITLES, failed: [] });
  });

  test("names in both what a wider role would let in", async () => {
    change('ref: "main"', 'ref: "*"');

    const yaml = await inYaml();
    const vitest = await inVitest();

    // The words of the README.
    const readme = readFileSync(join(repository, "examples/trust-tests/README.md"), "utf8");
    const [, failure = ""] = readme.match(/^```\n(FAILED [\s\S]*?)```$/m) ?? [];
    const said = failure.match(/the login is not refused: .*? for 15m/g) ?? [];
    expect(said).toHaveLength(3);
    expect(yaml).toMatchObject({ code: 2, out: expect.stringContaining(failure) });
    expect(vitest).toMatchObject({ code: 1, failed: [TITLES[1]] });
    for (const problem of said) expect(vitest.out).toContain(problem);
  });

  test("finds the team that lets all others in", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    change("`${team}/*`", 'team === "billing" ? "*" : `${team}/*`');

    const { failed, out } = await inVitest();

    expect(failed).toEqual(expect.arrayContaining([TITLES[2], TITLES[3]]));
    expect(failed).not.toContain(TITLES[4]);
    expect(out).toContain("checkout/api");
  });
});

const TITLES = [
  "main of billing reads the secrets of billing",
  "no branch that anybody can make gets a token",
  "only projects of billing become billing",
  "billing lets no other team in",
  "checkout lets no other team in",
  "search lets no other team in",
] as const;
