import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { defaultPolicySet } from "../../server/serve.ts";
import { evaluatedFiles } from "../support/adopt-evaluate.ts";
import { fileOfTest, folderOfTest } from "../support/temporary-folder.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";
import { adopt, filesIn } from "./adopt-harness.ts";
import { type DriftOptions, openStack, role, run, type Wanted } from "./drift-harness.ts";
import { stateWith } from "./terraform-harness.ts";

const body = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };
const wanted: Wanted[] = [
  role("ci"),
  { resource: "policyParameter", name: "limit", args: { policySetId: defaultPolicySet, key: "limit", value: "1" } },
  { resource: "sysPolicy", name: "old", args: { name: "old", policy: 'path "a" { capabilities = ["read"] }' } },
];

/** A stack with some resources, and the command on its state. */
async function openDifference(options: DriftOptions = { host: "plugin" }, resourcesWanted = wanted) {
  const stack = await openStack(resourcesWanted, options);
  const state = JSON.stringify({ version: 3, deployment: { resources: stack.resources } });
  const diff = (...flags: string[]) => run(["adopt", "--diff", "--state", "-", ...flags], stack.env, state);
  return { ...stack, state, diff };
}

/** A state of Terraform with one role. Recorded on other servers, which the state knows by what the provider keeps. */
function keptByTerraform(): string {
  return stateWith((resources) => {
    const roles = resources.filter(({ type, module }) => type === "trustplane_jwt_role" && module === undefined);
    for (const each of roles) {
      for (const instance of each.instances) delete instance["private"];
      each.name = "jwt_by_hand";
    }
    resources.splice(0, resources.length, ...roles);
  });
}

