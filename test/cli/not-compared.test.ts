import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asSecret } from "../../provider/core/secret-envelope.ts";
import { folderOfTest } from "../support/temporary-folder.ts";
import { openStack, run, type Wanted } from "./drift-harness.ts";
import { previewJson } from "./preview-text.ts";
import { planWith, type ResourceChange, stateWith } from "./terraform-harness.ts";

const OTHERS = /9 resources of hashicorp\/vault are not (compared|looked at); see `trustplane adopt --from-state`/;
const provider = 'provider["example.com/hashicorp/vault"]';

const state = (own: boolean) =>
  stateWith((all) => {
    const others = Array.from({ length: 9 }, (_, at) => ({
      ...{ mode: "managed", type: "vault_policy", name: `p${at}`, provider },
      instances: [{ attributes: { id: `p${at}` } }],
    }));
    all.splice(0, own ? 0 : all.length, ...others);
  });

const shownState = JSON.stringify({
  format_version: "1.0",
  values: {
    root_module: {
      resources: Array.from({ length: 9 }, (_, at) => ({
        ...{ mode: "managed", type: "vault_policy", address: `vault_policy.p${at}`, values: {} },
        provider_name: "example.com/hashicorp/vault",
      })),
    },
  },
});

const plan = planWith((all, whole) => {
  delete whole["prior_state"];
  const [first] = all as (ResourceChange & { provider_name: string })[];
  const other = (at: number) => ({ ...first, address: `vault_policy.p${at}`, type: "vault_policy" });
  all.splice(
    0,
    all.length,
    ...Array.from({ length: 9 }, (_, at) => ({
      ...(other(at) as ResourceChange),
      change: { actions: ["create"], before: null, after: {} },
      provider_name: "example.com/hashicorp/vault",
    })),
  );
});

/** A file with one test, of a role that no state has. */
function trustTests(): string {
  const folder = folderOfTest();
  const tests = [{ name: "x", login: { mount: "x", role: "x", claims: {} }, expect: "refused" }];
  writeFileSync(join(folder, "trust.yml"), JSON.stringify({ tests }));
  return join(folder, "trust.yml");
}

const urn = (type: string, name: string) => `urn:pulumi:dev::story::${type}::${name}`;
const policies = Array.from({ length: 9 }, (_, at) => urn("vault:index/policy:Policy", `p${at}`));
const beside = [
  urn("pulumi:providers:vault", "default"),
  urn("pulumi:pulumi:Stack", "story-dev"),
  urn("my:a:Group", "g"),
];
const typeIn = (each: string) => each.split("::")[2];
const export_ = JSON.stringify({
  version: 3,
  deployment: {
    resources: [...beside, ...policies].map((each) => ({
      urn: each,
      type: typeIn(each),
      custom: !/my:|Stack/.test(each),
    })),
  },
});
const preview = (changes: Record<string, number> = { create: 9 }) =>
  JSON.stringify({
    steps: policies.map((each) => ({ op: "create", urn: each, newState: { custom: true, inputs: {} } })),
    changeSummary: changes,
  });

const commands = {
  drift: ["drift", "--state", "-"],
  lint: ["lint"],
  map: ["map"],
  permissions: ["permissions"],
  who: ["explain", "who", "--policy", "deploy", "--state", "-"],
  comment: ["comment", "--dry-run", "--stack", "x/y"],
} as const;

