// What users of other tools for the same servers met: each is tried here, and what happens has to be right.
import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import { createEngine } from "../../provider/engine/engine.ts";
import { definitions } from "../../provider/resources/index.ts";
import { run } from "../cli/drift-harness.ts";
import { previewJson, type WantedStep } from "../cli/preview-text.ts";
import { jwtMount } from "../contract/cases/mounts.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { createStack } from "../support/contract-stack.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import type { ResourceName } from "../support/host-under-test.ts";
import { jobToken, openLogins } from "../support/jwt-logins.ts";
import { terraformTables } from "../support/terraform-host.ts";
import { publicKeyPem } from "../support/valid-inputs.ts";

closeServersAfterwards();

const role = { roleType: "jwt", userClaim: "sub", boundAudiences: ["a"] };

interface Report {
  readonly name: string;
  readonly resource: ResourceName;
  readonly args: (world: World) => Promise<Values> | Values;
}

/** Reports of differences that never end. */
const unchanged: readonly Report[] = [
  // https://github.com/hashicorp/terraform-provider-vault/issues/2234
  {
    name: "a mount is tuned with other lifetimes than the server's own",
    resource: "sysAuthMount",
    args: (world) => ({ path: world.fresh("jwt"), type: "jwt", defaultLeaseTtl: "200s", tokenType: "default-service" }),
  },
  // https://github.com/pulumi/pulumi-vault/issues/744
  {
    name: "a mount has no setting at all",
    resource: "sysAuthMount",
    args: (world) => ({ path: world.fresh("approle"), type: "approle" }),
  },
  // https://github.com/hashicorp/terraform-provider-vault/issues/1172
  {
    name: "options of an identity provider are numbers and booleans, which others write as texts",
    resource: "jwtConfig",
    args: async (world) => ({
      mount: await jwtMount(world),
      jwtValidationPubkeys: [publicKeyPem()],
      providerConfig: { provider: "azure", fetch_groups: true, groups_recurse_max_depth: 5 },
    }),
  },
  // https://github.com/hashicorp/terraform/issues/23362
  {
    name: "a role says the type of its tokens that it has anyway",
    resource: "jwtRole",
    args: async (world) => ({ mount: await jwtMount(world), name: "ci", ...role, tokenType: "default" }),
  },
  // https://github.com/hashicorp/terraform-provider-consul/issues/281
  {
    name: "an intention has several sources, to which the server adds what it knows",
    resource: "clusterIntention",
    args: (world) => ({
      destination: world.fresh("db"),
      sources: [
        { name: "worker", action: "allow" },
        { name: "api", action: "deny", description: "not yet" },
      ],
    }),
  },
];

describe("nothing is to do after a run and a refresh where", () => {
  it.each(unchanged)("$name", async ({ resource, args }) => {
    const world = await openWorld();
    const wanted = await args(world);
    const stack = createStack(world.host("engine", resource));
    await stack.up(wanted);
    expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.preview(wanted)).toEqual({ step: "same", replaces: [] });
  });
});

// https://github.com/hashicorp/terraform-provider-vault/issues/1133, https://github.com/hashicorp/terraform-provider-vault/issues/1144
it("an external group whose members have come by logins gets other policies, and keeps its members", async () => {
  const world = await openWorld();
  const raw = world.raw("secrets");
  const mount = await openLogins(world, { groups_claim: "groups" });
  const stack = createStack(world.host("engine", "identityGroup"));
  const args = { name: world.fresh("people"), type: "external", policies: ["a"], alias: { mount, name: "people" } };
  await stack.up(args);
  await raw.call(`POST auth/${mount}/login`, { role: "ci", jwt: await jobToken({ groups: ["people"] }) });
  const members = async () => {
    const { data } = (await raw.call(`GET identity/group/name/${args.name}`)) as { data: Values };
    return data["member_entity_ids"] as string[];
  };
  const before = await members();
  expect(before).toHaveLength(1);
  await stack.refresh();
  expect(await stack.up({ ...args, policies: ["b"], metadata: { owner: "us" } })).toBe("update");
  expect(await members()).toEqual(before);
});

