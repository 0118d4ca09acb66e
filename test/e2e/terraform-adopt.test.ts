import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaultPolicySet, startServers } from "../../server/serve.ts";
import { adopt } from "../cli/adopt-harness.ts";
import { environmentOf } from "../cli/drift-harness.ts";
import { rawApi } from "../support/contract-raw.ts";
import { terraformState } from "../support/old-states.ts";
import { createTerraformSandbox, reasonWithoutTerraform } from "../support/terraform-sandbox.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

const missing = reasonWithoutTerraform();
const options = { timeout: 240_000, ...(missing ? { skip: true, meta: { skipReason: missing } } : {}) };
const rootKey = "a-key-of-this-run";

const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

/** Embedded servers, and the real CLI on what the command has written for them. */
async function open() {
  const server = await startServers();
  onTestFinished(() => server.close());
  const env = environmentOf(server);
  const cli = await createTerraformSandbox(env);
  const adopted = async (...flags: string[]) => {
    const { code, err, files } = await adopt(env, ["--language", "hcl", ...flags]);
    expect([code, err]).toEqual([0, ""]);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(cli.folder, path), text);
    return files;
  };
  const run = async (...args: string[]) => {
    const { code, text } = await cli.run(...args);
    expect([code, text]).toEqual([0, expect.any(String)]);
    return text;
  };
  const writes = () => {
    const all = server.log.all().filter(({ method }) => method !== "GET");
    server.log.clear();
    return all.map(({ method, path }) => `${method} ${path}`);
  };
  return {
    server,
    cli,
    adopted,
    run,
    writes,
    raw: (name: "secrets" | "cluster" | "policy") => rawApi(name, server[name]),
  };
}

