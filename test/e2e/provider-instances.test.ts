import { describe, expect, test } from "vitest";
import { needsPulumi } from "../support/pulumi-sandbox.ts";
import type { Servers, Story } from "./pulumi-story.ts";
import { beginStory, policiesOf, policy, program, role, rolesOf } from "./role-programs.ts";

interface ProviderChoice {
  readonly library?: string;
  readonly statement: string;
  readonly options: string;
}

const byDefault: ProviderChoice = { statement: "", options: "{}" };

/** Each explicit provider is a process of its own, as is each kind of classes. */
describe("records that go from one provider to another under another name", needsPulumi(), () => {
  test.each([
    ["one explicit provider to another", explicit("w"), explicit("z")],
    ["the default provider to an explicit one", byDefault, explicit("z")],
    ["an explicit provider to the default one", explicit("w"), byDefault],
    ["one explicit provider of the dynamic classes to another", dynamic("w"), dynamic("z")],
  ])("stay on the server: from %s", async (_, before, after) => {
    const story = await beginStory(records(before, ""));
    await story.pulumi("up --yes --skip-preview");
    expectRecords(story);

    story.rewrite(records(after, "2"));
    await story.pulumi("up --yes");
    expectRecords(story);
    await expectUnchanged(story);
  });

  test.each([
    ["trustplane", "trustplane/native"],
    ["trustplane/native", "trustplane"],
  ] as const)("stay on the server: from the classes of %s to those of %s", async (before, after) => {
    const story = await beginStory(program(before, role("r"), policy("p")));
    await story.pulumi("up --yes --skip-preview");
    story.rewrite(program(after, role("r2", "r"), policy("p2", "p")));
    await story.pulumi("up --yes");
    expectRecords(story);
    await expectUnchanged(story);
  });

  test("are deleted where no resource of the program has them any more", async () => {
    const story = await beginStory(records(explicit("w"), ""));
    await story.pulumi("up --yes --skip-preview");
    story.rewrite(records(explicit("z"), "2", { name: "other" }));
    await story.pulumi("up --yes");
    expect(rolesOf(story)).toEqual(["other"]);
    expect(policiesOf(story)).toEqual(["other"]);
  });
});

describe("two names of one server", needsPulumi(), () => {
  const env = ({ ours }: Servers) => ({ OTHER_ADDR: ours.secrets.address.replace("127.0.0.1", "localhost") });
  const other = explicit("z", 'secrets: { address: process.env.OTHER_ADDR, tokenEnv: "VAULT_TOKEN" }');

  test("do not part a record from the resource that has it under another name", async () => {
    const story = await beginStory(records(explicit("w"), ""), { env });
    await story.pulumi("up --yes --skip-preview");
    story.rewrite(records(other, "2"));
    await story.pulumi("up --yes");
    expectRecords(story);
    await expectUnchanged(story);
  });

  test.each([
    ["of one name", explicit("z")],
    ["of two names", other],
  ])("do not let two resources have one record: two providers %s", async (_, second) => {
    const source = program(
      "trustplane/native",
      explicit("w").statement,
      role("r", "r", "w"),
      second.statement,
      role("r2", "r", "z"),
    );
    const story = await beginStory(source, { env });
    const { text } = await story.pulumi("preview", { code: 1 });
    expect(text).toMatch(/`r2?` and another resource of this program both declare jwt\.Role auth\/jwt\/role\/r:/);
  });
});

function explicit(name: string, settings = ""): ProviderChoice {
  const statement = `const ${name} = { provider: new trustplane.Provider("${name}", { ${settings} }) };`;
  return { statement, options: name };
}

/** Nobody needs one, and nothing forbids it: the dynamic classes have a process for each of them. */
function dynamic(name: string): ProviderChoice {
  const made = `new (require("@pulumi/pulumi").ProviderResource)("pulumi-nodejs", "${name}", {})`;
  return { library: "trustplane", statement: `const ${name} = { provider: ${made} };`, options: name };
}

/** The role `r` and the policy `p`, as resources whose names have the suffix. */
function records(
  { library = "trustplane/native", statement, options }: ProviderChoice,
  suffix: string,
  { name = "" } = {},
): string {
  const ours = [role(`r${suffix}`, name || "r", options), policy(`p${suffix}`, name || "p", options)];
  return program(library, statement, ...ours);
}

function expectRecords(story: Story): void {
  expect(rolesOf(story)).toEqual(["r"]);
  expect(policiesOf(story)).toEqual(["p"]);
}

async function expectUnchanged(story: Story): Promise<void> {
  const { text } = await story.pulumi("up --yes --expect-no-changes");
  expect(text).toMatch(/unchanged/);
  expectRecords(story);
  await story.pulumi("preview --refresh --expect-no-changes");
}