// https://github.com/bank-vaults/bank-vaults/issues/3888
it("a role of a set has none of what the role beside it binds, also where it once had", async () => {
  const world = await openWorld();
  const mount = await jwtMount(world);
  const stack = createStack(world.host("engine", "jwtRoleSet"));
  const roles = { a: { boundSubject: "a" }, b: { boundClaims: { "/kubernetes.io/namespace": "b" } }, c: {} };
  const get = async (name: string) => {
    const { data } = (await world.raw("secrets").call(`GET auth/${mount}/role/${name}`)) as { data: Values };
    return { claims: data["bound_claims"] ?? {}, subject: data["bound_subject"] };
  };
  await stack.up({ mount, defaults: role, roles });
  const none = { claims: {}, subject: "" };
  expect(await get("a")).toEqual({ ...none, subject: "a" });
  expect(await get("b")).toEqual({ ...none, claims: { "/kubernetes.io/namespace": "b" } });
  expect(await get("c")).toEqual(none);
  const wrong = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"], bound_claims: { x: "y" } };
  await world.raw("secrets").call(`POST auth/${mount}/role/c`, wrong);
  await stack.refresh();
  expect(await stack.up({ mount, defaults: role, roles })).toBe("update");
  expect(await get("c")).toEqual(none);
});

// https://github.com/hashicorp/terraform-provider-vault/issues/2439
it("a key of the cloud that nobody knows yet is an error that says so, and the next run goes on", async () => {
  const world = await openWorld();
  const mount = world.fresh("cloud");
  await world.raw("secrets").call(`POST sys/mounts/${mount}`, { type: "aws" });
  const raw = world.raw("secrets");
  const root = await world.servers.cloudUser(world.fresh("root"));
  await raw.call(`POST ${mount}/config/root`, root);
  await raw.call(`POST ${mount}/config/rotate-root`);
  // The cloud does not know the old key any more, as it does not know a new one everywhere at once.
  await raw.call(`POST ${mount}/config/root`, root);
  const username = world.fresh("billing");
  await world.servers.cloudUser(username);
  const stack = createStack(world.host("engine", "cloudStaticRole"));
  const args = { mount, name: "billing", username, rotationPeriod: "1h" };
  await expect(stack.up(args)).rejects.toThrow(
    /InvalidClientTokenId: .*takes some seconds to be known everywhere: run again/,
  );
  await raw.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
  expect(await stack.up(args)).toBe("create");
});

// https://github.com/pulumi/pulumi-vault/issues/823
it("a refresh in another job logs in with the JWT of that job, as the state has none", async () => {
  const world = await openWorld();
  const mount = await openLogins(world);
  const { address } = world.servers.secrets;
  const secrets = JSON.stringify({ address, login: { method: "jwt", mount, role: "ci", jwtEnv: "JOB_JWT" } });
  const inJob = (jwt: string) =>
    createEngine({ config: (key) => (key === "secrets" ? secrets : undefined), env: { JOB_JWT: jwt }, log: () => {} });
  const own = await jwtMount(world);
  const first = inJob(await jobToken());
  const { id, state } = await first.create(definitions.jwtRole, { mount: own, name: "app", ...role });
  await first.end();
  const old = await jobToken({ iat: 1, exp: 2 });
  expect(JSON.stringify(state)).not.toContain(old.split(".")[0]);
  await expect(inJob(old).read(definitions.jwtRole, id, state)).rejects.toThrow(/expired/);
  const second = inJob(await jobToken());
  expect(await second.read(definitions.jwtRole, id, state)).toMatchObject({ id });
  await second.end();
});

// https://github.com/hashicorp/terraform-provider-tfe/issues/2232
it("the value of a parameter is hidden where it is sensitive, and there alone", async () => {
  const parameter = (sensitive: boolean): WantedStep => ({
    op: "update",
    token: "policy:Parameter",
    name: "max-ttl",
    id: "polset-demo000000000001/var-1",
    before: { policySetId: "polset-demo000000000001", key: "max_ttl", value: "24h", sensitive },
    after: { policySetId: "polset-demo000000000001", key: "max_ttl", value: "48h", sensitive },
  });
  const comment = async (sensitive: boolean) =>
    (
      await run(
        ["comment", "-", "--stack", "acme/dev", "--dry-run"],
        {},
        previewJson({ steps: [parameter(sensitive)] }),
      )
    ).out;
  expect(await comment(false)).toContain("48h");
  const { inputs = [] } = terraformTables.resources.get("trustplane_policy_parameter") ?? {};
  const hidden = inputs.filter(({ isSensitive, isWriteOnly }) => isSensitive || isWriteOnly).map(({ name }) => name);
  expect(hidden).toEqual(["value_wo"]);
});
