// What pipelines give to a review: reports of other tools, and what is right here.
import { describe, expect, it } from "vitest";
import { run } from "../cli/drift-harness.ts";
import { previewJson, type WantedStep } from "../cli/preview-text.ts";
import { planWith, recording } from "../cli/terraform-harness.ts";

const review = async (text: string, ...words: string[]) => {
  const { code, out, err } = await run(words.length > 0 ? words : COMMENT, {}, text);
  return { code, out, err };
};
const COMMENT = ["comment", "-", "--stack", "acme/dev", "--dry-run"];

const role = (name: string, tokenPolicies: readonly string[]) => ({
  mount: "jobs",
  name,
  roleType: "jwt",
  userClaim: "sub",
  boundSubject: "repo:acme/app",
  tokenPolicies,
});
const ROLE: WantedStep = {
  op: "delete",
  token: "jwt:Role",
  name: "ci",
  id: "auth/jobs/role/ci",
  before: role("ci", ["prod"]),
};
const preview = (steps: readonly WantedStep[]) => previewJson({ steps });

describe("JSON with other lines around it", () => {
  // https://github.com/pulumi/pulumi/issues/19775, https://github.com/pulumi/pulumi/issues/11453
  const whole = JSON.stringify(JSON.parse(preview([ROLE])), undefined, 4);
  // What the official setup action of Terraform installs prints the command before, and outputs of the job after it.
  const plan = recording("change");
  const wrapped = `[command]/opt/hostedtoolcache/terraform-bin show -json plan\n${plan}\n\n::debug::exitcode: 0\n`;

  it.each([
    ["a line before", `Installing policy pack acme 1.2.0...\n${whole}`, whole],
    ["a line after", `${whole}\nUpdate plan written to 'plan.json'\n`, whole],
    ["a brace in both", `{acme} begins\n${whole}\nends {acme}\n`, whole],
    ["the wrapper of a job", wrapped, plan],
    ["outputs that hold it once more", `${plan}\n::set-output name=stdout::${plan.replaceAll("\n", "%0A")}\n`, plan],
  ])("is read: %s", async (_, text, bare) => {
    expect(await review(text)).toEqual(await review(bare));
    expect(await review(text, "lint", "-")).toEqual(await review(bare, "lint", "-"));
  });

  it("is read of a state", async () => {
    const state = recording("state");
    const who = (text: string) => review(text, "explain", "who", "--policy", "deploy", "--state", "-");
    expect(await who(`[command]terraform state pull\n${state}\n`)).toEqual(await who(state));
  });

  it("is not shown where it cannot be read, as nothing in it is masked", async () => {
    const { out } = await review(`a line\n${whole.replace("acme/app", 'acme"')}`);
    expect(out).toContain("it was cut, or other text is inside it");
    expect(out).not.toContain("userClaim");
  });
});

describe("a record that is left where it is", () => {
  // https://github.com/opentofu/opentofu/issues/4324, https://github.com/hashicorp/terraform/issues/39088
  const address = 'module.teams.trustplane_jwt_role.ci["a b"]';
  const tofu = (actions: readonly string[]) =>
    planWith((changes) => {
      for (const { address: each, change } of changes) {
        if (each !== address) Object.assign(change, { actions: ["no-op"], after: change["before"], after_unknown: {} });
        if (each !== address) continue;
        Object.assign(change, { actions, replace_paths: [["name"]] });
        change["after"] = { ...(change["before"] as object), name: "prod" };
        change["after_unknown"] = {};
      }
    });

  it.each([[["forget", "create"]], [["create", "forget"]]])("by OpenTofu's %j", async (actions) => {
    const { code, out } = await review(tofu(actions));
    expect(code).toBe(0);
    expect(out).toContain("1 to replace");
    expect(out).toContain("because `name` changes. The old record stays on the server, and nothing manages it.");
    expect(out).toMatch(/now gets? the policy `deploy`: the role is new. By role `prod`/);
    expect(out).not.toContain("the role is gone");
    const { out: who } = await review(tofu(actions), "explain", "who", "--policy", "deploy", "--state", "-");
    expect(who).toContain("ci-a_b");
    expect(who).toContain("prod");
  });

  it("by retainOnDelete: who gets in by it still does", async () => {
    const text = JSON.parse(preview([ROLE])) as { steps: { op: string; oldState: object }[] };
    const gone = await review(JSON.stringify(text));
    expect(gone.out).toContain("the role is gone");
    const [step] = text.steps.filter(({ op }) => op === "delete");
    Object.assign(step?.oldState ?? {}, { retainOnDelete: true });
    const { out } = await review(JSON.stringify(text));
    expect(out).toContain("1 to forget");
    expect(out).toContain("the record stays on the server, and nothing manages it");
    expect(out).not.toContain("the role is gone");
    const { out: who } = await review(JSON.stringify(text), "explain", "who", "--policy", "prod", "--state", "-");
    expect(who).toContain("repo:acme/app");
  });
});

describe("an action that nobody knows", () => {
  it.each([
    ["of a plan", planWith(([first]) => Object.assign(first?.change ?? {}, { actions: ["transmute"] }))],
    ["of a preview", preview([{ ...ROLE, op: "transmute" }])],
  ])("%s is an error, never nothing to do", async (_, text) => {
    const commands = [
      COMMENT,
      ["lint", "-"],
      ["map", "--mermaid"],
      ["explain", "who", "--policy", "prod", "--state", "-"],
    ];
    for (const words of commands) {
      const { code, err } = await review(text, ...words);
      expect({ words, code, err }).toEqual({
        words,
        code: 1,
        err: expect.stringContaining('does not know, "transmute" of '),
      });
    }
  });
});