it.each([
  ["drift", "a state of Terraform", state(false), OTHERS],
  ["drift", "a state that terraform show prints", shownState, OTHERS],
  ["drift", "an export of Pulumi", export_, /9 resources of vault are not compared; see `trustplane adopt/],
  ["lint", "a plan", plan, OTHERS],
  ["lint", "an export of Pulumi", export_, /9 resources of vault are not looked at/],
  ["map", "a state of Terraform", state(false), OTHERS],
  ["permissions", "a plan", plan, OTHERS],
  ["who", "a preview", preview(), /9 resources of vault are not looked at/],
  ["comment", "a plan", plan, OTHERS],
  ["comment", "a preview", preview(), /9 resources of vault are not looked at/],
] as const)("%s of %s without a resource of ours ends with 1", async (name, _, text, message) => {
  const { code, err } = await run(commands[name], {}, text);
  expect(err).toMatch(message);
  expect(code).toBe(1);
});

it("the tests of such a state end with 1, too", async () => {
  const { code, err } = await run(["test", "examples/trust-tests/trust.yml"], {}, state(false));
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(OTHERS) });
});

it("beside resources of ours, the others are one line", async () => {
  const others = "9 resources of hashicorp/vault are not";
  const line = `${others} looked at`;
  const impatient = { VAULT_MAX_RETRIES: "0" };
  const drifted = await run(["drift", "--state", "-"], impatient, state(true));
  expect(drifted.out.split("\n")[0]).toMatch(new RegExp(`; ${others} compared(;|$)`));
  for (const words of [commands.lint, commands.map, commands.who]) {
    const { code, err } = await run(words, {}, state(true));
    expect({ code: code % 2, err }).toEqual({ code: 0, err: `trustplane: ${line}.\n` });
  }
  const test = ["test", trustTests(), "--json"];
  const who = [...commands.who, "--json"];
  const role = ["explain", "role", "deploy", "--state", "-", "--json"];
  for (const words of [["lint", "--json"], ["map", "--json"], test, who, role])
    expect(JSON.parse((await run(words, impatient, state(true))).out).notLookedAt).toContain(line);
  const json = await run(["drift", "--state", "-", "--json"], impatient, state(true));
  expect(JSON.parse(json.out).notLookedAt).toContain(`${others} compared`);
  expect(
    JSON.parse(
      (
        await run(
          ["lint", "--json"],
          {},
          stateWith(() => {}),
        )
      ).out,
    ),
  ).not.toHaveProperty("notLookedAt");
});

it("a preview that leaves out what does not change may have resources of ours", async () => {
  expect((await run(commands.lint, {}, preview({ create: 9, same: 4 }))).code).toBe(1);
  expect((await run(commands.comment, {}, preview({ create: 9, same: 4 }))).code).toBe(0);
});

it("a comment from a preview without unchanged resources says so, and how to have them", async () => {
  const values = { mount: "jobs", name: "ci", tokenPolicies: ["deploy"] };
  const steps = [{ op: "create", token: "jwt:Role", name: "ci", after: values }];
  const shown = async (unchanged: number) => (await run(commands.comment, {}, previewJson({ steps, unchanged }))).out;
  expect(await shown(3)).toMatch(/3 unchanged resources are not in this preview.*the map.*`--show-sames`/);
  expect(await shown(0)).not.toContain("--show-sames");
});

it("an answer about a preview without unchanged resources names them, and a test of it is none", async () => {
  const text = previewJson({ steps: [], unchanged: 9 });
  const said = "trustplane: 9 unchanged resources are not in this preview: run the preview with `--show-sames`.\n";
  for (const words of [commands.lint, commands.map, commands.who, commands.permissions, ["test", trustTests()]])
    expect(await run(words, {}, text)).toMatchObject({ code: 1, out: "", err: said });
});

it("a stack without any resource has nothing to compare", async () => {
  const empty = stateWith((all) => all.splice(0));
  expect((await run(commands.lint, {}, empty)).code).toBe(1);
  const drifted = await run(commands.drift, {}, empty);
  expect(drifted).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/no resource, so there is nothing/) });
});

it("names the logins of other methods, which it does not read; so do lint and map of the same state", async () => {
  const method = (path: string, type: string): Wanted => ({
    resource: "sysAuthMount",
    name: path,
    args: { path, type },
  });
  const { drift, raw, resources, env } = await openStack([method("ap4", "approle"), method("ap5", "approle")]);
  await raw("secrets").call("POST auth/ap4/role/evil", { token_policies: ["root-ish"] });
  const unread = "the roles of auth/ap4 (approle), the roles of auth/ap5 (approle)";
  const line = `not looked at: ${unread}: only explain who --live reads them`;
  const { code, report } = await drift("--json");
  expect([code, report().notLookedAt]).toEqual([0, [line, expect.stringContaining("groups of others")]]);
  const shown = (text: string) => text.replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
  for (const flags of [[], ["--markdown"], ["--html"]]) expect(shown((await drift(...flags)).out)).toContain(line);
  expect((await drift("--no-unmanaged")).out).not.toContain("not looked at");
  const hub = JSON.stringify(resources.at(-1)).replaceAll("ap5", "hub").replaceAll("approle", "github");
  const state = JSON.stringify({ version: 3, deployment: { resources: [...resources, JSON.parse(hub)] } });
  for (const name of ["lint", "map"]) {
    const { err } = await run([name, "-"], env, state);
    expect(err).toBe(`trustplane: ${line}.\ntrustplane: not looked at: auth/hub (github).\n`);
  }
  // A path that the program keeps secret, one of more than one line, and a method without a type.
  const secret = JSON.stringify(asSecret("ap5"));
  const odd = JSON.stringify(resources.slice(-2)).replaceAll('"path":"ap5"', `"path":${secret}`);
  const names = odd.replaceAll('"path":"ap4"', '"path":"a\\nb"');
  expect((await run(["lint", "-"], env, `{"version":3,"deployment":{"resources":${names}}}`)).err).toBe(
    "trustplane: not looked at: the roles of auth/a\\nb (approle), the roles of auth/(not known) (approle): only explain who --live reads them.\n",
  );
  const typeless = names.replaceAll('"type":"approle"', '"more":""');
  expect(await run(["lint", "-"], env, `{"version":3,"deployment":{"resources":${typeless}}}`)).toMatchObject({
    err: "",
  });
});
