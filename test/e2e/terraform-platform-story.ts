import { randomBytes } from "node:crypto";
import { cpSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { repository } from "../../tools/steps/repository.mjs";
import { run } from "../cli/drift-harness.ts";
import { rawApi, type ServiceName } from "../support/contract-raw.ts";
import type { ContractServers } from "../support/servers-under-test.ts";
import { terraformTables } from "../support/terraform-client.ts";
import { createTerraformSandbox } from "../support/terraform-sandbox.ts";
import { writesOf } from "../support/terraform-story.ts";
import { startDiscoveryServer } from "./discovery-server.ts";
import { inventoryOf } from "./inventory.ts";
import { environmentOf } from "./watched-servers.ts";

/** Terraform's exit code of `plan -detailed-exitcode` that found some. */
const changesFound = 2;

/** Resources with an attribute that the servers keep to themselves. */
const unseen = [
  "trustplane_cloud_root_config.cloud",
  "trustplane_cloud_root_rotation.cloud",
  "trustplane_cluster_peering.partner",
  "trustplane_jwt_config.people[0]",
  "trustplane_policy_parameter.cost_api_token",
];

/** A server shows the text of a policy that the program has as rules: in the state alone one takes the place of the other. */
const otherwiseWritten = [
  "trustplane_sys_policy.deploy",
  "trustplane_sys_policy.engineer",
  "trustplane_sys_policy.read_only",
];

/** The life of examples/platform-terraform with the real CLI, on servers of any kind, from nothing to nothing. */
export async function tellTerraformPlatform(servers: ContractServers): Promise<void> {
  const raw = (service: ServiceName) => rawApi(service, servers[service]);
  const inventory = () => inventoryOf(raw);
  const env = environmentOf(servers);
  const cli = await createTerraformSandbox(env);
  const terraform = async (command: string, code = 0) => {
    const ended = await cli.run(...command.split(" "));
    expect(ended.code, `terraform ${command}\n${ended.text}`).toBe(code);
    return ended.text;
  };
  const secrets = await prepare(servers, cli.folder);
  const untouched = await inventory();

  expect(await terraform("apply -auto-approve")).toMatch(/Resources: \d+ added, 0 changed, 0 destroyed/);
  const complete = await inventory();
  const all = resourcesIn(cli.state());
  const single = [...terraformTables().resources.values()].filter(({ definition }) => !definition.members);
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(single.map(({ typeName }) => typeName)));
  expect(Object.entries(secrets).filter(([, secret]) => cli.state().includes(secret))).toEqual([]);
  expect(await writesOf(() => terraform("plan -detailed-exitcode"))).toEqual([]);

  await changeByHand(raw, all);
  const partner = `partner=${servers.peer.address},service=cluster,tokenEnv=PARTNER_CONSUL_TOKEN`;
  const drift = () => run(["drift", "--state", "-", "--connection", partner], env, cli.state());
  const found = await drift();
  expect(found).toMatchObject({ code: 2, err: "" });
  expect(found.out).toMatch(new RegExp(`^Drift: ${all.length} resources, 4 changed, 1 missing`));
  const plan = await terraform("plan -detailed-exitcode", changesFound);
  expect(plan).toContain("Plan: 1 to add, 4 to change, 0 to destroy.");
  expect(plan).toMatch(/~ value\s+= "9000" -> "5000"/);
  expect(plan).toMatch(/~ token_ttl\s+= "30m" -> "15m"/);
  expect(plan).toMatch(/~ lease\s+= "2h" -> "1h"/);

  expect(await terraform("apply -auto-approve")).toContain("Resources: 1 added, 4 changed, 0 destroyed");
  expect(await inventory()).toEqual(complete);
  expect(await drift()).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^No drift/) });

  // Into an empty state: only what the servers do not show would be sent once.
  const [state, aside] = [join(cli.folder, "terraform.tfstate"), join(cli.folder, "aside.tfstate")];
  writeFileSync(join(cli.folder, "imports.tf"), resourcesIn(cli.state()).map(importOf).join("\n"));
  renameSync(state, aside);
  const differing = [...unseen, ...otherwiseWritten];
  const written = await writesOf(async () => {
    const imported = await terraform("plan -out=imported");
    expect(imported).toContain(`Plan: ${all.length} to import, 0 to add, ${differing.length} to change, 0 to destroy.`);
  });
  expect(written).toEqual([]);
  const { resource_changes } = JSON.parse(await terraform("show -json imported")) as PlanInJson;
  const changed = resource_changes.filter(({ change }) => change.actions.join() !== "no-op");
  expect(changed.map(({ address }) => address).sort()).toEqual(differing);
  renameSync(aside, state);
  writeFileSync(join(cli.folder, "imports.tf"), "");

  expect(await terraform("destroy -auto-approve")).toContain(`Resources: ${all.length} destroyed`);
  expect(await inventory()).toEqual(untouched);
  expect(resourcesIn(cli.state())).toEqual([]);
}

