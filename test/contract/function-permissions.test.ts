// @without-terraform: it asks the engine or Pulumi's hosts

import { describe, expect, it } from "vitest";
import type { Values } from "../../provider/core/definition.ts";
import type { FunctionDefinition } from "../../provider/core/function.ts";
import { functions } from "../../provider/functions/index.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { type ContractServers, closeServersAfterwards, servicesUnderTest } from "../support/contract-servers.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { clusterToken, documentedPolicy, policyForMount, secretsToken } from "../support/documented-policy.ts";
import { cloudMount, jwtMount } from "./cases/mounts.ts";

closeServersAfterwards();

type FunctionName = keyof typeof functions;

/** What a function is asked about; answers the arguments. */
type Prepare = (world: World) => Promise<Values>;

const jwtRole: Prepare = async (world) => {
  const mount = await jwtMount(world);
  const role = { role_type: "jwt", user_claim: "sub", bound_audiences: ["a"] };
  await world.raw("secrets").call(`POST auth/${mount}/role/ci`, role);
  return { mount };
};

const cloudRole: Prepare = async (world) => {
  const [mount, name] = [await cloudMount(world), world.fresh("user")];
  const secrets = world.raw("secrets");
  await secrets.call(`POST ${mount}/config/root`, await world.servers.cloudUser(world.fresh("root")));
  const document = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "s3:Get*", Resource: "*" }] };
  const role = { credential_type: "iam_user", policy_document: JSON.stringify(document) };
  await secrets.call(`POST ${mount}/roles/deploy`, role);
  await world.servers.cloudUser(name);
  await secrets.call(`POST ${mount}/static-roles/backup`, { username: name, rotation_period: "24h" });
  return { mount };
};

const peering: Prepare = async (world) => {
  const peerName = world.fresh("peer");
  await world.raw("cluster").call("POST peering/token", { PeerName: peerName });
  return { peerName };
};

/** Every function whose page shows a policy, with what is asked. */
const calls: readonly (readonly [FunctionName, Prepare, Values])[] = [
  ["jwtGetRole", jwtRole, { name: "ci" }],
  ["jwtGetRoles", jwtRole, {}],
  ["cloudGetRoles", cloudRole, {}],
  ["cloudGetStaticCredentials", cloudRole, { name: "backup" }],
  ["cloudGetCredentials", cloudRole, { name: "deploy", revokeAtEnd: true }],
  ["cloudGetCredentials", cloudRole, { name: "deploy", endpoint: "sts", revokeAtEnd: true }],
  ["clusterGetPeering", peering, {}],
  ["clusterGetPeerings", peering, { peerName: undefined }],
];

it("every function whose page shows a policy is called", () => {
  const shown = Object.entries(functions).filter(([, { token }]) => documentedPolicy(token) !== undefined);
  expect(shown.map(([name]) => name).sort()).toEqual([...new Set(calls.map(([name]) => name))].sort());
});

async function limited({ servers, raw }: World, definition: FunctionDefinition, policy: string, mount: unknown) {
  if (definition.dialect === "consul") {
    return { ...servers, cluster: { ...servers.cluster, token: await clusterToken(raw("cluster"), policy) } };
  }
  const token = await secretsToken(raw("secrets"), policyForMount(policy, String(mount)));
  return { ...servers, secrets: { ...servers.secrets, token } } satisfies ContractServers;
}

async function callWith(policy: (page: string) => string, [name, prepare, more]: (typeof calls)[number]) {
  const definition: FunctionDefinition = functions[name];
  const world = await openWorld();
  const args = { ...(await prepare(world)), ...more };
  const { mount } = args as Values;
  const text = policy(documentedPolicy(definition.token) ?? "");
  const caller = await openWorld({ servers: await limited(world, definition, text, mount) });
  const called = await engineWithLog(caller.config(), []).call(definition, args);
  await called.release?.();
  return called.results;
}

const underTest = calls.filter(([name]) =>
  servicesUnderTest.includes(functions[name].dialect === "consul" ? "cluster" : "secrets"),
);
describe.each(underTest)("the documented policy of %s", (...call) => {
  it(`is enough to ask for ${JSON.stringify(call[2])}`, async () => {
    expect(Object.keys(await callWith((page) => page, call)).length).toBeGreaterThan(0);
  });

  it("is needed: a token without it is refused", async () => {
    await expect(callWith(() => "# nothing", call)).rejects.toThrow(/403/);
  });
});