describe("trustplane adopt --language hcl", options, () => {
  test("imports all there is without a write, and then a plan is empty", async () => {
    const { server, cli, adopted, run, writes, raw } = await open();
    await furnish(raw);
    server.cloud.addUser("robot");
    await raw("secrets").call("POST cloud/static-roles/robot", { username: "robot", rotation_period: 3600 });
    writes();
    const before = JSON.stringify(server.records());
    const files = await adopted("--organization", "demo");
    if (process.env["SHOW"]) expect(files["auth-jobs.tf"]).toContain("for_each = local.jobs_roles");
    expect(await run("fmt", "-check", "-diff")).toBe("");
    expect(await run("validate")).toContain("Success!");

    expect(await run("plan")).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
    expect(await run("apply", "-auto-approve")).toMatch(/Apply complete! Resources: \d+ imported, 0 added, 0 changed/);
    expect(writes()).toEqual([]);
    rmSync(join(cli.folder, "imports.tf"));
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(writes()).toEqual([]);
    expect(JSON.stringify(server.records())).toBe(before);
  });

  test("manages what hides something once its lines are taken in and its variable is set", async () => {
    const { server, cli, adopted, run, writes, raw } = await open();
    await furnish(raw);
    const files = await adopted("--organization", "demo", "--include", "cloud.*", "--include", "policy.*");
    for (const [path, text] of Object.entries(files).filter(([name]) => name.endsWith(".tf")))
      writeFileSync(join(cli.folder, path), text.replace(/^#(?: (?!No server|Takes over)|$)/gm, ""));
    expect(await run("fmt", "-check", "-diff")).toBe("");
    const variables = ["-var", `cloud_secret_key=${rootKey}`, "-var", `token_value=${rootKey}`];
    const before = server.records();
    writes();
    expect(await run("apply", "-auto-approve", ...variables)).toMatch(/ imported, 0 added, 2 changed, 0 destroyed/);
    expect(writes()).toEqual(expect.arrayContaining(["POST /v1/cloud/config/root"]));
    expect(server.records()).toEqual(before);
    expect(await run("plan", "-detailed-exitcode", ...variables)).toContain("No changes.");
    expect(cli.state()).not.toContain(rootKey);
  });

  test("adds to a configuration what its state does not have yet", async () => {
    const { cli, adopted, run, writes, raw } = await open();
    await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
    await raw("secrets").call("POST auth/jobs/role/by_hand", role);
    const only = ["--include", "*.Role *", "--include", "sys.AuthMount *"];
    await adopted("--service", "secrets", ...only);
    await run("apply", "-auto-approve");
    rmSync(join(cli.folder, "imports.tf"));
    await raw("secrets").call("POST auth/jobs/role/by-hand", role);
    writes();

    await adopted("--diff", "--state", join(cli.folder, "terraform.tfstate"), ...only);
    expect(await run("plan")).toContain("Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.");
    expect(await run("apply", "-auto-approve")).toContain("Resources: 1 imported, 0 added, 0 changed");
    rmSync(join(cli.folder, "imports.tf"));
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(writes()).toEqual([]);
  });

  test("adds loops for the same mount again and again, and no name is there twice", async () => {
    const { cli, adopted, run, writes, raw } = await open();
    for (const mount of ["jobs", "cloud"]) await raw("secrets").ask(`POST sys/auth/${mount}`, { type: "jwt" });
    const only = ["--include", "*.Role *", "--include", "sys.*Mount *"];
    const add = async (time: number) => {
      const roles = Array.from({ length: 4 }, (_, index) => `r${time}-${index}`);
      for (const name of roles) {
        await raw("secrets").call(`POST auth/jobs/role/${name}`, { ...role, token_policies: [name] });
        await raw("secrets").call(`POST auth/cloud/role/${name}`, { ...role, token_policies: [name] });
        await raw("secrets").call(`POST cloud/roles/${name}`, {
          credential_type: "iam_user",
          policy_arns: [`arn:aws:iam::1:policy/${name}`],
        });
      }
      writes();
    };
    const apply = async (count: number) => {
      expect(await run("fmt", "-check", "-diff")).toBe("");
      expect(await run("validate")).toContain("Success!");
      expect(await run("apply", "-auto-approve")).toContain(`Resources: ${count} imported, 0 added, 0 changed`);
      rmSync(join(cli.folder, "imports.tf"));
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
      expect(writes()).toEqual([]);
    };
    await raw("secrets").call("POST cloud/roles/first", { credential_type: "iam_user", iam_groups: ["first"] });
    await add(0);
    // Most roles of the cloud come later: their loop wants the local value that the other roles of `cloud` have.
    await adopted("--service", "secrets", ...only, "--exclude", "cloud.Role r*");
    await apply(8 + 4 + 1);
    for (const [time, count] of [
      [1, 8 + 8],
      [2, 8 + 4],
    ] as const) {
      await add(time);
      // Copied over the files that are there, as README.md says.
      await adopted("--diff", "--state", join(cli.folder, "terraform.tfstate"), ...only);
      await apply(count);
    }
    const files = readdirSync(cli.folder).filter((name) => name.endsWith(".tf"));
    const text = files.map((name) => readFileSync(join(cli.folder, name), "utf8")).join("\n");
    expect(text.match(/for_each/g)).toHaveLength(8);
  });

  test("takes over what another provider has, which then forgets it", async () => {
    const { server, adopted, run, writes, raw } = await open();
    await raw("secrets").call("POST sys/auth/jobs", { type: "jwt" });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
    const names = ["build", 'a "b" ${c}', "it's"];
    for (const name of names)
      await raw("secrets").call(`POST sys/policies/acl/${encodeURIComponent(name)}`, { policy: 'path "a" {}' });
    const old = mkdtempSync(join(tmpdir(), "trustplane-old-"));
    onTestFinished(() => rmSync(old, { recursive: true, force: true }));
    const policies = names.map((name) => ({
      type: "vault_policy",
      name: "p",
      key: name,
      attributes: { id: name, name },
    }));
    const mount = { type: "vault_auth_backend", name: "ci", attributes: { id: "jobs", path: "jobs", type: "jwt" } };
    writeFileSync(join(old, "terraform.tfstate"), terraformState([mount, ...policies]));
    const files = await adopted("--from-state", join(old, "terraform.tfstate"));
    writes();
    const before = JSON.stringify(server.records());
    expect(await run("apply", "-auto-approve")).toMatch(/Resources: 4 imported, 0 added, 0 changed/);
    const commands = files["README.md"]?.match(/^terraform state rm .*$/gm) ?? [];
    expect(commands).toHaveLength(4);
    execFileSync("sh", ["-ec", commands.join("\n")], { cwd: old, stdio: "pipe" });
    expect(
      JSON.parse(readFileSync(join(old, "terraform.tfstate"), "utf8")).resources.filter(
        ({ mode }: { mode: string }) => mode === "managed",
      ),
    ).toEqual([]);
    expect(writes()).toEqual([]);
    expect(JSON.stringify(server.records())).toBe(before);
  });

  test("imports a hundred roles of each of three mounts by three blocks", async () => {
    const { adopted, run, writes, raw } = await open();
    for (const mount of ["a", "b", "c"]) {
      await raw("secrets").call(`POST sys/auth/${mount}`, { type: "jwt" });
      for (const index of Array.from({ length: 100 }).keys())
        await raw("secrets").call(`POST auth/${mount}/role/${mount}-${index}`, { ...role, bound_subject: `${index}` });
    }
    writes();
    const files = await adopted("--service", "secrets", "--include", "*.Role *", "--include", "sys.AuthMount *");
    expect(files["imports.tf"]?.match(/for_each/g)).toHaveLength(3);
    expect(await run("apply", "-auto-approve")).toMatch(/Resources: 304 imported, 0 added, 0 changed/);
    expect(writes()).toEqual([]);
  });
});

type Raw = (name: "secrets" | "cluster" | "policy") => ReturnType<typeof rawApi>;

async function furnish(raw: Raw): Promise<void> {
  const [secrets, cluster, policy] = [raw("secrets"), raw("cluster"), raw("policy")];
  await secrets.call("POST sys/auth/jobs", { type: "jwt", description: HOSTILE, config: { default_lease_ttl: "15m" } });
  await secrets.call("POST sys/auth/for", { type: "jwt" });
  await secrets.call("POST auth/jobs/config", {
    jwt_validation_pubkeys: [publicKeyPem()],
    bound_issuer: "https://git",
  });
  for (const name of ["build", "deploy", "nightly", "__proto__", "for", "null"])
    await secrets.call(`POST auth/jobs/role/${name}`, { ...role, token_policies: [name] });
  const claims = {
    [HOSTILE]: HOSTILE,
    'a"\n\u202e': ["'", "\u2028"],
    null: true,
    for: 3,
    "日本語 🔑👩‍👩‍👧": "x",
    "a b": "y",
  };
  await secrets.call("POST auth/jobs/role/hostile", { ...role, bound_claims: claims });
  for (const name of ["a", "b", "c"]) await secrets.call(`POST auth/for/role/${name}`, role);
  await secrets.call("POST cloud/config/root", { access_key: "AKIAEXAMPLE", secret_key: rootKey, region: "eu-west-1" });
  await secrets.call("POST cloud/config/lease", { lease: "1h", lease_max: "24h" });
  const document = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}]}';
  for (const name of ["read", "write", "audit"])
    await secrets.call(`POST cloud/roles/${name}`, { credential_type: "iam_user", policy_document: document });
  const policies = [
    'path "a" {\n  capabilities = ["read"]\n}\n',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
    '# x\n\n  # ${y}\npath "b" {}\n',
    '  # z\n\n\n path "c" {}',
  ];
  for (const [index, text] of policies.entries())
    await secrets.call(`POST sys/policies/acl/${["build", "hostile", "odd"][index]}`, { policy: text });
  const group = await secrets.call("POST identity/group", { name: "builders", type: "external", policies: "build" });
  const methods = await secrets.call("GET sys/auth");
  await secrets.call("POST identity/group-alias", {
    name: "builders",
    canonical_id: Object(group).data.id,
    mount_accessor: Object(methods).data["jobs/"].accessor,
  });
  const exported = { Name: "billing", Consumers: [{ Peer: "west" }] };
  await cluster.call("PUT config", { Kind: "exported-services", Name: "default", Services: [exported] });
  const sources = [{ Name: "checkout", Peer: "west", Action: "allow" }];
  await cluster.call("PUT config", { Kind: "service-intentions", Name: "billing", Sources: sources });
  await cluster.call("POST peering/token", { PeerName: "west", Meta: { team: "core" } });
  for (const [key, value, sensitive] of [
    ["limit", HOSTILE, false],
    ["token", rootKey, true],
  ] as const) {
    const attributes = { key, value, category: "policy-set", sensitive };
    await policy.call(`POST policy-sets/${defaultPolicySet}/parameters`, { data: { type: "vars", attributes } });
  }
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: text that must stay text
const HOSTILE = '"${path.module}" %{ if true }$${x}%%{y}$$${z}\\u0041\u0000\b\f\n\tEOT\n*/ é';
