import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { role, roleSet } from "../support/terraform-job-roles.ts";
import { NO_CHANGES, terraformOptions } from "../support/terraform-life.ts";
import { type TerraformStory, tellTerraform } from "../support/terraform-story.ts";

const PATH = "auth/jwt/role";

/** Terraform starts a process for each `provider` block. */
describe("a role that goes from one provider block to another under another name", terraformOptions, () => {
  const tell = (story: (told: TerraformStory) => Promise<void>) => tellTerraform(story, [], { isStartedByCli: true });
  const [a, b] = ["provider = trustplane.a\n", "provider = trustplane.b\n"] as const;

  /** Blocks `a` and `b` for one server, the second one by another name of it where one is given. */
  const blocks = (address?: string) => `
    provider "trustplane" { alias = "a" }
    provider "trustplane" {
      alias   = "b"
      secrets = ${address ? `{ address = "${address}", token_env = "VAULT_TOKEN" }` : "null"}
    }`;
  const before = "depends_on = [terraform_data.turn]";
  const turn = (round: number, more = "") => `
    resource "terraform_data" "turn" {
      triggers_replace = ${round}
      ${more}
    }`;
  /** Is replaced after its new dependency was made, and before its old one is deleted. */
  const madeFirst = (round: number, of: string) =>
    turn(round, `depends_on = [trustplane_jwt_role.${of}]\nlifecycle {\n create_before_destroy = true\n }`);

  const orders = {
    "made, then deleted": [role("old", "ci", a) + madeFirst(1, "old"), role("new", "ci", b) + madeFirst(2, "new")],
    "deleted, then made": [role("old", "ci", a + before) + turn(1), role("new", "ci", b + before) + turn(2)],
    "made and deleted at the same time": [role("old", "ci", a), role("new", "ci", b)],
  } as const;

  test.each(Object.entries(orders))("stays on the server where it is %s", (_, [first, second]) =>
    tell(async (story) => {
      story.cli.write(blocks() + first);
      await story.apply();
      story.cli.write(blocks() + second);
      await expectSettled(story, ["ci"]);
    }),
  );

  test("stays on the server where the other block has another name of it", () =>
    tell(async (story) => {
      const other = story.servers.secrets.address.replace("127.0.0.1", "localhost");
      const [first, second] = orders["made, then deleted"];
      story.cli.write(blocks(other) + first);
      await story.apply();
      story.cli.write(blocks(other) + second);
      await expectSettled(story, ["ci"]);
    }));

  test("is deleted where the program has it no more", () =>
    tell(async (story) => {
      story.cli.write(blocks() + role("old", "ci", a));
      await story.apply();
      story.cli.write(blocks() + role("new", "other", b));
      await expectSettled(story, ["other"]);
    }));

  test("is not deleted by an exclusive set of a block with another name of the server, in a saved plan neither", () =>
    tell(async (story) => {
      const { cli, plan } = story;
      const other = blocks(story.servers.secrets.address.replace("127.0.0.1", "localhost"));
      const single = other + role("single", "ci", b);
      const set = (more = "") => roleSet("all", ["x"], `${a}exclusive = true\n${more}`);
      cli.write(single);
      await story.apply();
      cli.write(single + set());
      const { code, text } = await cli.run("plan", "-out=saved");
      expect(code, text).toBe(1);
      expect(text.replace(/[\s│]+/g, " ")).toMatch(
        /this plan would delete trustplane_jwt_role "ci" \(auth\/jwt\/role\/ci\), which an exclusive set does not name, and keep (or create )?it for another resource\. Name it in `ignore` of the set/,
      );
      cli.write(single + set('ignore = ["ci"]'));
      await plan("-out=saved");
      await story.apply("saved");
      expect(await names(story)).toEqual(["ci", "x"]);
      expect(await plan()).toContain(NO_CHANGES);
    }));

  test("is not deleted by a saved plan that has not shown it, as one with -target, nor is what came after the plan", () =>
    tell(async (story) => {
      const { cli, plan, vault } = story;
      const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
      const single = blocks() + role("single", "ci", b);
      const set = (names: readonly string[], more = "") => roleSet("all", names, `${a}exclusive = true\n${more}`);
      cli.write(single);
      await story.apply();
      const ofPart = ["-target=trustplane_jwt_role_set.all", "-out=saved"];
      cli.write(single + set(["x"]));
      await plan(...ofPart);
      await story.apply("saved");
      expect(await names(story)).toEqual(["ci", "x"]);

      // The state names it as nobody's by now, which is not what this plan shows.
      cli.write(single + set(["x", "y"]));
      const { code, text } = await cli.run("plan", "-refresh=false", ...ofPart);
      expect(code, text).toBe(1);
      expect(text.replace(/[\s│]+/g, " ")).toMatch(/would remove 1 record \(ci\) .*Plan without -refresh=false/);
      await plan(...ofPart);
      await story.apply("saved");
      expect(await names(story)).toEqual(["ci", "x", "y"]);

      cli.write(single + set(["x", "y"], 'ignore = ["ci"]'));
      await vault("POST", `${PATH}/before`, body);
      expect(await plan("-out=saved")).toMatch(/unmanaged += \[\s+- "before"/);
      await vault("POST", `${PATH}/after`, body);
      // It has a name of its own for each record that goes.
      expect(await story.apply("saved")).toMatch(/auth\/jwt\/role\/before\. What is to stay/);
      expect(await names(story)).toEqual(["after", "ci", "x", "y"]);
      await story.apply();
      expect(await names(story)).toEqual(["ci", "x", "y"]);
    }));

  test("is not made for two resources, each of a block of its own", () =>
    tell(async ({ cli }) => {
      cli.write(blocks() + role("one", "ci", a) + role("two", "ci", `${b}token_ttl = "2h"`));
      // The plan refuses it while the process of the other block runs; the apply does in any case.
      const { code, text } = await cli.run("apply", "-auto-approve");
      expect(code, text).toBe(1);
      expect(text.replace(/[\s│]+/g, " ")).toContain(
        "two resources of this program declare trustplane_jwt_role auth/jwt/role/ci: remove one of the two",
      );
    }));
});

describe("a mount that goes from one provider block to another under another name", terraformOptions, () => {
  test("is not made anew: the plan asks for a moved block, which keeps it", () =>
    tellTerraform(
      async (story) => {
        const blocks = ["a", "b"].map((alias) => `provider "trustplane" { alias = "${alias}" }\n`).join("");
        const mount = (address: string, alias: string) => `
          resource "trustplane_sys_auth_mount" "${address}" {
            provider = trustplane.${alias}
            path     = "team"
            type     = "jwt"
          }`;
        const moved = "\nmoved {\n from = trustplane_sys_auth_mount.old\n to = trustplane_sys_auth_mount.new\n }";
        const accessor = async () => Object((await story.vault("GET", "sys/auth")).data["team/"]).accessor;
        story.cli.write(blocks + mount("old", "a"));
        await story.apply();
        const before = await accessor();
        story.cli.write(blocks + mount("new", "b"));
        const { code, text } = await story.cli.run("apply", "-auto-approve");
        expect(await accessor()).toBe(before);
        expect(code, text).toBe(1);
        expect(text.replace(/[\s│]+/g, " ")).toContain("Say in a `moved` block that the address has changed");

        story.cli.write(blocks + mount("new", "b") + moved);
        await story.apply();
        expect(await accessor()).toBe(before);
        expect(await story.plan()).toContain(NO_CHANGES);
      },
      [],
      { isStartedByCli: true },
    ));
});

test("the runs of `terraform test` make one record after another anew", terraformOptions, () =>
  tellTerraform(
    async ({ cli }) => {
      cli.write(`variable "name" {}\n${role("made", `\${var.name}`)}`);
      const run = (name: string, at: number) => `run "r${at}" {\n variables {\n name = "${name}"\n }\n}\n`;
      writeFileSync(join(cli.folder, "again.tftest.hcl"), ["ci", "other", "ci"].map(run).join(""));
      const { code, text } = await cli.run("test");
      expect(code, text).toBe(0);
      expect(text).toContain("3 passed, 0 failed");
    },
    [],
    { isStartedByCli: true },
  ),
);

describe("an exclusive set of a program for Terraform owns what it names:", terraformOptions, () => {
  const set = (more = "exclusive = true", names: readonly string[] = ["x", "y"]) => roleSet("all", names, more);
  const makeByHand = async ({ vault }: TerraformStory, ...names: readonly string[]) => {
    const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
    for (const name of names) await vault("POST", `${PATH}/${name}`, body);
  };

  test.each([
    ["`ignore`", 'exclusive = true\nignore = ["manual-*"]'],
    ["`ignore` in other letters", 'exclusive = true\nignore = ["Manual-*"]'],
    ["`exclusive = false`", "exclusive = false"],
  ])("%s keeps what somebody else has made, in an ordinary apply", (_, more) =>
    tellTerraform(async (story) => {
      story.cli.write(set());
      await story.apply();
      await makeByHand(story, "manual-1");
      story.cli.write(set(more));
      expect(await story.plan()).not.toMatch(/- "?manual-1"? += \{/);
      await expectSettled(story, ["manual-1", "x", "y"]);
    }),
  );

  test("a destroy leaves what the set has not made, however much it is", () =>
    tellTerraform(async (story) => {
      const strays = Array.from({ length: 14 }, (_, number) => `manual-${number + 10}`);
      story.cli.write(set());
      await story.apply();
      await makeByHand(story, ...strays);
      const { code, text } = await story.cli.run("destroy", "-auto-approve");
      expect(code, text).toBe(0);
      expect(await names(story)).toEqual(strays);
    }));

  test("a record that goes from `roles` into `ignore` is handed over", () =>
    tellTerraform(async (story) => {
      story.cli.write(set());
      await story.apply();
      story.cli.write(set('exclusive = true\nignore = ["y"]', ["x"]));
      await expectSettled(story, ["x", "y"]);
    }));
});

async function expectSettled(story: TerraformStory, expected: readonly string[]): Promise<void> {
  await story.apply();
  expect(await names(story)).toEqual(expected);
  expect(await story.plan()).toContain(NO_CHANGES);
}

async function names({ vault }: TerraformStory): Promise<unknown[]> {
  const { data } = await vault("GET", `${PATH}?list=true`);
  return Array.isArray(data["keys"]) ? data["keys"].sort() : [];
}
