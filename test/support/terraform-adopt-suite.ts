import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { defaultPolicySet } from "../../server/serve.ts";
import { adopt } from "../cli/adopt-harness.ts";
import { type WatchedServers, watch } from "../e2e/watched-servers.ts";
import type { ContractServers } from "./servers-under-test.ts";
import { createTerraformSandbox } from "./terraform-sandbox.ts";
import { publicKeyPem } from "./valid-inputs.ts";

export const rootKey = "a-key-of-this-run";

export const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["https://aud.example"] };

/** The real CLI on what the command has written for these servers. What reaches them is counted. */
export async function openTerraformAdoption({
  secrets,
  cluster,
  policy,
}: Pick<ContractServers, "secrets" | "cluster" | "policy">) {
  const { env, raw, writes, close } = await watch({ secrets, cluster, policy });
  onTestFinished(close);
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
  return { cli, adopted, run, writes, raw };
}

/** What `adopt --language hcl` promises on any servers that have no records of other tests. */
export function tellTerraformAdoption(start: () => Promise<ContractServers>): void {
  test("imports all there is without a write, and then a plan is empty", async () => {
    const servers = await start();
    onTestFinished(() => servers.close());
    const { cli, adopted, run, writes, raw } = await openTerraformAdoption(servers);
    await furnish(raw);
    await raw("secrets").call("POST cloud/config/root", await servers.cloudUser("admin"));
    await servers.cloudUser("robot");
    await raw("secrets").call("POST cloud/static-roles/robot", { username: "robot", rotation_period: 3600 });
    const files = await adopted("--organization", "demo");
    expect(files["auth-jobs.tf"]).toContain("for_each = local.jobs_roles");
    expect(writes()).toEqual([]);
    const shown = () => Promise.all(SHOWN.map(async ([name, path]) => lasting(await raw(name).call(`GET ${path}`))));
    const before = await shown();

    expect(await run("fmt", "-check", "-diff")).toBe("");
    expect(await run("validate")).toContain("Success!");
    expect(await run("plan")).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
    expect(await run("apply", "-auto-approve")).toMatch(/Apply complete! Resources: \d+ imported, 0 added, 0 changed/);
    expect(writes()).toEqual([]);
    const kept: readonly { readonly type: string }[] = JSON.parse(cli.state()).resources;
    expect([...new Set(kept.map(({ type }) => type))].sort()).toEqual(IMPORTED);
    rmSync(join(cli.folder, "imports.tf"));
    expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    expect(writes()).toEqual([]);
    expect(await shown()).toEqual(before);
  });
}

/** All kinds but those of which a part is hidden, and the token of a peering, which Terraform does not get. */
const IMPORTED = [
  "trustplane_cloud_lease_config",
  "trustplane_cloud_role",
  "trustplane_cloud_static_role",
  "trustplane_cluster_exported_services",
  "trustplane_cluster_intention",
  "trustplane_identity_group",
  "trustplane_jwt_config",
  "trustplane_jwt_role",
  "trustplane_policy_parameter",
  "trustplane_policy_policy_set",
  "trustplane_sys_auth_mount",
  "trustplane_sys_policy",
  "trustplane_sys_secrets_mount",
];

/** Vault's answers name the request; those of Consul have an index that a write would move. */
const lasting = (answer: unknown): unknown => Object(answer).data ?? answer;

const SHOWN = [
  ["secrets", "sys/auth"],
  ["secrets", "sys/mounts"],
  ["secrets", "auth/jobs/config"],
  ["secrets", "auth/jobs/role/build"],
  ["secrets", "auth/jobs/role/hostile"],
  ["secrets", "cloud/config/root"],
  ["secrets", "cloud/config/lease"],
  ["secrets", "cloud/roles/read"],
  ["secrets", "sys/policies/acl/hostile"],
  ["secrets", "identity/group/name/builders"],
  ["cluster", "config/exported-services/default"],
  ["cluster", "config/service-intentions/billing"],
] as const;

/** Records of every kind, with what is hard to write down. */
export async function furnish(raw: WatchedServers["raw"]): Promise<void> {
  const [secrets, cluster, policy] = [raw("secrets"), raw("cluster"), raw("policy")];
  // The embedded server has this mount from the start.
  await secrets.ask("POST sys/mounts/cloud", { type: "aws" });
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
    toString: "z",
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