describe("trustplane adopt --diff", () => {
  it("prints the code of what the stack does not have yet, refers to what is new, and only reads", async () => {
    const { raw, server, diff } = await openDifference();
    const secrets = raw("secrets");
    await secrets.call("POST sys/policies/acl/new", { policy: 'path "b" { capabilities = ["read"] }' });
    for (const name of ["by-hand", "other"])
      await secrets.call(`POST auth/jwt/role/${name}`, { ...body, token_policies: ["new", "old"] });
    await secrets.call("POST auth/jwt/config", { jwt_validation_pubkeys: [publicKeyPem()] });
    await secrets.call("POST sys/auth/elsewhere", { type: "jwt" });
    await secrets.call("POST auth/elsewhere/role/not-ours", body);
    server.log.clear();

    const { code, out, err } = await diff("--no-fold");

    expect(code).toBe(0);
    expect(out).toMatch(/^\/\/ policies-\w{6}\.ts\nimport \* as trustplane from "trustplane\/native";\n/);
    expect(out).toMatch(/^\/\/ auth-jwt-\w{6}\.ts$/m);
    expect(out).toContain('const mount = "jwt";\n');
    expect(out).toMatch(/new trustplane\.jwt\.Config\(\n +"jwt",\n +\{\n +mount,\n +jwtValidationPubkeys: /);
    expect(out.match(/tokenPolicies: \[policies\w{6}\.newPolicy\.name, "old"\]/g)).toHaveLength(2);
    expect(out).not.toMatch(/"ci"|not-ours|elsewhere|limit/);
    expect(err).toContain("4 to take over. With --out");
    expect(server.log.all().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes files that a program takes in, and what an import needs", async () => {
    const { raw, diff } = await openDifference();
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    const attributes = { key: "by-hand", value: "1", category: "policy-set" };
    await raw("policy").call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });
    const out = join(folderOfTest(), "more");

    expect(await diff("--out", out)).toMatchObject({ code: 0, err: "" });

    const files = filesIn(out);
    expect(Object.keys(files).sort()).toEqual([
      "README.md",
      expect.stringMatching(/^adopted-\w{6}\.ts$/),
      expect.stringMatching(/^auth-jwt-\w{6}\.ts$/),
      expect.stringMatching(/^import-\w{6}\.json$/),
      expect.stringMatching(/^policy-.*\.ts$/),
    ]);
    expect(evaluatedFiles(files).map(({ class: name, args }) => [name, args["name"] ?? args["key"]])).toEqual([
      ["jwt.Role", "by-hand"],
      ["policy.Parameter", "by-hand"],
    ]);
    const imports = Object.keys(files).find((name) => name.endsWith(".json")) ?? "";
    expect(JSON.parse(files[imports] ?? "").resources).toHaveLength(2);
    expect(files["README.md"]).toContain(`pulumi import --file ${imports} `);
  });

  it.each(["typescript", "python", "go", "yaml", "hcl"] as const)(
    "writes files in %s that replace none of an earlier run, and tells which to copy",
    async (language) => {
      const { raw, env, state } = await openDifference({ host: "plugin" }, [role("ci")]);
      const add = async (name: string) => {
        await raw("secrets").call(`POST sys/policies/acl/${name}`, { policy: 'path "b" { capabilities = ["read"] }' });
        await raw("secrets").call(`POST auth/jwt/role/${name}`, { ...body, token_policies: [name] });
      };
      await add("first");
      const only = ["--include", "jwt.Role *", "--include", "sys.Policy *", "--language", language];
      const { files: own } = await adopt(env, ["--service", "secrets", ...only]);
      const more = async (name: string) => {
        await add(name);
        const out = join(folderOfTest(), "more");
        const flags = ["--diff", "--state", "-", "--out", out, ...only];
        expect(await run(["adopt", ...flags], env, language === "hcl" ? keptByTerraform() : state)).toMatchObject({
          code: 0,
        });
        return filesIn(out);
      };
      const runs = [own, await more("second"), await more("third")];
      const names = runs.flatMap((files) => Object.keys(files));
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      expect([...new Set(twice)]).toEqual(["README.md"]);
      const [, files = {}] = runs;
      const yaml = parse(files[Object.keys(files).find((name) => name.endsWith(".yaml")) ?? ""] ?? "{}");
      // A resource refers to the setting that protects it.
      for (const section of Object.keys(yaml)) expect(files["README.md"]).toContain(`\`${section}\``);
      if (language === "typescript") {
        const roles = evaluatedFiles(Object.assign({}, ...runs)).filter((made) => made.class === "jwt.Role");
        expect([...new Set(roles.map(({ args }) => args["name"]))].sort()).toEqual(["ci", "first", "second", "third"]);
      }
      for (const name of Object.keys(runs[1] ?? {}).filter((each) => each !== "README.md"))
        expect(runs[1]?.["README.md"]).toContain(`\`${name}\``);
    },
  );

  it("leaves out what waits for a value: the program may have it behind its condition; named by a pattern, it is written", async () => {
    const { raw, diff } = await openDifference();
    const attributes = { key: "token", value: "hidden", category: "policy-set", sensitive: true };
    await raw("policy").call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });
    const { out, err } = await diff();
    expect(out).toBe("");
    expect(err).toContain("policy.Parameter token is left out: no server shows its value (value)");
    expect(err).toContain("--include 'policy.Parameter token'");
    const named = await diff("--include", "policy.Parameter token");
    expect(named.out).toMatch(/config\.getSecret\("tokenValue-\w{6}"\)/);
  });

  it("names what the stack has and the servers have not", async () => {
    const { raw, diff } = await openDifference();
    await raw("secrets").call("DELETE auth/jwt/role/ci");
    const { code, out, err } = await diff();
    expect([code, out]).toEqual([0, ""]);
    expect(err).toContain("jwt.Role ci: the stack has auth/jwt/role/ci, and the server has not\n");
    expect(err).toContain("there is nothing to take over in the stack's mounts");
  });

  it("gives a new resource no name that the stack already has", async () => {
    const args = { ...role("ci").args };
    const { raw, diff } = await openDifference({ host: "plugin" }, [{ ...role("ci"), name: "jwt-by-hand", args }]);
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    expect((await diff()).out).toMatch(/Role\(\n {2}"jwt-by-hand-\w{6}"/);
  });

  it("has the classes of the stack: with the dynamic ones nothing is imported", async () => {
    const { raw, diff } = await openDifference({ host: "dynamic" });
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    const out = join(folderOfTest(), "more");
    expect((await diff("--out", out)).code).toBe(0);
    const [code = "", ...others] = Object.keys(filesIn(out)).sort().reverse();
    expect([code, others]).toEqual([
      expect.stringMatching(/^auth-jwt-\w{6}\.ts$/),
      [expect.stringMatching(/^adopted-\w{6}\.ts$/), "README.md"],
    ]);
    expect(filesIn(out)[code]).toContain('from "trustplane";');
    expect(await diff("--language", "go")).toMatchObject({ code: 1, err: expect.stringContaining("dynamic classes") });
  });

  it("has HCL for a state of Terraform, with labels that the configuration has not, and for no other one", async () => {
    const { raw, env, state } = await openDifference();
    for (const name of ["by-hand", "other"]) await raw("secrets").call(`POST auth/jwt/role/${name}`, body);
    const kept = keptByTerraform();
    const diff = (text: string, ...flags: string[]) => run(["adopt", "--diff", "--state", "-", ...flags], env, text);
    const include = ["--include", "jwt.Role *"];
    const { code, out } = await diff(kept, "--language", "hcl", "--no-fold", ...include);
    expect(code).toBe(0);
    expect(out).toMatch(/^resource "trustplane_jwt_role" "jwt_by_hand_\w{6}" \{\n/m);
    expect(out).toMatch(/^resource "trustplane_jwt_role" "jwt_other" \{\n/m);
    expect(out).toMatch(/^# imports-\w{6}\.tf\n/m);
    expect(out).toContain("  to = trustplane_jwt_role.jwt_other\n");
    const folder = join(folderOfTest(), "more");
    expect(await diff(kept, "--language", "hcl", "--out", folder, ...include)).toMatchObject({ code: 0 });
    const files = filesIn(folder);
    // The configuration has a file of the mount already.
    expect(Object.keys(files).sort()).toEqual([
      "README.md",
      expect.stringMatching(/^auth-jwt-\w{6}\.tf$/),
      expect.stringMatching(/^imports-\w{6}\.tf$/),
    ]);
    expect(files["README.md"]).toContain("terraform plan # shows only imports");
    expect(files["README.md"]).not.toContain("pulumi");
    expect((await diff(kept)).err).toContain("give --language hcl");
    expect((await diff(state, "--language", "hcl")).err).toContain("one of Pulumi");
  });

  it("leaves out what is at a named connection, and names it", async () => {
    const connections = (secrets: { address: string; token: string }) =>
      JSON.stringify({ east: { service: "secrets", ...secrets } });
    const own = await openDifference();
    const { secrets } = own.server;
    const east = { ...role("ci"), args: { ...role("ci").args, connection: "east" } };
    const config = { connections: connections(secrets) };
    const { env, state } = await openDifference({ host: "plugin", config }, [east]);
    await own.raw("secrets").call("POST auth/jwt/role/by-hand", body);
    const flag = `east=${secrets.address},service=secrets,tokenEnv=EAST_TOKEN`;
    const args = ["adopt", "--diff", "--state", "-", "--connection", flag];
    const { out, err } = await run(args, { ...env, EAST_TOKEN: secrets.token }, state);
    expect(out).toBe("");
    expect(err).toContain("jwt.Role auth/jwt/role/by-hand is left out: it is at the connection east:");
  });

  it("has exit code 1 where a server did not answer", async () => {
    const { env, state } = await openDifference();
    const { code, err } = await run(["adopt", "--diff", "--state", "-"], { ...env, VAULT_TOKEN: "wrong" }, state);
    expect(code).toBe(1);
    expect(err).toMatch(/jwt\.Role ci, .* and 2 more could not be read: .*403/);
  });

  it("reads a state from a file, and refuses flags that do not go together", async () => {
    const { env, state, raw } = await openDifference();
    await raw("secrets").call("POST auth/jwt/role/by-hand", body);
    const file = fileOfTest("state.json", state);
    expect((await run(["adopt", "--diff", "--state", file], env)).out).toContain('"by-hand"');
    expect(await adopt(env, ["--stack", "dev"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("needs --diff"),
    });
    expect((await adopt(env, ["--diff", "--mount", "jwt"])).code).toBe(1);
  });
});