interface PlanInJson {
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
}

/** Copies the program, and writes its values beside it. Answers the secrets. */
async function prepare(servers: ContractServers, folder: string): Promise<Readonly<Record<string, string>>> {
  const discovery = await startDiscoveryServer();
  onTestFinished(() => discovery.close());
  const root = await servers.cloudUser("platform");
  await servers.cloudUser("billing-export");
  const issued = await rawApi("peer", servers.peer).call("POST peering/token", { PeerName: "platform" });
  const secrets = {
    cloud_secret_key: root.secret_key,
    cost_api_token: randomBytes(20).toString("hex"),
    oidc_client_secret: randomBytes(20).toString("hex"),
    peering_token: String(Object(issued).PeeringToken),
  };
  const values = {
    organization: "demo",
    partner_address: servers.peer.address,
    cloud_access_key: root.access_key,
    cloud_endpoint: root["iam_endpoint"],
    issuer: discovery.issuer,
    ...secrets,
  };
  cpSync(join(repository, "examples/platform-terraform"), folder, { recursive: true });
  writeFileSync(join(folder, "terraform.tfvars.json"), JSON.stringify(values));
  return secrets;
}

async function changeByHand(raw: (service: ServiceName) => ReturnType<typeof rawApi>, all: readonly KeptResource[]) {
  const limit = all.find(({ name }) => name === "monthly_limit")?.attributes ?? {};
  const parameter = `policy-sets/${String(limit["policy_set_id"])}/parameters/${String(limit["parameter_id"])}`;
  await raw("policy").call(`PATCH ${parameter}`, { data: { type: "vars", attributes: { value: "9000" } } });
  await raw("secrets").call("POST auth/jobs/role/deploy", { role_type: "jwt", token_ttl: 1_800 });
  await raw("secrets").call("POST platform-cloud/config/lease", { lease: "2h", lease_max: "24h" });
  await raw("secrets").call("DELETE platform-cloud/roles/whoami");
  await raw("cluster").call("DELETE peering/partner-dr");
  const isGone = async () => (await raw("cluster").ask("GET peering/partner-dr")).status === 404;
  await vi.waitUntil(isGone, { timeout: 30_000 });
}

interface KeptResource {
  readonly type: string;
  readonly name: string;
  readonly address: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function resourcesIn(state: string): readonly KeptResource[] {
  const { resources } = JSON.parse(state) as { readonly resources: readonly ResourceInFile[] };
  return resources.flatMap(({ type, name, instances }) =>
    instances.map(({ index_key: key, attributes }) => {
      const address = `${type}.${name}${key === undefined ? "" : `[${JSON.stringify(key)}]`}`;
      return { type, name, address, attributes };
    }),
  );
}

interface ResourceInFile {
  readonly type: string;
  readonly name: string;
  readonly instances: readonly { readonly index_key?: number; readonly attributes: KeptResource["attributes"] }[];
}

/** An id as a person writes it: the key of a parameter, and the connection where it is not the usual one. */
function importOf({ type, address, attributes }: KeptResource): string {
  const { id, policy_set_id, key, dialer_connection } = attributes;
  const natural = type === "trustplane_policy_parameter" ? `${String(policy_set_id)}/${String(key)}` : String(id);
  const query = dialer_connection ? `?dialerConnection=${String(dialer_connection)}` : "";
  return `import {\n  to = ${address}\n  id = "${natural}${query}"\n}\n`;
}
