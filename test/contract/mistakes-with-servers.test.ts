// @servers embedded

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Definition, Values } from "../../provider/core/definition.ts";
import { definitions } from "../../provider/resources/index.ts";
import { createIdentity } from "../support/certificates.ts";
import { engineWithLog } from "../support/contract-host-engine.ts";
import { closeServersAfterwards } from "../support/contract-servers.ts";
import { openWorld, type World } from "../support/contract-world.ts";
import { type DefinitionName, validInputs } from "../support/valid-inputs.ts";

// The rest of the mistakes of `mistakes.test.ts`: those that need another server, or a run before.

closeServersAfterwards();

const role = validInputs.jwtRole[0];

/** The refusal of what is done with this configuration. */
async function refusal(config: Readonly<Record<string, string>>, resource: DefinitionName, inputs: Values) {
  const engine = engineWithLog(config, []);
  const definition: Definition = definitions[resource];
  const { inputs: checked, failures } = await engine.check(definition, inputs);
  expect(failures).toEqual([]);
  return engine.create(definition, checked).catch((error: Error) => error.message);
}

const secretsOf = (world: World, settings: Values) => {
  const { secrets = "{}", ...others } = world.config();
  return { ...others, secrets: JSON.stringify({ ...JSON.parse(secrets), ...settings }) };
};

it("13: no address", async () => {
  const world = await openWorld();
  expect(await refusal(secretsOf(world, { address: undefined, maxRetries: 0 }), "jwtRole", role)).toBe(
    'creating jwt.Role "ci": no answer from https://127.0.0.1:8200 (GET /v1/sys/auth): the connection was refused. Is the server running, and is the address right? No address is set, so this is the default: set BAO_ADDR or VAULT_ADDR, or trustplane:secrets.address. `trustplane doctor` says why.',
  );
});

it("15: a certificate of a CA that nobody knows", async () => {
  const { certificate, key } = createIdentity("vault", { addresses: ["127.0.0.1"] });
  const server = createServer({ cert: certificate, key }, (_, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await openWorld();
  expect(await refusal(secretsOf(world, { address }), "jwtRole", role)).toBe(
    `creating jwt.Role "ci": no answer from ${address} (GET /v1/sys/auth): its certificate is self-signed. Give its CA (VAULT_CACERT, or caCertFile in trustplane:secrets). \`trustplane doctor\` says why.`,
  );
});

it("28: a peering of a cluster with itself", async () => {
  const world = await openWorld();
  const token = (await world.raw("cluster").call("POST peering/token", { PeerName: "own" })) as {
    PeeringToken: string;
  };
  const inputs = { peerName: "self", peeringToken: token.PeeringToken };
  expect(await refusal(world.config(), "clusterPeering", inputs)).toMatch(
    /^creating cluster\.Peering "self": 500 cannot create a peering within the same cluster "\S+"\. Refer to the `exported-services` documentation if you want to export between partitions without peering \(POST v1\/peering\/establish\)\. This cluster has issued the token itself: give the token of the other cluster, or correct the address of one of the two connections\.$/,
  );
});

it("35: another server than that of the state", async () => {
  const [world, elsewhere] = [await openWorld(), await openWorld({ which: "second" })];
  const engine = engineWithLog(world.config(), []);
  const { id, state } = await engine.create(
    definitions.jwtRole,
    (await engine.check(definitions.jwtRole, role)).inputs,
  );
  const there = engineWithLog(elsewhere.config(), []);
  expect(await there.read(definitions.jwtRole, id, state).catch((error: Error) => error.message)).toMatch(
    /^reading jwt\.Role "ci": the state was written to another server \(vault:\S+\) than the one at http:\S+ \(vault:\S+\)\. Check the address and namespace; if the server was rebuilt, refresh once with TRUSTPLANE_REBUILT=secrets in the environment\.$/,
  );
});

it("38: a mount whose roles have left the state by `deletedWith`", async () => {
  const world = await openWorld();
  const engine = engineWithLog(world.config(), []);
  const mount: Definition = definitions.sysAuthMount;
  const { id, state } = await engine.create(mount, (await engine.check(mount, { path: "left", type: "jwt" })).inputs);
  const { inputs } = await engine.check(definitions.jwtRole, { ...role, mount: "left" });
  await engine.create(definitions.jwtRole, inputs);
  engine.startRun();
  expect(await engine.delete(mount, id, state).catch((error: Error) => error.message)).toBe(
    'deleting sys.AuthMount "left": 1 record is still in auth/left/role (ci) and would be lost. Delete it first, or set `force` to `true` on sys.AuthMount "left" and update it. To keep what `deletedWith` or `retainOnDelete` has left there, set `retainOnDelete` on the mount, too.',
  );
});
